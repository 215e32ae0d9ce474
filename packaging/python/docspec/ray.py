"""Many documents through Ray Data, on one machine or a cluster (PyPI: ray[data]).

    python -m docspec.ray SOURCE OUT [options] [-- options of docspec]

SOURCE is a folder or a prefix of an object store (s3://bucket/papers, gs://...), or a manifest of
paths and URIs: .parquet, .csv or .jsonl with a column "uri", .txt with one a line. Each worker is one
docspec with its model loaded once; a document goes to the next worker that is free. OUT, a folder or
a prefix too, gets one row for each input, as Parquet that is written while the run goes on:
OUT/status=ok, status=partial (a page is not ok) and status=failed, with the reason.

Run it again to go on after any end: inputs whose bytes and options have a row are not converted again.
The exit code is that of docspec for a folder: 2 where an input failed, else 3 where a page is not ok.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, OrderedDict
from pathlib import Path, PurePosixPath
from typing import Any, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet as pq

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # docspec tells nobody what it is used for
import ray  # noqa: E402

SUFFIXES = {".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp"}
SCHEMA = pa.schema([("uri", pa.string()), ("key", pa.binary(16)), ("sha256", pa.string()), ("code", pa.int32()),
                    ("message", pa.string()), ("pages_ok", pa.int32()), ("pages_fallback", pa.int32()),
                    ("pages_failed", pa.int32()), ("markdown", pa.string()), ("json", pa.string()),
                    ("seconds", pa.float64()), ("status", pa.string())])


def file_system(uri: str) -> tuple[pa.fs.FileSystem, str]:
    """The file system of a URI or local path, and the path in it."""
    return pa.fs.FileSystem.from_uri(uri if "://" in uri else os.path.abspath(uri))


def inputs_of(source: str) -> list[str]:
    """What SOURCE names, each once, in order."""
    files, path = file_system(source)
    suffix = PurePosixPath(path).suffix
    if suffix == ".txt":
        named = files.open_input_stream(path).read().decode().splitlines()
    elif suffix in (".parquet", ".csv", ".jsonl"):
        form = "json" if suffix == ".jsonl" else suffix[1:]
        named = pa.dataset.dataset(path, filesystem=files, format=form).to_table(columns=["uri"])["uri"].to_pylist()
    elif suffix in SUFFIXES:
        named = [source]
    else:
        found = files.get_file_info(pa.fs.FileSelector(path, recursive=True))
        scheme, query = source.partition("://")[0] + "://" if "://" in source else "", source.partition("?")[1:]
        named = [scheme + file.path + "".join(query) for file in sorted(found, key=lambda f: f.path)
                 if file.is_file and PurePosixPath(file.path).suffix.lower() in SUFFIXES]
    return list(dict.fromkeys(uri.strip() for uri in named if uri and uri.strip()))


def key_of(uri: str, sha256: str, options: list[str]) -> bytes:
    """What a row stands for: this input, these bytes, these options."""
    return hashlib.sha256(json.dumps([uri, sha256, options]).encode()).digest()[:16]


def finished_keys(out: str, retry_failed: bool) -> np.ndarray:
    """Sorted keys of the rows in OUT. Files that a killed run left unfinished are deleted, and with
    `retry_failed` those of inputs that failed."""
    files, path = file_system(out)
    if files.get_file_info(path).type == pa.fs.FileType.NotFound:
        files.create_dir(path)
    keys = []
    for file in files.get_file_info(pa.fs.FileSelector(path, recursive=True)):
        if not file.path.endswith(".parquet"):
            continue
        try:
            if retry_failed and "status=failed" in file.path:
                raise pa.ArrowInvalid("is to be converted again")
            table = pq.read_table(file.path, filesystem=files, columns=["key"], partitioning=None)
            keys += table["key"].to_pylist()
        except pa.ArrowInvalid:
            files.delete_file(file.path)
    return np.sort(np.array(keys, dtype="S16"))


class Program:
    """A docspec that reads paths from a pipe, with its model loaded."""

    def __init__(self, command: list[str]) -> None:
        self.said = tempfile.TemporaryFile()  # a pipe that nobody reads would stop it
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.said, text=True, encoding="utf-8")

    def results(self, paths: list[str]) -> Iterator[dict[str, Any]]:
        """The line of each path, as they come; fewer where the program ends."""
        assert self.process.stdin and self.process.stdout
        try:
            self.process.stdin.write("".join(path + "\n" for path in paths))
            self.process.stdin.flush()
        except BrokenPipeError:
            return
        for _ in paths:
            line = self.process.stdout.readline()
            if not line:
                return
            yield json.loads(line)

    def end(self) -> str:
        """Ends it. The end of what it said."""
        self.process.kill()
        self.process.wait()
        self.said.seek(max(0, self.said.tell() - 2000))
        return self.said.read().decode(errors="replace").strip()


class Worker:
    """Converts batches of {"uri": ...}: an actor of Ray Data."""

    def __init__(self, docspec: str, options: list[str], finished: Any, attempts: int, jobs: int) -> None:
        self.command = [docspec, "convert", "--files-from", "-", "--to", "md,json", "--quiet", "--jobs", str(jobs),
                        *options]
        self.options, self.finished, self.attempts = options, finished, attempts
        self.program: Program | None = None
        self.known: OrderedDict[str, dict[str, Any]] = OrderedDict()  # of the last contents, for copies

    def __call__(self, batch: dict[str, np.ndarray]) -> pa.Table:
        began = time.monotonic()
        rows = []
        with tempfile.TemporaryDirectory(prefix="docspec-ray-") as folder:
            waiting = {}  # path: its row and bytes' hash
            for number, uri in enumerate(batch["uri"]):
                row = {"uri": str(uri)}
                try:
                    content = self.fetch(row["uri"])
                except (OSError, ValueError) as error:
                    rows.append(self.failed(row, "", f"cannot be read: {error}"))
                    continue
                row["sha256"] = hashlib.sha256(content).hexdigest()
                row["key"] = key_of(row["uri"], row["sha256"], self.options)
                if self.is_finished(row["key"]):
                    continue
                if row["sha256"] in self.known:
                    rows.append({**self.known[row["sha256"]], **row})
                    continue
                path = Path(folder, str(number), PurePosixPath(row["uri"].partition("?")[0]).name)
                path.parent.mkdir()
                path.write_bytes(content)
                waiting[str(path)] = row
            for row in self.converted(waiting):
                if row["status"] != "failed":
                    self.known[row["sha256"]] = row
                rows.append(row)
        while len(self.known) > 256:
            self.known.popitem(last=False)
        for row in rows:
            row["seconds"] = (time.monotonic() - began) / len(rows)
        return pa.Table.from_pylist(rows, schema=SCHEMA)

    def fetch(self, uri: str) -> bytes:
        for attempt in range(self.attempts):
            try:
                files, path = file_system(uri)
                with files.open_input_file(path) as file:
                    content = file.read()
                    if len(content) != file.size():
                        raise OSError(f"{len(content)} bytes came, {file.size()} were announced")
                return content
            except FileNotFoundError:
                raise
            except OSError:
                if attempt + 1 == self.attempts:
                    raise
                time.sleep(2**attempt)
        raise ValueError("no attempt")

    def is_finished(self, key: bytes) -> bool:
        at = np.searchsorted(self.finished, np.bytes_(key))
        return at < len(self.finished) and self.finished[at] == np.bytes_(key)

    def converted(self, waiting: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The rows of what waits. A document on which docspec ends is tried alone before it fails."""
        alone = False
        tried: Counter[str] = Counter()
        while waiting:
            self.program = self.program or Program(self.command)
            paths = list(waiting)[:1] if alone else list(waiting)
            for result in self.program.results(paths):
                row = waiting.pop(result["input"])
                paths.remove(result["input"])
                yield self.row_of(row, result)
            if not paths:
                continue
            said = self.program.end()
            self.program = None
            if not alone:
                alone = True  # whichever it was, it takes none with it again
                continue
            tried[paths[0]] += 1
            if tried[paths[0]] == self.attempts:
                yield self.failed(waiting.pop(paths[0]), "", f"docspec ended: {said}", 8)

    def row_of(self, row: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
        if "json" not in result:
            return self.failed(row, result["input"], result["message"], result["code"])
        document = result["json"]
        document["source"]["file"] = row["uri"]
        counts = {f"pages_{kind}": count for kind, count in result["pages"].items()}
        return {**row, **counts, "code": result["code"], "markdown": result["md"],
                "json": json.dumps(document, ensure_ascii=False), "status": "ok" if result["code"] == 0 else "partial"}

    def failed(self, row: dict[str, Any], path: str, message: str, code: int = 2) -> dict[str, Any]:
        row.setdefault("key", key_of(row["uri"], "", self.options))
        return {**row, "code": code, "status": "failed",
                "message": message.replace(path, row["uri"]) if path else message}


def totals(out: str) -> dict[str, Any]:
    """Counts of the rows in OUT, and why inputs failed."""
    files, path = file_system(out)
    table = pa.dataset.dataset(path, filesystem=files, partitioning="hive", exclude_invalid_files=True).to_table(
        columns=["status", "message", "pages_ok", "pages_fallback", "pages_failed", "seconds"])
    reasons = Counter((message or "").rpartition(": ")[2] for message in table["message"].to_pylist() if message)
    count = {name: int(pa.compute.sum(table[name]).as_py() or 0) for name in table.column_names if "pages" in name}
    return {"documents": dict(Counter(table["status"].to_pylist())), **count,
            "worker_seconds": round(pa.compute.sum(table["seconds"]).as_py() or 0.0, 3),
            "failures": dict(reasons.most_common(20))}


def main(words: list[str] | None = None) -> int:
    words = sys.argv[1:] if words is None else words
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="docspec.ray", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--num-cpus", type=float, default=1, help="of each worker: its --jobs, too")
    parser.add_argument("--num-gpus", type=float, default=0, help="of each worker: 1, or a part of one")
    parser.add_argument("--batch", type=int, default=16, help="documents that a worker has at a time")
    parser.add_argument("--rows-per-file", type=int, default=256)
    parser.add_argument("--attempts", type=int, default=3)
    parser.add_argument("--retry-failed", action="store_true", help="convert again what failed before")
    parser.add_argument("--price-per-hour", type=float, help="of a worker, for the cost of a thousand pages")
    parser.add_argument("--docspec", default=os.environ.get("DOCSPEC"), help="the program, where it is not this package's")
    args, options = parser.parse_args(words[:cut]), words[cut + 1:]
    if not args.docspec:
        from ._program import program
        args.docspec = program()

    finished = finished_keys(args.out, args.retry_failed)
    inputs = inputs_of(args.source)
    rows = ray.data.from_arrow(pa.table({"uri": pa.array(inputs, pa.string())}))
    rows = rows.repartition(target_num_rows_per_block=args.batch)
    done = rows.map_batches(
        Worker, batch_size=args.batch, concurrency=args.workers, num_cpus=args.num_cpus, num_gpus=args.num_gpus,
        zero_copy_batch=True,
        fn_constructor_kwargs={"docspec": args.docspec, "options": options, "finished": finished,
                               "attempts": args.attempts, "jobs": max(1, int(args.num_cpus))})
    files, path = file_system(args.out)
    done.write_parquet(path, filesystem=files, partition_cols=["status"], mode=ray.data.SaveMode.APPEND,
                       min_rows_per_file=args.rows_per_file)
    summary = totals(args.out)
    if args.price_per_hour:
        pages = sum(count for name, count in summary.items() if name.startswith("pages_"))
        summary["price_of_1000_pages"] = args.price_per_hour * summary["worker_seconds"] / 3.6 / max(1, pages)
    print(json.dumps(summary))
    return 2 if "failed" in summary["documents"] else 3 if "partial" in summary["documents"] else 0


if __name__ == "__main__":
    sys.exit(main())
