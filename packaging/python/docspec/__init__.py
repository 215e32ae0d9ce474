"""docspec: PDFs and page images as Markdown and JSON.

    import docspec
    document = docspec.convert("in.pdf")
    print(document.markdown)

It runs the docspec program of this package and reads what that writes; there is no second engine.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._program import program

__all__ = ["Block", "Document", "DocspecError", "Page", "convert", "convert_all"]

Progress = Callable[[int, int], None]
"""Called with the pages that are done and those that there are."""


class DocspecError(RuntimeError):
    """docspec could not convert an input. `code` is its exit code, as docspec(1) lists them."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Block:
    """One block of a page: a paragraph, heading, table, picture, ..."""

    category: str
    text: str
    bbox: tuple[float, float, float, float] | None
    """In points, y downwards: left, top, right, bottom."""
    data: dict[str, Any] = field(repr=False)
    """All that the JSON has of it."""


@dataclass(frozen=True)
class Page:
    number: int
    status: str
    """"ok", "fallback" or "failed"."""
    blocks: list[Block]
    data: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Document:
    source: str
    pages: list[Page]
    markdown: str = field(repr=False)
    data: dict[str, Any] = field(repr=False)
    """docspec/1 JSON, as docspec-json(5) describes it."""

    @property
    def ok(self) -> bool:
        """Whether each page is."""
        return all(page.status == "ok" for page in self.pages)


def _flags(options: dict[str, Any]) -> list[str]:
    """max_pixels=5 -> --max-pixels 5; True -> the flag alone; False, None -> nothing."""
    flags = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        flags.append("--" + name.replace("_", "-"))
        if value is not True:
            many = isinstance(value, (list, tuple))
            flags.append(",".join(map(str, value)) if many else str(value))
    return flags


def _block(data: dict[str, Any]) -> Block:
    box = data.get("bbox")
    return Block(data["category"], data.get("text", ""), tuple(box) if box else None, data)


def _document(data: dict[str, Any], markdown: str) -> Document:
    pages = [
        Page(page["page"], page["status"], [_block(block) for block in page["blocks"]], page)
        for page in data["pages"]
    ]
    return Document(data["source"]["file"], pages, markdown, data)


def convert(
    path: str | os.PathLike[str],
    *,
    model: str = "none",
    progress: Progress | None = None,
    **options: Any,
) -> Document:
    """Converts one PDF or image.

    `options` are docspec's flags: `pages="1-4"`, `lang="deu"`, `password="..."`, `strict=True`.
    Pages that fell back or failed are in the document with their status. Raises DocspecError where
    there is no document.
    """
    with tempfile.TemporaryDirectory(prefix="docspec-") as folder:
        out = Path(folder) / "document"
        command = [program(), "convert", os.fspath(path), "--to", "json,md", "-o", f"{out}/"]
        command += ["--model", model, "--progress", "json", *_flags(options)]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr
            messages = []
            for line in process.stderr:
                if not line.startswith("{"):
                    messages.append(line)
                elif progress:
                    done, all_pages = json.loads(line)["pages"]
                    progress(done, all_pages)
        written = next(out.glob("*.json"), None)
        if process.returncode not in (0, 3) or not written:
            raise DocspecError("".join(messages).strip(), process.returncode)
        markdown = written.with_suffix(".md").read_text(encoding="utf-8")
        return _document(json.loads(written.read_text(encoding="utf-8")), markdown)


def convert_all(
    paths: Iterable[str | os.PathLike[str]], *, model: str = "none", **options: Any
) -> Iterator[Document | DocspecError]:
    """Converts many, with the model loaded once; gives each document, or why there is none, as soon
    as it is finished: not in the order of `paths`.
    """
    command = [program(), "convert", "--files-from", "-", "--to", "json,md", "--model", model]
    command += ["--quiet", *_flags(options)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as names:
        names.writelines(os.path.abspath(path) + "\n" for path in paths)
        names.seek(0)
        with subprocess.Popen(
            command, stdin=names, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            assert process.stdout
            for line in process.stdout:
                result = json.loads(line)
                if "json" in result:
                    yield _document(result["json"], result["md"])
                else:
                    yield DocspecError(result["message"], result["code"])
