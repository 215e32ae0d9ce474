"""Scanned pages by the built-in model: each worker drafts for itself, or drafters draft for it. What the simulation says
of both runs, from times of drafting and decoding that were measured without Ray."""

import importlib.machinery
import importlib.util
import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import documents
import pyarrow.parquet
from common import DOCSPEC, ROOT, fresh, rows_of, start

loader = importlib.machinery.SourceFileLoader("scale_model", str(ROOT / "tests/bench/scale_model"))
scale_model = importlib.util.module_from_spec(importlib.util.spec_from_loader("scale_model", loader))
loader.exec_module(scale_model)

ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1"}  # as Ray has it for what asks for one processor
MODEL = ["--model", "builtin"]
BATCH = 4


def scans(work: Path, count: int) -> Path:
    folder, notes = work / f"scans-{count}", work / f"stage-notes-{count}"
    if not folder.exists():
        folder.mkdir()
        for file in documents.make(notes, count):
            subprocess.run(["pdftoppm", "-r", "150", "-gray", "-png", "-singlefile", file, folder / file.stem], check=True)
    return folder


def draft(file: Path, drafts: Path) -> float:
    began = time.monotonic()
    sha256 = subprocess.run(["sha256sum", file], capture_output=True, text=True, check=True).stdout.split()[0]
    subprocess.run([DOCSPEC, "draft", file, "-o", drafts / f"{sha256}.json", "--jobs", "1", "--quiet"], check=True,
                   env=ONE_THREAD)
    return time.monotonic() - began


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def convert(files: list[Path], *options: object) -> tuple[float, list[float]]:
    """Seconds until a program has its model, and those between its lines."""
    command = [DOCSPEC, "convert", "--files-from", "-", "--to", "md", "--jobs", "1", "--quiet", *MODEL, *options]
    began = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ONE_THREAD)
    process.stdin.write("".join(f"{file}\n" for file in files))
    process.stdin.close()
    times = [began]
    for _ in process.stdout:
        times.append(time.monotonic())
    first, *others = [b - a for a, b in zip(times, times[1:])]
    return max(0.0, first - mean(others)), others


def phases(files: list[Path], drafts: Path) -> dict[str, list[float]]:
    """By two processes at a time, as in the runs: both stages, and one that drafts beside one that decodes."""
    drafts.mkdir(exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        both = [*pool.map(convert, (files[0::2], files[1::2]))]
        for file in files:
            draft(file, drafts)
        decoding = pool.submit(convert, files, "--draft", f"replay:{drafts}")
        drafting = pool.submit(lambda: [draft(file, drafts.parent) for file in files])
        start, decode = decoding.result()
        return {"both": both[0][1] + both[1][1], "start of both": [both[0][0], both[1][0]], "decode": decode,
                "start of decode": [start], "draft": drafting.result()}


def ray_run(source: Path, out: Path, *words: str):
    """A run, its rows, and the seconds until Ray had its processes: its first file less what that batch took."""
    fresh(out)
    process = start(str(source), str(out), "--batch", str(BATCH), "--rows-per-file", str(BATCH), *words, options=MODEL)
    summary = json.loads(process.communicate()[0].splitlines()[-1])
    began = time.time() - summary["seconds"]
    first = min(out.rglob("*.parquet"), key=lambda file: file.stat().st_mtime)
    batch = sum(row["seconds"] + (row["draft_seconds"] or 0) for row in pyarrow.parquet.read_table(first).to_pylist())
    return summary["seconds"], rows_of(str(out)), max(0.0, first.stat().st_mtime - began - batch)


def run(work: Path, count: int):
    folder = scans(work, count)
    files = sorted(folder.iterdir())
    result = {"pages": count, "load before": round(os.getloadavg()[0], 1)}
    ways = {"one stage, 2 workers": ("--workers", "2"), "two stages, 1 drafter, 1 worker": ("--workers", "1", "--drafters", "1")}
    measured = phases(files[: count // 4], work / "phase-drafts")
    texts, runs = [], {}
    for name, words in ways.items():
        seconds, rows, ready = ray_run(folder, work / "stage-out", *words)
        texts.append({row["uri"]: row["markdown"] for row in rows})
        runs[name] = {"ready": ready, "seconds": seconds, "decode": [row["seconds"] for row in rows],
                      "draft": [row["draft_seconds"] or 0 for row in rows]}
        result[name] = {"ok": sum(row["status"] == "ok" for row in rows), "seconds": seconds, "until Ray is ready": round(ready, 1),
                        "pages a second": round(count / seconds, 3), "load after": round(os.getloadavg()[0], 1)}
    for name, times in phases(files[count // 4: count // 2], work / "phase-drafts").items():
        measured[name] += times  # before the runs and after them: the machine is never quiet
    result["seconds a page, without Ray"] = {name: round(mean(times), 3) for name, times in measured.items()}
    one = runs["one stage, 2 workers"]
    overhead = max(0.0, 2 * (one["seconds"] - one["ready"]) - sum(one["decode"])) / (count / BATCH)
    result["Ray's seconds for a batch, from the run of one stage"] = round(overhead, 3)
    for name, this in runs.items():
        two = "--drafters" in ways[name]

        def simulated(decode, drafting, start=0.0):
            plan = scale_model.Plan(count, 1 if two else 2, int(two), decode, drafting, batch=BATCH, ready=this["ready"],
                                    overhead=overhead, start=start)
            answer = scale_model.Run(plan).result()
            return {**answer, "off by": round(answer["seconds"] / this["seconds"] - 1, 3)}
        reading = "decode" if two else "both"
        result[name]["simulated from times without Ray"] = simulated(measured[reading], measured["draft"],
                                                                     mean(measured["start of " + reading]))
        result[name]["simulated from this run's times"] = simulated(this["decode"], this["draft"])
    result["pages whose text is the same"] = sum(texts[1].get(uri) == text for uri, text in texts[0].items())
    return result
