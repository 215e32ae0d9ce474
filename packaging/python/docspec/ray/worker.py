"""An actor of Ray Data that holds one docspec."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator
from os import getpid
from pathlib import Path, PurePosixPath

import pyarrow as pa

from .program import Program
from .rows import SCHEMA, Results, Row, key_of

PREFIX = "docspec-ray-"


def own_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder of this process. Those of processes that were killed are removed."""
    for left in Path(tempfile.gettempdir()).glob(PREFIX + "*-*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            shutil.rmtree(left, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=f"{PREFIX}{getpid()}-")


def suffix_of(uri: str) -> str:
    return PurePosixPath(uri.partition("?")[0]).suffix


def drafted(batch: pa.Table, docspec: str, options: list[str]) -> pa.Table:
    """The same rows with drafts. Where drafting does not end well, the converter drafts, and tells what is wrong."""
    column, seconds = [], []
    with own_folder() as folder:
        path, out = Path(folder, "in"), Path(folder, "drafts.json")
        for row in batch.to_pylist():
            began = time.monotonic()
            path.write_bytes(row["content"])
            command = [docspec, "draft", str(path), "-o", str(out), "--jobs", "1", "--quiet", *options]
            well = not row["error"] and subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0
            column.append(out.read_bytes() if well else None)
            out.unlink(missing_ok=True)
            seconds.append(time.monotonic() - began)
    batch = batch.append_column("drafts", pa.array(column, pa.large_binary()))
    return batch.append_column("draft_seconds", pa.array(seconds, pa.float64()))


class Converter:
    """Rows of what was fetched -> rows of SCHEMA."""

    def __init__(self, out: str, docspec: str, options: list[str], attempts: int, jobs: int, part_pages: int,
                 replay: bool) -> None:
        self.out, self.docspec, self.options, self.attempts, self.part_pages = out, docspec, options, attempts, part_pages
        self.folder = own_folder()
        self.drafts = Path(self.folder.name, "drafts")
        self.drafts.mkdir()
        self.own_options = ["--jobs", str(jobs), *options, *(["--draft", f"replay:{self.drafts}"] if replay else [])]
        self.program: Program | None = None
        self.count = 0
        self.known: OrderedDict[str, Row] = OrderedDict()  # rows of the last contents, for copies

    def __call__(self, batch: pa.Table) -> pa.Table:
        began = time.monotonic()
        rows: list[Row] = []
        waiting: dict[Path, Row] = {}
        for row in batch.to_pylist():
            content, error, drafts = row.pop("content"), row.pop("error"), row.pop("drafts", None)
            if error:
                rows.append(self.failed(row, error))
            elif row["sha256"] in self.known and not row["part"]:
                rows.append(self.copy_of(self.known[row["sha256"]], row))
            else:
                self.count += 1
                path = Path(self.folder.name, f"{self.count}{suffix_of(row['uri'])}")
                path.write_bytes(content)
                if drafts:
                    (self.drafts / f"{row['sha256']}.json").write_bytes(drafts)
                waiting[path] = row
        for row in self.converted(waiting):
            rows.append(row)
            if row["status"] in ("ok", "partial"):
                self.known[row["sha256"]] = row
        for file in self.drafts.iterdir():
            file.unlink()
        while len(self.known) > 256:
            self.known.popitem(last=False)
        for row in rows:
            row["seconds"] = (time.monotonic() - began) / len(rows)
        return pa.Table.from_pylist(rows, schema=SCHEMA)

    def converted(self, waiting: dict[Path, Row]) -> Iterator[Row]:
        """The rows of what waits. A document on which docspec ends is tried alone before it fails."""
        alone = False
        tried: Counter[Path] = Counter()
        while waiting:
            self.program = self.program or Program(self.docspec, self.own_options, Path(self.folder.name))
            paths = list(waiting)[:1] if alone else list(waiting)
            for result in self.program.results({path: self.wanted_of(path, waiting[path]) for path in paths}):
                path = Path(result["input"])
                paths.remove(path)
                yield self.row_of(waiting.pop(path), path, result)
                self.forget(path)
            if not paths:
                continue
            said = self.program.end()
            self.program = None
            tried[paths[0]] += alone
            alone = True  # whichever it was, it takes none with it again
            if tried[paths[0]] == self.attempts:
                yield self.failed(waiting.pop(paths[0]), f"docspec ended: {said}", 8)
                self.forget(paths[0])

    def wanted_of(self, path: Path, row: Row) -> str:
        """The pages to ask for. Of a document that is joined, the program finds all that were read in the journal."""
        if row["files"]:
            self.program.journal(path).parent.mkdir(parents=True, exist_ok=True)
            journal = Results(self.out).journal(row["files"], row["uri"], row["sha256"])
            self.program.journal(path).write_text(journal)
            return ""
        return self.pages_of(row)

    def pages_of(self, row: Row) -> str:
        """The part of a document; whether it is long is known after the first one. "" = all."""
        return row["part"] or (f"1-{self.part_pages}" if self.part_pages else "")

    def row_of(self, row: Row, path: Path, result: Row) -> Row:
        if "outputs" not in result:
            return self.failed(row, result["message"].replace(str(path), row["uri"]), result["code"])
        markdown, text = (Path(output).read_text(encoding="utf-8") for output in result["outputs"])
        document = json.loads(text)
        row = {**row, "code": result["code"], "worker": self.program.name}
        if not row["files"] and self.part_pages and document["source"]["pages"] > self.part_pages:
            row["part"] = self.pages_of(row)
            return self.part(row, document["source"]["pages"], self.program.journal(path).read_text())
        tokens = sum(stage["output_tokens"] for stage in document["stats"].values() if isinstance(stage, dict))
        return {**row, "key": key_of(row["uri"], row["sha256"], self.options), "part": "", "tokens": tokens,
                **{f"pages_{kind}": count for kind, count in result["pages"].items()}, "markdown": markdown,
                "json": named(text, str(path), row["uri"]), "status": "ok" if result["code"] == 0 else "partial"}

    def copy_of(self, known: Row, row: Row) -> Row:
        return {**known, "uri": row["uri"], "key": key_of(row["uri"], row["sha256"], self.options),
                "json": named(known["json"], known["uri"], row["uri"])}

    def part(self, row: Row, pages: int, journal: str) -> Row:
        return {**row, "key": key_of(row["uri"], row["sha256"], self.options, row["part"]), "status": "part",
                "part_of": pages, "journal": journal}

    def failed(self, row: Row, message: str, code: int = 2) -> Row:
        if row["part"]:  # the one who joins the document reads these pages, or fails for all
            return self.part(row, 0, "")
        return {**row, "key": key_of(row["uri"], row["sha256"], self.options), "part": "", "code": code,
                "status": "failed", "message": message}

    def forget(self, path: Path) -> None:
        path.unlink()
        if self.program:
            self.program.forget(path)


def named(text: str, path: str, uri: str) -> str:
    """A document's JSON with the name of its source changed."""
    return text.replace(json.dumps(path, ensure_ascii=False), json.dumps(uri, ensure_ascii=False), 1)
