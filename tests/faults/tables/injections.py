"""200 strings that want to be code: drawn in a PDF, read from an image, given as another model's output, as
names, links and bookmarks. Nothing is executed, nothing is fetched, the text stays what it was: in Markdown
(rendered by cmark-gfm with raw HTML on), HTML (opened in Chromium), JSON, TSV and on the terminal.
A scripted model says the same strings in tests/core/read/injections_test.cc."""
import html
import json
import re
import shutil
import subprocess

import hostile_files as hostile
from case import Case
from render import Browser, markup_of_markdown, Seen

STRINGS = json.loads((__import__("case").ROOT / "tests/faults/strings.json").read_text())
# Marks that a page's text may stand for are not letters: a line of dashes is a rule, a box is a checkbox.
ESCAPES = ["\x1b]0;owned\x07", "\x1b[2J\x1b[31mred", "\x9b31m", "a\x00b", "bell\x07", "back\x08\x08space", "​zero"]
LINKS = ["javascript:document.title='owned'", "JaVaScRiPt:x", "data:text/html,<script>x</script>", "vbscript:x", "file:///etc/passwd",
         "http://127.0.0.1:9/a)b](c", "https://x.example/\"onmouseover=\"x", "https://x.example/<script>", "mailto:a@b.example",
         "java\nscript:x", "\\\\server\\share", "ftp://x.example/"]
FORMATS = ["--to", "md,json,html"]


def literal(text):
    return b"(" + re.sub(rb"([\\()])", rb"\\\1", text.encode("latin-1")) + b")"


def strings_pdf(a_page):
    """`a_page` strings on each page, far from each other, each page's at places of its own."""
    pages = []
    for start in range(0, len(STRINGS), a_page):
        part = STRINGS[start:start + a_page]
        rows = [b"BT /F1 %d Tf 40 %d Td %s Tj ET" % (size(s), 760 - (start * 37 % 500 if a_page == 1 else 0) - i * 30, literal(s))
                for i, s in enumerate(part)]
        pages.append(b"\n".join(rows))
    return hostile.pages(pages)


def size(text):
    return 10 if len(text) < 90 else 7


def squeezed(text):
    return re.sub(r"\s+", "", text)


def intact(where, text, strings):
    text = squeezed(text)
    lost = [s for s in strings if squeezed(s) not in text]
    return [f"{where} lacks {len(lost)} of {len(strings)}: {lost[:6]}"] if lost else []


def safe(seen, where):
    return [f"{where}: {fault}" for fault in seen.faults]


def outputs(stem, strings, browser):
    """What is wrong with STEM.md, .json and .html."""
    wrong = []
    seen = markup_of_markdown(stem.with_suffix(".md").read_text())
    wrong += safe(seen, "md") + intact("md", seen.text, strings)
    document = json.loads(stem.with_suffix(".json").read_text())
    texts = "\n".join(text for text in every_text(document))
    wrong += intact("json", texts, strings)
    if browser:
        seen, fetched, title = browser.open(stem.with_suffix(".html"))
        wrong += safe(seen, "html") + intact("html", seen.text, strings)
        wrong += [f"html fetched {fetched}"] if fetched else []
        wrong += ["html: a string set the title"] if title == "owned" else []
    return wrong


def every_text(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from every_text(inner) if key != "provenance" else []
    elif isinstance(value, list):
        for inner in value:
            yield from every_text(inner)


def no_commands(run):
    text = (run.err + run.out).decode(errors="replace")
    bad = sorted({c for c in text if (ord(c) < 32 and c not in "\n\r\t") or 127 <= ord(c) < 160 or c in "‮⁦"})
    return [f"prints {bad!r}"] if bad else []


def with_links():
    """A line of text for each address, which is its link."""
    lines, links = [], []
    for i, address in enumerate(LINKS):
        y = 740 - 40 * i
        lines.append(b"BT /F1 12 Tf 72 %d Td (Line of address %d.) Tj ET" % (y, i))
        links.append(b"<</Type/Annot/Subtype/Link/Rect[72 %d 170 %d]/A<</S/URI/URI%s>>>>" % (y - 3, y + 12, literal(address)))
    return hostile.pages([b"\n".join(lines)], annotations=b"".join(links))


def mineru():
    return json.dumps([{"type": "text", "text": s, "page_idx": i // 20, "bbox": [50, 40 + 45 * (i % 20), 950, 70 + 45 * (i % 20)]}
                       for i, s in enumerate([*STRINGS, *ESCAPES])])


def hocr():
    pages = []
    for start in range(0, len(STRINGS), 20):
        lines = "".join(f"<p class='ocr_par' title='bbox 50 {60 + 45 * i} 1900 {90 + 45 * i}'><span class='ocr_line' title='bbox 50 {60 + 45 * i} 1900 {90 + 45 * i}'>"
                        + " ".join(f"<span class='ocrx_word' title='bbox 50 {60 + 45 * i} 1900 {90 + 45 * i}'>{html.escape(w)}</span>" for w in s.split())
                        + "</span></p>" for i, s in enumerate(STRINGS[start:start + 20]))
        pages.append(f"<div class='ocr_page' title='bbox 0 0 2000 1100'>{lines}</div>")
    return "<html><body>" + "".join(pages) + "</body></html>"


def cases(folder):
    none = ["--model", "none"]
    browser = Browser.find(folder)
    alone, together, blank = folder / "alone.pdf", folder / "together.pdf", folder / "blank.pdf"
    alone.write_bytes(strings_pdf(1))
    together.write_bytes(strings_pdf(24))
    blank.write_bytes(hostile.pages([b""] * 12))
    if browser:
        yield Case("the strings are code where nobody is careful", ["--version"], {0}, check=lambda run: browser.open_careless(STRINGS))

    def made(stem, strings=STRINGS):
        return lambda run: outputs(folder / stem, strings, browser) + no_commands(run)

    yield Case(f"PDF of {len(STRINGS)} strings", [alone, "-o", folder / "alone.md", *FORMATS, *none], {0, 3}, check=made("alone"), cpu_seconds=120)
    yield Case("PDF, many a page", [together, "-o", folder / "together.md", *FORMATS, *none], {0, 3}, check=made("together", []))
    subprocess.run(["pdftoppm", "-r", "150", "-png", "-gray", together, folder / "scan"], check=True)
    images = sorted(folder.glob("scan-*.png"))
    for image in images:
        yield Case(f"image {image.stem} of 24 strings", [image, "-o", folder / f"{image.stem}.md", *FORMATS, *none], {0, 3},
                   check=made(image.stem, []), cpu_seconds=60)
    for name, text in {"mineru.json": mineru(), "hocr.html": hocr()}.items():
        (folder / name).write_text(text)
        stem = name.split(".")[0] + "-out"
        yield Case(f"output of other tools: {name}", [blank, "--draft", f"replay:{folder / name}", "-o", folder / f"{stem}.md", *FORMATS, *none],
                   {0, 3}, check=made(stem, []))
        yield Case(f"the same on the terminal: {name}", [blank, "--draft", f"replay:{folder / name}", *none], {0, 3}, check=no_commands)
    (folder / "links.pdf").write_bytes(with_links())

    def harmless_links(run):
        text = (folder / "links.md").read_text()
        kept = [a for a in markup_of_markdown(text).links if not a.startswith(("http:", "https:", "mailto:"))]
        return outputs(folder / "links", [f"Line of address {i}." for i in range(len(LINKS))], browser) + ([f"links to {kept}"] if kept else [])
    yield Case("addresses of links", [folder / "links.pdf", "-o", folder / "links.md", *FORMATS, *none], {0}, check=harmless_links)
    titled = folder / "titled.pdf"
    titled.write_bytes(hostile.with_outline([b"<</Type/Outlines/First 5 0 R/Last %d 0 R>>" % (4 + len(STRINGS)),
                                             *[b"<</Title%s/Parent 4 0 R%s>>" % (literal(s), b"/Next %d 0 R" % (6 + i) if i + 1 < len(STRINGS) else b"")
                                               for i, s in enumerate(STRINGS)]]))
    yield Case("bookmarks", [titled, "-o", folder / "titled.md", *FORMATS, *none], {0}, check=made("titled", []))
    named, names = folder / "named", []
    named.mkdir()
    for s in [*STRINGS, *ESCAPES]:
        name = s.replace("/", "∕").replace("\0", "")[:60] + ".pdf"
        shutil.copy(blank if False else titled, named / name)
        names.append(name)

    def of_names(run):
        wrong = no_commands(run)
        for page in sorted((folder / "named-out").rglob("*.html"))[::12]:
            if browser:
                seen, fetched, title = browser.open(page)
                wrong += safe(seen, page.name) + ([f"{page.name} fetched {fetched}"] if fetched else [])
                wrong += ["a name set the title"] if title == "owned" else []
        return wrong
    yield Case("names of files", [named, "-o", folder / "named-out", "--to", "html", *none, "-v"], {0, 3}, check=of_names, cpu_seconds=120)
    yield from differences(folder, together)


def differences(folder, pdf):
    one = folder / "one.pdf"
    subprocess.run(["qpdf", "--empty", "--pages", pdf, "1", "--", one], check=True)

    def table(run):
        lines = (folder / "d.tsv").read_text().splitlines()
        columns = {line.count("\t") for line in lines}
        return [] if len(columns) == 1 else [f"lines of {columns} tabs"]
    yield Case("TSV of differences", [one, "--model", "builtin", "--report-differences", folder / "d.tsv", "-o", folder / "one.md"], {0, 3},
               check=table, cpu_seconds=200)
