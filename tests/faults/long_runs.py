"""Long runs: what a run holds stays flat, and what happens to the machine meanwhile loses nothing.
Each function takes the binary, a folder and a count, and returns a part of the results; wrong: how many claims failed."""
import json
import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import hostile_files as hostile
from case import SAMPLES, mounted, unmount

NONE = ["--model", "none", "-q"]


def held(pid):
    """Memory of a process and its children (MB), open files of the process."""
    def mb(p):
        try:
            fields = dict(line.split(":", 1) for line in Path(f"/proc/{p}/status").read_text().splitlines() if ":" in line)
            return int(fields.get("RssAnon", "0 kB").split()[0]) / 1024
        except (OSError, ValueError):
            return 0
    try:
        return mb(pid), sum(mb(p) for p in descendants(pid)), len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return None


def descendants(pid):
    try:
        children = [int(p) for t in os.listdir(f"/proc/{pid}/task") for p in Path(f"/proc/{pid}/task/{t}/children").read_text().split()]
    except OSError:
        return []
    return children + [p for child in children for p in descendants(child)]


def watched(command, every=1.0, meanwhile=None, environment=None, stdin=subprocess.DEVNULL):
    """Runs it; exit code, seconds, what it held every so often."""
    begin, samples = time.monotonic(), []
    child = subprocess.Popen([str(c) for c in command], stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
    errors = []
    reader = threading.Thread(target=lambda: errors.append(child.stderr.read()))
    reader.start()
    while child.poll() is None:
        if sample := held(child.pid):
            samples.append(sample)
        if meanwhile:
            meanwhile(child)
        time.sleep(every)
    reader.join()
    return {"exit": child.returncode, "seconds": round(time.monotonic() - begin, 1), "samples": samples, "errors": errors[0].decode(errors="replace")[-300:]}


def flat(samples):
    """Memory and open files of the second and of the last quarter of a run."""
    quarter = len(samples) // 4
    if quarter < 3:
        return {"samples": len(samples)}
    parts = {"second quarter": samples[quarter:2 * quarter], "last quarter": samples[-quarter:]}
    return {name: {"mb": round(max(s[0] for s in part)), "mb_of_workers": round(max(s[1] for s in part)), "open_files": max(s[2] for s in part)}
            for name, part in parts.items()}


def grows(figures):
    second, last = figures.get("second quarter"), figures.get("last quarter")
    return [] if not second else [f"{key} grows from {second[key]} to {last[key]}" for key in second
                                  if last[key] > second[key] * 1.25 + (4 if key == "open_files" else 30)]


def left_over(folder):
    return [p.name for p in folder.rglob("*") if p.name.startswith(".docspec-")] + [p.name for p in Path("/tmp").glob("docspec-[a-z]*.tmp")]


def result(claims, **figures):
    wrong = [what for what in claims if what]
    return {**figures, "faults": wrong, "wrong": len(wrong)}


def many_files(binary, folder, count):
    """`count` PDFs of a page, in folders of 500."""
    data = hostile.book(1)
    for i in range(count):
        path = folder / f"in/{i // 500:03}/{i:05}.pdf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    run = watched([binary, folder / "in", "-o", folder / "out", *NONE])
    figures = flat(run["samples"])
    written = sum(1 for _ in (folder / "out").rglob("*.md"))
    return result([run["exit"] != 0 and run["errors"], written != count and f"{written} written", *grows(figures), *left_over(folder / "out")],
                  files=count, seconds=run["seconds"], held=figures)


def many_pages(binary, folder, count):
    (folder / "book.pdf").write_bytes(hostile.book(count))
    run = watched([binary, folder / "book.pdf", "-o", folder / "book.md", *NONE])
    figures = flat(run["samples"])
    pages = (folder / "book.md").read_text().count("a page of a book")
    return result([run["exit"] != 0 and run["errors"], pages != count and f"{pages} pages", *grows(figures), *left_over(folder)],
                  pages=count, seconds=run["seconds"], held=figures)


def repeated(binary, folder, count):
    """A day of one process, in short: the same documents again and again, good ones, broken ones, images."""
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nbroken")
    (folder / "cut.pdf").write_bytes((SAMPLES / "report.pdf").read_bytes()[:9000])
    (folder / "image.png").write_bytes(hostile.png(300, 200))
    paths = [*(SAMPLES / f"{name}.pdf" for name in ("letter", "report", "invoice", "paper")), *sorted(folder.iterdir())]
    with open(folder / "paths", "w+") as file:
        file.writelines(f"{paths[i % len(paths)]}\n" for i in range(count))
        file.seek(0)
        run = watched([binary, "convert", "--files-from", "-", *NONE], stdin=file)
    figures = flat(run["samples"])
    return result([run["exit"] not in (2, 3) and f"exit {run['exit']}: {run['errors']}", *grows(figures), *left_over(folder)],
                  documents=count, kinds=len(paths), seconds=run["seconds"], held=figures)


def workers_killed(binary, folder, count):
    """A process that reads is killed every second: its page is read once more, the document is whole."""
    (folder / "book.pdf").write_bytes(hostile.book(count))
    killed = []

    def kill(child):
        readers = [p for server in descendants(child.pid)[:1] for p in descendants(server)]
        for p in readers[:1]:
            os.kill(p, signal.SIGKILL)
            killed.append(p)
    run = watched([binary, folder / "book.pdf", "-o", folder / "book.md", *NONE], meanwhile=kill)
    pages = (folder / "book.md").read_text().count("a page of a book")
    return result([run["exit"] != 0 and run["errors"], pages != count and f"{pages} pages", not killed and "none was killed"],
                  pages=count, killed=len(killed), seconds=run["seconds"])


def clock_set_back(binary, folder, count):
    """The time of day jumps back by an hour every second; then a run with a clock of 1990."""
    if not (faketime := shutil.which("faketime")):
        return {"left_out": "faketime is not installed", "wrong": 0}
    (folder / "book.pdf").write_bytes(hostile.book(count))
    clock = folder / "clock"
    clock.write_text("+0")
    library = next(Path("/usr/lib").rglob("libfaketime.so.1"))
    jumps = []

    def jump(child):
        jumps.append(1)
        clock.write_text(f"-{len(jumps)}h")
    environment = {"LD_PRELOAD": str(library), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    run = watched([binary, folder / "book.pdf", "-o", folder / "book.md", "--sandbox", "off", *NONE], meanwhile=jump, environment=environment)
    pages = (folder / "book.md").read_text().count("a page of a book")
    old = watched([faketime, "1990-01-01", binary, folder / "book.pdf", "-o", folder / "old.md", "--sandbox", "off", *NONE])
    again = watched([binary, folder / "book.pdf", "-o", folder / "old.md", *NONE])
    return result([run["exit"] != 0 and run["errors"], pages != count and f"{pages} pages", old["exit"] != 0 and old["errors"], again["exit"] != 0 and again["errors"],
                   (folder / "old.md").read_bytes() != (folder / "book.md").read_bytes() and "another text"], jumps=len(jumps), seconds=run["seconds"])


def disk_filled(binary, folder, count):
    """The disk is full for the second run of three; what was written stays, and the third one goes on."""
    disk = folder / "disk"
    if not mounted("tmpfs", "size=3m", disk):
        return {"left_out": "no mount here", "wrong": 0}
    try:
        source = folder / "in"
        source.mkdir()
        for i in range(count):
            (source / f"{i:03}.pdf").write_bytes(hostile.book(20))
        command = [binary, source, "-o", disk / "out", *NONE]
        filler = disk / "filler"
        filler.write_bytes(bytes((3 << 20) - 200_000))
        full = watched(command, every=0.1)
        broken = [p.name for p in (disk / "out").rglob("*.md") if p.read_text().count("a page of a book") != 20]
        filler.unlink()
        freed = watched(command, every=0.1)
        whole = [p for p in (disk / "out").rglob("*.md") if p.read_text().count("a page of a book") == 20]
        return result([full["exit"] not in (5, 3) and f"exit {full['exit']} on a full disk", broken and f"torn: {broken}", freed["exit"] != 0 and freed["errors"],
                       len(whole) != count and f"{len(whole)} whole", *left_over(disk)], files=count, exit_when_full=full["exit"], message=full["errors"][-160:].replace(str(folder), ""))
    finally:
        unmount(disk)


def made_read_only(binary, folder, count):
    """The output folder becomes read-only in the middle of a run, and writable for the next one."""
    source, out, changed = folder / "in", folder / "out", []
    source.mkdir()
    for i in range(count):
        (source / f"{i:03}.pdf").write_bytes(hostile.book(20))

    def immutable(sign):
        return subprocess.run(["chattr", sign, out, out / ".docspec"], capture_output=True).returncode == 0

    (out / ".docspec").mkdir(parents=True)
    if not immutable("-i"):
        return {"left_out": "no chattr here", "wrong": 0}

    def close(child):
        if not changed and list(out.glob("*.md")) and immutable("+i"):
            changed.append(1)

    def whole():
        return sum(p.read_text().count("a page of a book") == 20 for p in out.glob("*.md"))
    command = [binary, source, "-o", out, *NONE]
    try:
        first = watched(command, every=0.02, meanwhile=close)
    finally:
        immutable("-i")
    written, kept = len(list(out.glob("*.md"))), whole()
    second = watched(command, every=0.1)
    return result([not changed and "never became read-only", changed and first["exit"] not in (5, 3) and f"exit {first['exit']} when read-only", kept != written and f"{written - kept} torn",
                   second["exit"] != 0 and second["errors"], whole() != count and f"{whole()} whole", *left_over(out)],
                  files=count, exit_when_read_only=first["exit"], written_before=kept)


def two_on_one_folder(binary, folder, count):
    """Two processes convert the same folder to the same place at the same time."""
    source = folder / "in"
    source.mkdir()
    for i in range(count):
        (source / f"{i:03}.pdf").write_bytes(hostile.book(5))
    command = [binary, source, "-o", folder / "out", *NONE]
    other = {}
    thread = threading.Thread(target=lambda: other.update(watched(command, every=0.1)))
    thread.start()
    one = watched(command, every=0.1)
    thread.join()
    whole = [p for p in (folder / "out").rglob("*.md") if p.read_text().count("a page of a book") == 5]
    third = watched(command, every=0.1)
    return result([one["exit"] != 0 and one["errors"], other["exit"] != 0 and other["errors"], len(whole) != count and f"{len(whole)} whole", third["exit"] != 0 and third["errors"],
                   *left_over(folder / "out")], files=count, exits=[one["exit"], other["exit"]])


LONG_RUNS = {"many files": (many_files, 10_000), "many pages": (many_pages, 5_000), "repeated": (repeated, 10_000), "workers killed": (workers_killed, 2_000), "clock set back": (clock_set_back, 1_000),
             "disk filled": (disk_filled, 120), "made read-only": (made_read_only, 300), "two on one folder": (two_on_one_folder, 300)}


def long_run(name, binary, folder, share):
    """`share` of its usual count."""
    run, count = LONG_RUNS[name]
    return run(binary, folder, max(100, int(count * share)))
