"""Bad rows of a manifest, a bad bucket, a full disk, a machine that ends: what becomes of each input."""

import json
import os
import subprocess
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import documents
from common import counted, end, fresh, rows_of, start

NONE = ["--model", "none"]


class BadBucket(BaseHTTPRequestHandler):
    """An object store of one document under names that say what is wrong."""
    content = b""
    asked: Counter = Counter()

    def log_message(self, *words):
        pass

    def answer(self, code, length=0):
        self.send_response(code)
        self.send_header("Content-Length", str(length))
        self.send_header("Last-Modified", "Wed, 25 Nov 2026 00:00:00 GMT")
        self.send_header("ETag", '"1"')
        self.end_headers()

    def do_HEAD(self):
        name = Path(self.path).stem
        size = 5 * 2**30 if name == "enormous" else len(self.content)
        self.answer(404 if name == "missing" else 200, size)

    def do_GET(self):
        name = Path(self.path).stem
        self.asked[name] += 1
        if name == "slow":
            time.sleep(5)
        if name == "down" or (name == "throttled" and self.asked[name] <= 2):
            return self.answer(503)
        self.answer(206, len(self.content) + 1000 * (name == "lying"))
        try:
            self.wfile.write(self.content)
        except BrokenPipeError:
            pass
        self.close_connection = name == "lying"


def bad_rows(work: Path, notes: list[Path]):
    """A manifest of good and bad inputs -> the status and the message of each."""
    BadBucket.content = notes[0].read_bytes()
    server = ThreadingHTTPServer(("127.0.0.1", 5600), BadBucket)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    (work / "empty.pdf").write_bytes(b"")
    (work / "noise.pdf").write_bytes(b"%PDF-1.7\n" + os.urandom(4000))
    bucket = [f"s3://bad/{name}.pdf?endpoint_override=127.0.0.1:5600&scheme=http"
              for name in ("good", "slow", "throttled", "down", "lying", "missing", "enormous")]
    uris = [*bucket, str(notes[1]), str(notes[1]), "", "  ", str(work / "none.pdf"), str(work), str(work / "empty.pdf"),
            str(work / "noise.pdf"), "nonsense://host/x.pdf", str(notes[2])]
    manifest = work / "manifest.jsonl"
    manifest.write_text("".join(json.dumps({"uri": uri}) + "\n" for uri in uris))
    out = fresh(work / "bad-out")
    process = start(str(manifest), str(out), "--workers", "1", "--batch", "4", options=NONE)
    process.communicate()
    again = start(str(manifest), str(out), "--workers", "1", "--batch", "4", options=NONE)
    again.communicate()
    server.shutdown()
    return {"exit": process.returncode, "exit of a second run": again.returncode, **counted(str(out)),
            "each": {Path(row["uri"].partition("?")[0]).name: f"{row['status']} {row['message'] or ''}"[:150].strip()
                     for row in rows_of(str(out))}}


def full_disk(work: Path, folder: Path):
    """OUT on a disk of 100 kB, which then gets larger."""
    out = fresh(work / "small-disk")
    out.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100k", "none", out], check=True)
    try:
        codes = []
        for size in ("100k", "50m"):
            subprocess.run(["mount", "-o", f"remount,size={size}", out], check=True)
            process = start(str(folder), str(out / "rows"), "--workers", "1", "--rows-per-file", "16", options=NONE)
            process.communicate()
            codes.append(process.returncode)
        return {"exits": codes, **counted(str(out / "rows"))}
    finally:
        subprocess.run(["umount", "--lazy", out], check=True)


def machine_ends(work: Path, folder: Path):
    """Ray, its head and all workers are killed as soon as some rows are there; then the same command again."""
    out = fresh(work / "ended-out")
    process = start(str(folder), str(out), "--workers", "1", "--rows-per-file", "16", options=NONE)
    while process.poll() is None and len([*out.rglob("*.parquet")]) < 3:
        time.sleep(0.1)
    end(process)
    before = len([*out.rglob("*.parquet")])
    process = start(str(folder), str(out), "--workers", "1", "--rows-per-file", "16", options=NONE)
    process.communicate()
    return {"files when it ended": before, "exit": process.returncode, **counted(str(out))}


def run(work: Path):
    folder = work / "notes-120"
    notes = documents.notes(folder, 120)
    return {"bad rows": bad_rows(work, notes), "full disk": full_disk(work, folder), "the machine ends": machine_ends(work, folder)}
