"""What the benches of docspec.ray share: a local S3 server, runs, and what their rows are compared with."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pyarrow.dataset

ROOT = Path(__file__).resolve().parents[3]
DOCSPEC = os.environ.get("DOCSPEC", str(ROOT / "build/release/bin/docspec"))
ENVIRONMENT = {**os.environ, "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "us-east-1",
               "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0", "DOCSPEC": DOCSPEC,
               "PYTHONPATH": str(ROOT / "packaging/python")}


class Bucket:
    """moto's server with the files of a folder in the bucket "papers"."""

    def __init__(self, folder, port=5599):
        self.where = f"127.0.0.1:{port}"
        self.server = subprocess.Popen([Path(sys.executable).with_name("moto_server"), "-H", "127.0.0.1", "-p", str(port)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        import boto3
        from botocore.config import Config
        store = boto3.client("s3", endpoint_url=f"http://{self.where}", region_name="us-east-1", aws_access_key_id="x",
                             aws_secret_access_key="x", config=Config(retries={"max_attempts": 12, "mode": "standard"}))
        store.create_bucket(Bucket="papers")
        for file in sorted(folder.iterdir()):
            store.upload_file(str(file), "papers", f"in/{file.name}")

    def uri(self, name):
        return f"s3://papers/{name}?endpoint_override={self.where}&scheme=http"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.server.kill()
        self.server.wait()


def start(source, out, *words, options=(), **environment):
    """docspec.ray as a process, a group of its own."""
    return subprocess.Popen([sys.executable, "-m", "docspec.ray", source, out, *words, "--", *options],
                            env=ENVIRONMENT | environment, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)


def rows_of(out):
    files, path = pyarrow.fs.FileSystem.from_uri(out if "://" in out else os.path.abspath(out))
    return pyarrow.dataset.dataset(path, filesystem=files, partitioning="hive").to_table().to_pylist()


def counted(out):
    rows = rows_of(out)
    return {"rows": len(rows), "inputs": len({row["uri"] for row in rows}), "by status": dict(Counter(row["status"] for row in rows))}


def fresh(path: Path) -> Path:
    subprocess.run(["rm", "-rf", path], check=True)
    return path


def without_timings(text):
    """A document's JSON without what is another with each run: where it was read from, times and counts of passes."""
    document = json.loads(text)
    document["source"].pop("file")
    document.pop("stats")
    for page in document["pages"]:
        page.pop("timings")
    return json.dumps(document, ensure_ascii=False)


def differences(rows, folder):
    """Names of the rows that are not what `docspec convert` has written into the folder."""
    def same(row):
        stem = Path(row["uri"].partition("?")[0]).stem
        return (row["markdown"] == (folder / f"{stem}.md").read_text()
                and without_timings(row["json"]) == without_timings((folder / f"{stem}.json").read_text()))
    return [row["uri"] for row in rows if not same(row)]


def children(pid, deep=True):
    """Processes below one, with their command lines."""
    found, wanted = {}, [pid]
    while wanted:
        for task in Path(f"/proc/{wanted.pop()}/task").glob("*/children"):
            try:
                for child in task.read_text().split():
                    found[int(child)] = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                    wanted += [int(child)] * deep
            except OSError:
                continue
    return found


def resident_mb(pid):
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
    except (OSError, IndexError):
        return 0


def end(process):
    """Ends a run as a machine's failure does."""
    below = children(process.pid)
    for pid in [process.pid, *below]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def machine():
    name = next(line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name"))
    return f"{os.cpu_count()} cores of {name}, Linux {os.uname().release.split('-')[0]}"


def keep(results, name, part):
    """Writes a part of the results file, with the commit and the machine that gave it."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    all_parts = json.loads(results.read_text()) if results.exists() else {}
    head = {"commit": commit.stdout.strip(), "command": "tests/bench/scale/run --work DIR " + name}
    part = {**head, "machine": machine(), "load": round(os.getloadavg()[0], 1), "when": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), **part}
    all_parts = {**head, **{k: v for k, v in all_parts.items() if k not in head}, name: part}
    all_parts["command"] = "tests/bench/scale/run --work DIR PART"
    results.write_text("{\n" + ",\n".join(f" {json.dumps(k)}: {json.dumps(v)}" for k, v in all_parts.items()) + "\n}\n")
    print(json.dumps(part, indent=1))
