"""What a reader of docspec's files makes of them: cmark-gfm of Markdown, Chromium of HTML.

tests/faults/render.py FILE: prints what in FILE.md or FILE.html is code, loads or leads elsewhere; exit 1 where anything does."""
import ctypes
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

EXTENSIONS = (b"table", b"strikethrough", b"autolink")
UNSAFE, FOOTNOTES = 1 << 17, 1 << 13
OF_MARKDOWN = set("p h1 h2 h3 h4 h5 h6 ul ol li em strong code pre table thead tbody tr th td a br hr sup section input del blockquote".split())
OF_MODELS = OF_MARKDOWN | set("img b i s u ins sub".split())  # formatting, and images that lie next to the document
HARMLESS = ("http://", "https://", "mailto:", "#")


@dataclass
class Seen:
    """Elements that no text may become, and the text."""
    faults: list = field(default_factory=list)
    links: list = field(default_factory=list)
    text: str = ""


class Reader(HTMLParser):
    def __init__(self, allowed):
        super().__init__(convert_charrefs=True)
        self.allowed, self.seen, self.own = allowed, Seen(), 0

    def handle_starttag(self, tag, attributes):
        if self.allowed and tag not in self.allowed:
            self.seen.faults.append(f"element {tag} {attributes}")
        if tag in ("script", "style"):
            self.own += 1
        for name, value in attributes:
            if name.startswith("on") or name in ("srcdoc", "formaction", "ping", "background"):
                self.seen.faults.append(f"{tag} has {name}={value}")
            if name in ("src", "data", "srcset", "poster") and re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:|//", value or "") and not value.startswith("data:image/"):
                self.seen.faults.append(f"{tag} loads {value}")
            if name == "href":
                self.seen.links.append(value)
                picture = tag == "image" and (value or "").startswith("data:image/")
                if not picture and not (value or "").startswith(HARMLESS):
                    self.seen.faults.append(f"{tag} leads to {value}")

    def handle_comment(self, data):
        if self.allowed:
            self.seen.faults.append(f"comment {data!r}")

    def handle_data(self, data):
        if self.cdata_elem is None:
            self.seen.text += data


def read_markup(text, allowed):
    reader = Reader(allowed)
    reader.feed(text)
    reader.close()
    return reader.seen


def markup_of_markdown(text, allowed=OF_MARKDOWN):
    """Rendered with raw HTML let through, as most viewers do."""
    core, more = ctypes.CDLL("libcmark-gfm.so.0.29.0.gfm.6"), ctypes.CDLL("libcmark-gfm-extensions.so.0.29.0.gfm.6")
    for name in ("cmark_parser_new", "cmark_find_syntax_extension", "cmark_parser_finish", "cmark_render_html", "cmark_parser_get_syntax_extensions"):
        getattr(core, name).restype = ctypes.c_void_p
    more.cmark_gfm_core_extensions_ensure_registered()
    parser = ctypes.c_void_p(core.cmark_parser_new(UNSAFE | FOOTNOTES))
    for name in EXTENSIONS:
        core.cmark_parser_attach_syntax_extension(parser, ctypes.c_void_p(core.cmark_find_syntax_extension(name)))
    data = text.encode(errors="surrogateescape")
    core.cmark_parser_feed(parser, data, ctypes.c_size_t(len(data)))
    root = ctypes.c_void_p(core.cmark_parser_finish(parser))
    out = core.cmark_render_html(root, UNSAFE | FOOTNOTES, ctypes.c_void_p(core.cmark_parser_get_syntax_extensions(parser)))
    return read_markup(ctypes.string_at(out).decode(), allowed)


class Browser:
    """Chromium, and a server that counts what is fetched from the address in the strings."""

    def __init__(self, program, folder):
        self.program, self.folder, self.fetched = program, Path(folder), []
        fetched = self.fetched

        class Counts(BaseHTTPRequestHandler):
            def do_GET(self):
                fetched.append(self.path)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass
        self.server = HTTPServer(("127.0.0.1", 0), Counts)
        self.address = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def find(folder):
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        return Browser(program, folder) if program else None

    def open(self, path):
        """What the page is after its scripts, the paths that it fetched, its title. The strings' address is the server's."""
        page = self.folder / "opened.html"
        page.write_bytes(path.read_bytes().replace(b"127.0.0.1:9/", self.address.encode() + b"/"))
        self.fetched.clear()
        run = subprocess.run([self.program, "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,20000",
                              f"--user-data-dir={self.folder / 'profile'}", "--virtual-time-budget=5000", "--dump-dom", f"file://{page}"],
                             capture_output=True, timeout=120)
        text = run.stdout.decode(errors="replace").replace(self.address, "127.0.0.1:9")
        seen = read_markup(text, None)
        title = text[text.find("<title>") + 7:text.find("</title>")]
        if "</html>" not in text:
            seen.faults.append("Chromium shows nothing")
        return seen, list(self.fetched), title

    def open_careless(self, strings):
        """The strings as they are, without a policy: a test that sees nothing here would see nothing anywhere."""
        page = self.folder / "careless.html"
        page.write_text("<title>x</title>" + "\n".join(s for s in strings if "plaintext" not in s and "<!--" not in s and "refresh" not in s))
        seen, fetched, title = self.open(page)
        wrong = [] if fetched else ["nothing was fetched"]
        return wrong + ([] if title == "owned" else ["nothing was executed"]) + ([] if seen.faults else ["no element was seen"])


def main(path):
    if path.suffix == ".md":
        faults = markup_of_markdown(path.read_text(), OF_MODELS).faults
    else:
        with tempfile.TemporaryDirectory() as folder:
            browser = Browser.find(folder)
            if not browser:
                return 0  # the HTML tests say that they need it
            seen, fetched, title = browser.open(path)
        faults = seen.faults + [f"fetched {path}" for path in fetched] + ["a string set the title"] * (title == "owned")
    print("\n".join(faults))
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
