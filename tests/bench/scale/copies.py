"""A folder of which most files are copies of others: how long a run takes, and how long the next one, which finds all
rows there."""

import json
import os
import shutil
import time
from pathlib import Path

import documents
from common import rows_of, start


def timed(source, out, *words, **options):
    began = time.monotonic()
    process = start(str(source), str(out), *words, **options)
    summary = json.loads(process.communicate()[0] or "{}")
    return time.monotonic() - began, process.returncode, summary


def run(work: Path, count: int, originals: int):
    folder, notes, out = work / f"copies-{count}", work / f"notes-{originals}", work / "copies-out"
    files = documents.notes(notes, originals)
    if not folder.exists():
        folder.mkdir()
        for number in range(count):
            os.link(files[number % originals], folder / f"copy-{number:06}.pdf")
    shutil.rmtree(out, ignore_errors=True)
    words = ["--workers", "2", "--batch", "256", "--rows-per-file", "10000"]
    first, code, summary = timed(folder, out, *words, options=["--model", "none"])
    for number in range(10):  # new ones among them
        os.link(files[number], folder / f"new-{number:06}.pdf")
    again, code_again, _ = timed(folder, out, *words, options=["--model", "none"])
    for number in range(10):
        (folder / f"new-{number:06}.pdf").unlink()
    last, code_last, after = timed(folder, out, *words, options=["--model", "none"])
    rows = rows_of(str(out))
    return {"rows": count, "originals": originals, "exits": [code, code_again, code_last], "first run, seconds": round(first, 1),
            "documents": summary.get("documents"), "resume with 10 new inputs, seconds": round(again, 1),
            "resume with nothing to do, seconds": round(last, 1), "ms a row": round(last / count * 1000, 3),
            "rows afterwards": len(rows), "inputs in rows": len({row["uri"] for row in rows}),
            "programs that converted": len({row["worker"] for row in rows})}
