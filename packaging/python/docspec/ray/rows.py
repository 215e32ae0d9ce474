"""The rows of an output: one for each input, Parquet that anything can query."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.fs
import pyarrow.parquet as pq

from .places import file_system

SCHEMA = pa.schema([("uri", pa.string()), ("key", pa.binary(16)), ("sha256", pa.string()), ("code", pa.int32()),
                    ("message", pa.string()), ("pages_ok", pa.int32()), ("pages_fallback", pa.int32()),
                    ("pages_failed", pa.int32()), ("tokens", pa.int64()), ("markdown", pa.string()), ("json", pa.string()),
                    ("draft_seconds", pa.float64()), ("seconds", pa.float64()), ("worker", pa.string()),
                    ("part", pa.string()), ("part_of", pa.int32()), ("journal", pa.string()), ("status", pa.string())])
COUNTED = ["pages_ok", "pages_fallback", "pages_failed", "tokens", "seconds"]
Row = dict[str, Any]


def key_of(uri: str, sha256: str, options: list[str], part: str = "") -> bytes:
    """What a row stands for: this input, these bytes, these options, and of a long document these pages."""
    return hashlib.sha256(json.dumps([uri, sha256, options, part]).encode()).digest()[:16]


class Keys:
    """A set of keys, 16 bytes each."""

    def __init__(self, keys: list[np.ndarray]) -> None:
        self.sorted = np.sort(np.concatenate([np.array([], "S16"), *keys]).astype("S16"))

    def __contains__(self, key: bytes) -> bool:
        key = key.rstrip(b"\0")  # as numpy has it
        at = np.searchsorted(self.sorted, np.bytes_(key))
        return bool(at < len(self.sorted) and self.sorted[at] == key)

    def __len__(self) -> int:
        return len(self.sorted)


class Results:
    """The rows in OUT. Counts are of those in files that `read` has seen."""

    def __init__(self, out: str) -> None:
        self.files, self.path = file_system(out)
        self.seen: set[str] = set()
        self.documents: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def paths(self) -> Iterator[tuple[str, str]]:
        """Files, and the status of their rows."""
        for file in self.files.get_file_info(pa.fs.FileSelector(self.path, recursive=True, allow_not_found=True)):
            if file.path.endswith(".parquet"):
                yield file.path, file.path.rpartition("/status=")[2].partition("/")[0]

    def rows(self, path: str, columns: list[str]) -> pa.Table:
        """Of one file. Throws ArrowInvalid where a run was killed while it wrote it."""
        with self.files.open_input_file(path) as file:
            return pq.ParquetFile(file).read(columns=columns)

    def clean(self, retry_failed: bool) -> None:
        """Makes the folder, or deletes files in it that a killed run left unfinished and, with `retry_failed`, those
        of inputs that failed."""
        self.files.create_dir(self.path)
        for path, status in self.paths():
            try:
                if retry_failed and status == "failed":
                    raise pa.ArrowInvalid("is to be converted again")
                self.rows(path, ["key"])
            except pa.ArrowInvalid:
                self.files.delete_file(path)

    def keys(self) -> Keys:
        return Keys([self.rows(path, ["key"])["key"].to_numpy() for path, _ in self.paths()])

    def parts(self) -> dict[tuple[str, str], list[Row]]:
        """Long documents that are not joined, by URI and hash: what is there of them."""
        found: dict[tuple[str, str], list[Row]] = {}
        for path, status in self.paths():
            if status == "part":
                for row in self.rows(path, ["uri", "sha256", "key", "part", "part_of"]).to_pylist():
                    found.setdefault((row["uri"], row["sha256"]), []).append({**row, "file": path})
        return found

    def forget_parts(self) -> None:
        for path, status in self.paths():
            if status == "part":
                self.files.delete_file(path)

    def journal(self, paths: list[str], uri: str, sha256: str) -> str:
        """What docspec has noted of the pages of a document whose parts are in these files."""
        head, lines = "", []
        for path in paths:
            for row in self.rows(path, ["uri", "sha256", "journal"]).to_pylist():
                if (row["uri"], row["sha256"]) == (uri, sha256) and row["journal"]:
                    head, *own = row["journal"].splitlines(keepends=True)
                    lines += own
        return head + "".join(lines)

    def read(self) -> None:
        """Counts what is in new files."""
        for path, status in self.paths():
            if path in self.seen or status == "part":
                continue
            try:
                table = self.rows(path, ["message", *COUNTED])
            except (pa.ArrowInvalid, OSError):
                continue  # it is being written
            self.seen.add(path)
            self.documents[status] += table.num_rows
            for name in COUNTED:
                self.counts[name] += pc.sum(table[name]).as_py() or 0
            self.failures.update(reason_of(message) for message in table["message"].to_pylist() if message)


def reason_of(message: str) -> str:
    """The part of a message that inputs share: without their names and what to do."""
    return message.rpartition(": ")[2].partition("; ")[0][:120]
