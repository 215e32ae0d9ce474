"""One docspec that converts what it is told, with its model loaded once."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Program:
    """It writes Markdown, JSON and journals into a folder of its own."""

    def __init__(self, docspec: str, options: list[str], folder: Path) -> None:
        self.folder = folder / "out"
        self.said = tempfile.TemporaryFile()  # a pipe that nobody reads would stop it
        self.process = subprocess.Popen(
            [docspec, "convert", "--files-from", "-", "--to", "md,json", "--quiet", *options, "-o", str(self.folder)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, text=True, encoding="utf-8")
        self.name = f"{os.uname().nodename}:{self.process.pid}"

    def journal(self, path: Path) -> Path:
        return self.folder / ".docspec" / (path.stem + ".json")

    def results(self, wanted: dict[Path, str]) -> Iterator[dict[str, Any]]:
        """The line of each path, of which the pages are wanted that stand beside it ("" = all), as they come;
        fewer where the program ends."""
        assert self.process.stdin and self.process.stdout
        lines = [json.dumps({"input": str(path), **({"pages": pages} if pages else {})}) for path, pages in wanted.items()]
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines))
            self.process.stdin.flush()
        except BrokenPipeError:
            return
        for _ in wanted:
            line = self.process.stdout.readline()
            if not line:
                return
            yield json.loads(line)

    def forget(self, path: Path) -> None:
        """Removes what it has written of an input."""
        for file in (self.folder / (path.stem + ".md"), self.folder / (path.stem + ".json"), self.journal(path)):
            file.unlink(missing_ok=True)
        shutil.rmtree(self.folder / (path.stem + ".files"), ignore_errors=True)

    def end(self) -> str:
        """Ends it. The end of what it said."""
        self.process.kill()
        self.process.wait()
        self.said.seek(max(0, self.said.tell() - 2000))
        return self.said.read().decode(errors="replace").strip()
