"""The Ray Data pipeline: inputs are fetched by tasks, drafted by tasks where that is wanted, converted by actors."""

from __future__ import annotations

import argparse
import hashlib
import logging
import sys
from collections.abc import Iterator

import pyarrow as pa
import ray

from .places import ROWS, fetched, file_system, inputs_of, read_input
from .rows import Keys, Results, Row, key_of
from .worker import Converter, drafted

WAITS = {"num_cpus": 0}
"""Of tasks that wait for a network or a disk. The workers may have all processors: a task that wanted one would
wait for ever."""


class Pipeline:
    def __init__(self, args: argparse.Namespace, options: list[str]) -> None:
        self.args, self.options = args, options
        if args.drafters:
            args.part_pages = 0  # a journal belongs to one set of drafts
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        ray.data.DataContext.get_current().enable_progress_bars = False
        if not ray.is_initialized():
            ray.init(log_to_driver=False)
        there, asked = ray.cluster_resources().get("CPU", 0), args.workers * args.num_cpus + args.drafters
        if asked > there:
            print(f"docspec.ray: waits for {asked:g} processors; Ray has {there:g} now", file=sys.stderr)
        self.results = Results(args.out)
        self.results.clean(args.retry_failed)

    def run(self) -> None:
        """Converts all inputs that have no row, then the other parts of long documents, then joins these."""
        rows = [{"uri": uri, "part": ""} for uri in inputs_of(self.args.source)]
        self.convert(self.unfinished(rows))
        self.convert(self.parts_left())
        self.convert(self.joins_left())
        self.results.forget_parts()

    def unfinished(self, rows: list[Row]) -> list[Row]:
        """The rows without a result: of those, the bytes are read once more when they are converted."""
        keys = self.results.keys()
        if not len(keys) or not rows:
            return rows
        left = blocks(rows, 1024).map_batches(
            without_result, batch_size=None, batch_format="pyarrow",
            fn_kwargs={"keys": [ray.put(keys)], "options": self.options, "part_pages": self.args.part_pages,
                       "attempts": self.args.attempts})
        return [row for batch in left.iter_batches(batch_size=None, batch_format="pyarrow") for row in batch.to_pylist()]

    def long_documents(self) -> Iterator[tuple[str, str, list[Row]]]:
        """Those without a row of the whole: URI, hash, and the parts that these options have made."""
        finished = self.results.keys()
        for (uri, sha256), parts in self.results.parts().items():
            own = [row for row in parts if row["key"] == key_of(uri, sha256, self.options, row["part"])]
            if own and key_of(uri, sha256, self.options) not in finished:
                yield uri, sha256, own

    def parts_left(self) -> list[Row]:
        size = self.args.part_pages
        return [{"uri": uri, "part": part} for uri, _, parts in self.long_documents()
                for first in range(size + 1, max(row["part_of"] for row in parts) + 1, size)
                for part in [f"{first}-{first + size - 1}"] if part not in {row["part"] for row in parts}]

    def joins_left(self) -> list[Row]:
        return [{"uri": uri, "part": "", "files": sorted({row["file"] for row in parts})}
                for uri, _, parts in self.long_documents()]

    def convert(self, rows: list[Row]) -> None:
        if not rows:
            return
        args = self.args
        data = blocks(rows, args.batch).map_batches(
            fetched, batch_size=None, batch_format="pyarrow", fn_kwargs={"attempts": args.attempts},
            concurrency=4 * args.workers, **WAITS)
        if args.drafters:
            data = data.map_batches(drafted, batch_size=None, batch_format="pyarrow", num_cpus=1,
                                    concurrency=args.drafters,
                                    fn_kwargs={"docspec": args.docspec, "options": drafting(self.options)})
        data = data.map_batches(
            Converter, batch_size=args.batch, batch_format="pyarrow", num_cpus=args.num_cpus, num_gpus=args.num_gpus,
            compute=ray.data.ActorPoolStrategy(size=args.workers),
            fn_constructor_kwargs={"out": args.out, "docspec": args.docspec, "options": self.options,
                                   "attempts": args.attempts, "jobs": max(1, int(args.num_cpus)),
                                   "part_pages": args.part_pages, "replay": args.drafters > 0})
        files, path = file_system(args.out)
        data.write_parquet(path, filesystem=files, partition_cols=["status"], mode=ray.data.SaveMode.APPEND,
                           min_rows_per_file=args.rows_per_file, ray_remote_args=WAITS)


def blocks(rows: list[Row], size: int) -> ray.data.Dataset:
    """A worker that is killed loses at most a block."""
    table = pa.Table.from_pylist(rows, schema=ROWS)
    return ray.data.from_arrow([table.slice(at, size) for at in range(0, len(rows), size)])


def without_result(batch: pa.Table, keys: list[ray.ObjectRef[Keys]], options: list[str], part_pages: int,
                   attempts: int) -> pa.Table:
    """The rows of inputs that have none in OUT: neither of what they are, nor as one that could not be read."""
    finished = ray.get(keys[0])
    left = []
    for row in batch.to_pylist():
        uri = row["uri"]
        if key_of(uri, "", options) in finished:
            continue
        try:
            sha256 = hashlib.sha256(read_input(uri, attempts)).hexdigest()
        except (OSError, ValueError):
            left.append(row)
            continue
        if not any(key_of(uri, sha256, options, part) in finished for part in ("", f"1-{part_pages}")):
            left.append(row)
    return pa.Table.from_pylist(left, schema=ROWS)


DRAFTING = {"--password", "--password-file", "--lang", "--layout", "--dpi", "--max-pixels", "--page-timeout", "--sandbox"}


def drafting(options: list[str]) -> list[str]:
    """Those options that `docspec draft` has, too."""
    out, taken = [], False
    for word in options:
        taken = word.partition("=")[0] in DRAFTING or (taken and not word.startswith("-"))
        out += [word] * taken
    return out
