"""From a bucket into a bucket of Google's protocol, by Google's own test server (github.com/googleapis/storage-testbench)."""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import documents
import pyarrow.fs
from common import counted, start

PORT = 9024
QUERY = f"?endpoint_override=127.0.0.1:{PORT}&scheme=http&retry_limit_seconds=5"


def make_bucket():
    body = json.dumps({"name": "papers"}).encode()
    ask = urllib.request.Request(f"http://127.0.0.1:{PORT}/storage/v1/b?project=docspec", data=body,
                                 headers={"content-type": "application/json"})
    for _ in range(60):
        try:
            return urllib.request.urlopen(ask).read()
        except urllib.error.URLError:  # it is not up yet
            time.sleep(0.5)
    raise RuntimeError("Google's test server does not answer")


def run(work: Path, count: int):
    folder = work / f"notes-{count}"
    notes = documents.notes(folder, count)
    server = subprocess.Popen([Path(sys.executable).with_name("gunicorn"), "--bind", f"127.0.0.1:{PORT}", "--worker-class",
                               "gthread", "--threads", "10", "testbench:run()"], stderr=subprocess.DEVNULL)
    try:
        make_bucket()
        root = "gs://anonymous@papers"
        store, path = pyarrow.fs.FileSystem.from_uri(f"{root}/in{QUERY}")
        for note in notes:
            with store.open_output_stream(f"{path}/{note.name}") as out:
                out.write(note.read_bytes())
        manifest = work / "google.txt"
        manifest.write_text(f"{root}/in/none.pdf{QUERY}\ngs://anonymous@none/in/none.pdf{QUERY}\n")
        codes = []
        for source in (f"{root}/in{QUERY}", f"{root}/in{QUERY}", str(manifest)):
            process = start(source, f"{root}/out{QUERY}", "--workers", "2", options=["--model", "none"])
            process.communicate()
            codes.append(process.returncode)
        return {"documents": count, "exits of a run, the same run again, a manifest of what is not there": codes,
                **counted(f"{root}/out{QUERY}")}
    finally:
        server.kill()
        server.wait()
