"""Finds the docspec program of this package, and runs it as the command `docspec`."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

_HERE = Path(__file__).parent


def program() -> str:
    """The program's path."""
    _find_torch()
    return str(_HERE / "bin" / "docspec")


def _find_torch() -> None:
    """The engine looks for torch beside this package. Where pip has put it elsewhere (a user's
    packages over those of the system), the loader is told."""
    found = importlib.util.find_spec("torch")
    if not found or not found.submodule_search_locations:
        return
    torch = Path(found.submodule_search_locations[0])
    if torch.parent == _HERE.parent:
        return
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(":")
    if str(torch / "lib") not in folders:
        os.environ["LD_LIBRARY_PATH"] = ":".join(filter(None, [*folders, str(torch / "lib")]))


def main() -> None:
    path = program()
    os.execv(path, ["docspec", *sys.argv[1:]])
