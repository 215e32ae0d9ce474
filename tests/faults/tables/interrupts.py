"""Runs that a signal stops: what is written, what is said, and how soon."""
import json
import os
import signal
import time

import hostile_files as hostile
from case import LETTER, ROOT, Case

PAGES = 300


def after(pattern, what, folder=None):
    """Sends `what` once the run has written a journal line, or after a while."""
    def during(child):
        until = time.monotonic() + 60
        while time.monotonic() < until and os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if pattern() if callable(pattern) else time.monotonic() > until - 60 + pattern:
                break
            time.sleep(0.02)
        try:
            os.kill(child.pid, what)
        except ProcessLookupError:
            pass
    return during


def cases(folder):
    book = folder / "book.pdf"
    book.write_bytes(hostile.book(PAGES))
    none = ["--model", "none", "--jobs", "1"]

    def marked(name):
        def check(run):
            path = folder / name
            text = path.read_text() if path.exists() else run.out.decode() if name == "-" else ""
            if run.code != 130:
                return []  # it was done before the signal
            return [] if not text or "interrupted" in text else ["a part stands as the whole"]
        return check

    for number, (what, name) in enumerate([(signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM"), (signal.SIGHUP, "SIGHUP")]):
        for form in ("md", "json", "html"):
            out = f"{number}-{form}.{form}"
            journal = folder / f".docspec/{number}-{form}.json"
            begun = lambda journal=journal: journal.exists() and journal.stat().st_size > 2000  # noqa: E731
            codes = {0, 130} if name != "SIGHUP" else {0, 129, 130}
            yield Case(f"{name}, a new {form} file", [book, "-o", folder / out, *none], codes, during=after(begun, what),
                       check=marked(out))
        yield Case(f"{name}, standard output", [book, *none], {0, 130, 128 + what} if name != "SIGHUP" else {0, 129, 130},
                   during=after(1.0, what), check=marked("-"))

    def going_on(run):
        text = (folder / "0-md.md").read_text()
        return [] if text.count("page of a book") == PAGES and "interrupted" not in text else ["not the whole document"]
    yield Case("the same command goes on", [book, "-o", folder / "0-md.md", *none], {0}, check=going_on)

    def json_says(run):
        path = folder / "j.json"
        if run.code != 130 or not path.exists():
            return []
        pages = json.loads(path.read_text())["pages"]
        return [] if any("interrupted" in str(page.get("error", page)) for page in pages) else ["its JSON does not say so"]
    journal = folder / ".docspec/j.json"
    yield Case("JSON of an interrupted run", [book, "-o", folder / "j.json", *none], {0, 130},
               during=after(lambda: journal.exists() and journal.stat().st_size > 2000, signal.SIGTERM), check=json_says)
    for name, seconds in (("at once", 0.1), ("early", 0.6), ("while a model reads", 2.0)):
        yield Case(f"SIGINT {name}", [LETTER, "--model", "builtin", "-o", folder / "m.md"], {0, 130, 128 + signal.SIGINT},
                   during=after(seconds, signal.SIGINT), check=marked("m.md"))
    sparse = folder / "model"
    sparse.mkdir()
    for path in (ROOT / "share/models/mini").iterdir():
        if path.is_file():
            (sparse / path.name).symlink_to(path)
    with open(sparse / "extra.bin", "wb") as file:
        file.truncate(1 << 40)
    yield Case("SIGINT while model info reads 1 TB", ["model", "info", sparse], {130}, during=after(2.0, signal.SIGINT),
               cpu_seconds=60)
    yield from elsewhere(folder, book)


def elsewhere(folder, book):
    """Signals to other commands and at other moments: the run ends soon, and what it was writing is whole or absent."""
    many = folder / "many"
    many.mkdir()
    for i in range(60):
        (many / f"{i:02}.pdf").write_bytes(hostile.book(3))

    def whole_files(out):
        def check(run):
            left = [p.name for p in out.rglob("*") if p.name.startswith(".docspec-")] if out.exists() else []
            torn = [p.name for p in out.glob("*.md") if p.read_text().count("page of a book") != 3 and "interrupted" not in p.read_text()]
            return [f"left over: {left}"] * bool(left) + [f"torn: {torn}"] * bool(torn)
        return check

    fast = {"doctor": ["doctor"], "draft": ["draft", book], "model info": ["model", "info", "builtin"], "help": ["help", "convert"]}
    for what in (signal.SIGINT, signal.SIGTERM):
        for name, words in fast.items():
            yield Case(f"{what.name} to {name}", words, {0, 4, 130, 128 + what}, during=after(0.15, what))
        for seconds in (0.05, 0.3, 0.8):
            out = folder / f"many-{what.name}-{seconds}"
            yield Case(f"{what.name} to a folder run after {seconds} s", [many, "-o", out, "--model", "none"], {0, 130, 128 + what},
                       during=after(seconds, what), check=whole_files(out))
        out = folder / f"many-model-{what.name}"
        yield Case(f"{what.name} to a folder run with a model", [many, "-o", out, "--model", "builtin", "--max-new-tokens", "16"], {130}, during=after(4.0, what),
                   check=whole_files(out), cpu_seconds=60)
    for what in (signal.SIGUSR1, signal.SIGPIPE, signal.SIGWINCH, signal.SIGCONT, signal.SIGTSTP):
        out = folder / f"many-{what.name}"

        def during(child, what=what):
            after(0.3, what)(child)
            if what == signal.SIGTSTP:
                time.sleep(1)
                os.kill(child.pid, signal.SIGCONT)
        yield Case(f"{what.name} to a folder run", [many, "-o", out, "--model", "none"], {0, 128 + what}, during=during, check=whole_files(out))

    def twice(child):
        after(0.5, signal.SIGINT)(child)
        after(0.1, signal.SIGINT)(child)
    yield Case("SIGINT twice", [book, "-o", folder / "twice.md", "--model", "none", "--jobs", "1"], {0, 130}, during=twice)
    # The processes that read are not docspec's parent's to signal: a terminal's Ctrl-C reaches all of them.
    yield Case("SIGINT to the whole group", [book, "-o", folder / "group.md", "--model", "none", "--jobs", "1"], {0, 130},
               during=lambda child: (time.sleep(0.6), os.killpg(child.pid, signal.SIGINT)))
