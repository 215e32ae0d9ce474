"""Many documents from a bucket into a bucket by two workers, one of which is killed again and again."""

import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import documents
from common import DOCSPEC, Bucket, children, differences, resident_mb, rows_of, start


def workers(process):
    return [pid for pid, line in children(process.pid).items() if line.startswith("ray::MapWorker")]


def programs(process):
    """docspec itself, without the processes that it makes."""
    below = [set(children(worker, deep=False)) for worker in workers(process)]
    return set().union(*below)


def run(work: Path, count: int, kills: int, pause: float, model: str):
    folder, plain = work / f"notes-{count}", work / f"plain-{count}-{model}"
    documents.notes(folder, count)
    if not plain.exists():
        began = time.monotonic()
        subprocess.run([DOCSPEC, "convert", folder, "-o", plain, "--to", "md,json", "--model", model, "--quiet"], check=True)
        print("docspec convert:", time.monotonic() - began, "s", flush=True)
    with Bucket(folder) as bucket:
        began = time.monotonic()
        out = bucket.uri("out")
        process = start(bucket.uri("in"), out, "--workers", "2", "--rows-per-file", "64", options=["--model", model])
        killed, memory, seen = 0, {}, set()
        due = time.monotonic() + 30  # Ray's own start
        while process.poll() is None:
            time.sleep(0.5)
            seen.update(programs(process))
            for pid in workers(process):
                memory.setdefault(pid, []).append(sum(resident_mb(one) for one in [pid, *children(pid)]))
            if killed < kills and time.monotonic() > due and (alive := workers(process)):
                os.kill(random.choice(alive), signal.SIGKILL)
                killed += 1
                due = time.monotonic() + pause
        seconds = time.monotonic() - began
        summary = json.loads(process.stdout.read() or "{}")
        rows = rows_of(out)
    longest = max(memory.values(), key=len)
    quarter = max(1, len(longest) // 4)
    return {"documents": count, "model": model, "killed": killed, "exit": process.returncode, "seconds": round(seconds, 1),
            "rows": len(rows), "inputs": len({row["uri"] for row in rows}), "ok": summary.get("documents", {}).get("ok"),
            "differ from docspec convert": len(differences(rows, plain)),
            "programs that were started, hence loads": len(seen), "programs in rows": len({row["worker"] for row in rows}),
            "worker lives": 2 + killed,
            "memory of the worker that lived longest, Ray's process and docspec's, in MB, by quarters of its life":
                [round(max(longest[at:at + quarter])) for at in range(0, quarter * 4, quarter)],
            "seconds of that life": len(longest) // 2}
