"""Inputs and outputs on this machine's disk or in an object store, through pyarrow's file systems."""

from __future__ import annotations

import functools
import hashlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import PurePosixPath
from urllib.parse import parse_qsl

import pyarrow as pa
import pyarrow.dataset
import pyarrow.fs

ROWS = pa.schema([("uri", pa.string()), ("part", pa.string()), ("files", pa.list_(pa.string()))])
FETCHED = pa.schema([*ROWS, ("sha256", pa.string()), ("content", pa.large_binary()), ("error", pa.string())])
SUFFIXES = {".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp"}
MOST_BYTES = 2**31 - 1
"""docspec reads no larger input."""


@functools.lru_cache(64)
def bucket(name: str, query: str) -> pa.fs.FileSystem:
    """An S3 bucket that may take its time: pyarrow itself gives up after 3 s without a byte."""
    options = dict(parse_qsl(query))
    if "endpoint_override" not in options:
        options.setdefault("region", pa.fs.resolve_s3_region(name))
    return pa.fs.S3FileSystem(request_timeout=60, connect_timeout=10,
                              retry_strategy=pa.fs.AwsStandardS3RetryStrategy(max_attempts=4), **options)


def file_system(uri: str) -> tuple[pa.fs.FileSystem, str]:
    """The file system of a URI or local path, and the path in it."""
    if uri.startswith("s3://"):
        path, _, query = uri.removeprefix("s3://").partition("?")
        return bucket(path.partition("/")[0], query), path
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
        store = re.match(r"[a-z0-9]+://([^/@]*@)?", source)  # gs://anonymous@bucket/papers: whom it lets in, too
        head, query = store.group() if store else "", source.partition("?")[1:]
        named = [head + file.path + "".join(query) for file in sorted(found, key=lambda f: f.path)
                 if file.is_file and PurePosixPath(file.path).suffix.lower() in SUFFIXES]
    return list(dict.fromkeys(uri.strip() for uri in named if uri and uri.strip()))


def read_input(uri: str, attempts: int) -> bytes:
    """All its bytes. Throws OSError or ValueError after so many attempts; a file that is not there is asked for once."""
    for attempt in range(attempts):
        try:
            files, path = file_system(uri)
            with files.open_input_file(path) as file:
                size = file.size()
                if size > MOST_BYTES:
                    raise ValueError(f"has {size} bytes; docspec reads at most {MOST_BYTES}")
                content = file.read()
            if len(content) == size:
                return content
            raise OSError(f"{len(content)} bytes came, {size} were announced")
        except FileNotFoundError:
            raise
        except OSError:
            if attempt + 1 == attempts:
                raise
            time.sleep(2**attempt)
    raise ValueError("no attempt")


def fetched(batch: pa.Table, attempts: int) -> Iterator[pa.Table]:
    """ROWS -> FETCHED: their content and its hash, or an error. One at a time, so that Ray cuts blocks by bytes."""
    for row in batch.to_pylist():
        try:
            row["content"] = read_input(row["uri"], attempts)
            row["sha256"] = hashlib.sha256(row["content"]).hexdigest()
        except (OSError, ValueError) as error:
            row.update(content=b"", sha256="", error="cannot be read: " + " ".join(str(error).split()))
        yield pa.Table.from_pylist([row], schema=FETCHED)
