"""Documents that are damaged, hostile or oddly named."""
import os
import random
import shutil

import hostile_files as hostile
from case import LETTER, ROOT, SAMPLES, Case, mounted, unmount

FLAGS = ["--page-timeout", "20", "--model", "none"]


def files():
    """Name -> (bytes, suffix, exit codes that are right)."""
    letter = LETTER.read_bytes()
    jpeg = (ROOT / "tests/fuzz/seeds/image/a.jpg").read_bytes()
    rng = random.Random(1)
    flipped = bytearray(letter)
    for _ in range(60):
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return {
        "empty file": (b"", ".pdf", {2}),
        "not a PDF": (b"plain text", ".pdf", {2}),
        "PDF cut to 300 bytes": (letter[:300], ".pdf", {2}),
        "PDF cut to half": (letter[:len(letter) // 2], ".pdf", {0, 2, 3}),
        "PDF without its last 40 bytes": (letter[:-40], ".pdf", {0}),
        "PDF with 60 flipped bits": (bytes(flipped), ".pdf", {0, 2, 3}),
        "reference loops": (hostile.reference_loops(), ".pdf", {2}),
        "page tree 20,000 deep": (hostile.deep_page_tree(), ".pdf", {0, 2, 3}),
        "outline 100,000 deep": (hostile.deep_outline(100_000), ".pdf", {0}),
        "outline that loops": (hostile.looping_outline(), ".pdf", {0}),
        "page of 14,400 points": (hostile.three_pages(hostile.GOOD, side=14400), ".pdf", {0}),
        "page that hangs Poppler": (hostile.hang(), ".pdf", {3}),
        "page that eats memory": (hostile.eats_memory(), ".pdf", {0, 3}),
        "font without Unicode map": (hostile.without_unicode_maps(), ".pdf", {0, 3}),
        "image 40,000 x 10": (hostile.png(40000, 10), ".png", {0}),
        "image 10 x 40,000": (hostile.png(10, 40000), ".png", {0}),
        "image 1 x 1": (hostile.png(1, 1), ".png", {0}),
        "image of 60,000 x 60,000 claimed": (hostile.tiff(60000, 60000), ".tif", {2}),
        "PNG cut in two": (hostile.png(500, 500)[:90], ".png", {2}),
        "JPEG cut in two": (jpeg[:-150], ".jpg", {0, 2}),
        "TIFF with a wrong width": (hostile.tiff(claimed=2**31 - 1), ".tif", {2}),
        "TIFF cut in two": (hostile.tiff()[:60], ".tif", {2}),
    }


def cases(folder):
    for i, (name, (data, suffix, codes)) in enumerate(files().items()):
        path, target = folder / f"{i}{suffix}", folder / f"{i}.md"
        path.write_bytes(data)

        def written(run, target=target):
            there = target.is_file() and target.stat().st_size > 1
            return ["exit 0 and nothing written"] if run.code == 0 and not there else []
        yield Case(name, ["convert", path, "-o", target, *FLAGS], codes, check=written, cpu_seconds=60)
    (folder / "many.tif").write_bytes(hostile.tiff_pages(4000))
    yield Case("TIFF of 4,000 pages", [folder / "many.tif", "-o", folder / "many.md", *FLAGS], {0}, cpu_seconds=40)
    yield from names(folder)
    yield from places(folder)


def names(folder):
    """Names that are hard to write to, or to show."""
    for name in ["with spaces", "Unicode-日本-é", b"invalid-\xff\xfe", "-dash", "n" * 251]:
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        shutil.copy(LETTER, path + b".pdf")
        yield Case(f"name {name[:20]!r}", ["convert", path + b".pdf", "-o", path + b".md", *FLAGS], {0})
    evil = folder / "a\x1b]0;owned\x07\x1b[31m\nb\x9b2J‮.pdf"
    shutil.copy(LETTER, evil)
    (folder / "evil").mkdir()
    (folder / "evil" / evil.name).write_bytes(b"%PDF-1.4\nbroken")
    shutil.copy(LETTER, folder / "evil" / "b.pdf")

    def clean(run):
        text = run.err.decode(errors="replace")
        return [f"prints {c!r}" for c in sorted({c for c in text if (ord(c) < 32 and c not in "\n\r\t")
                                                  or 127 <= ord(c) < 160 or c == "‮"})]
    arguments = {"a name of controls": [evil, "-o", folder / "x.md", "--progress", "plain"],
                 "such names in a folder": [folder / "evil", "-o", folder / "evil-out"],
                 "such an output": [LETTER, "-o", str(evil)[:-4] + ".md"],
                 "such an output that cannot be": [LETTER, "-o", str(evil)[:-4] + "/x/.md"],
                 "such an option": [LETTER, "--dpi\x1b[31m", "3"], "such a value": [LETTER, "--lang", "\x1b[31m"],
                 "such a model": [LETTER, "--model", "x\x1b[31m"], "such a command": ["help", "\x1b[31m"],
                 "such a drafts file": [LETTER, "--draft", "replay:\x1b[31m", "--model", "none"]}
    for name, words in arguments.items():
        yield Case(name, words, {0, 1, 2, 3, 4, 5}, check=clean)


def places(folder):
    """Outputs that cannot be where they should."""
    (folder / "file").write_text("x")
    yield Case("output under a file", ["convert", LETTER, "-o", folder / "file/out.md", *FLAGS], {5})
    closed = folder / "closed"
    if mounted("tmpfs", "ro", closed):
        yield Case("read-only folder", ["convert", LETTER, "-o", closed / "out.md", *FLAGS], {5})
        unmount(closed)
    disk = folder / "disk"
    if mounted("tmpfs", "size=4k", disk):
        yield Case("disk full", ["convert", SAMPLES / "report.pdf", "-o", disk / "out.md", *FLAGS], {5})
        unmount(disk)
    for name, closing, source in [("output", ">&-", LETTER), ("input", "<&-", "-")]:
        yield Case(f"standard {name} closed", ["convert", "--model", "none", source], {2, 5},
                   shell='exec "$0" "$@" ' + closing)
    changing, data, rng = folder / "changing.pdf", LETTER.read_bytes(), random.Random(2)

    def rewrite(child):
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            changing.write_bytes(data[:rng.randrange(len(data))])
            changing.write_bytes(data)
    changing.write_bytes(data)
    yield Case("input that changes while read", [changing, "-o", folder / "changing.md", *FLAGS], {0, 2},
               during=rewrite)
    tree = folder / "tree"
    tree.mkdir()
    shutil.copy(LETTER, tree / ("n" * 251 + ".pdf"))
    yield Case("name of 255 bytes in a folder", [tree, "-o", tree, *FLAGS], {0})
    (tree / "link.pdf").symlink_to("nowhere")
    shutil.copy(LETTER, tree / "good.pdf")
    yield Case("link that leads nowhere in a folder", [tree, "-o", folder / "tree-out", *FLAGS], {2})
