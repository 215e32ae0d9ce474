#!/usr/bin/env python3
"""docspec.ray from a checkout: packaging/scale/ray_data.py SOURCE OUT [options] [-- options of docspec]
DOCSPEC=PATH names the program, which must be there on every node."""

import os
import sys
from pathlib import Path

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # docspec tells nobody what it is used for
import ray  # noqa: E402

python = Path(__file__).resolve().parents[1] / "python"
sys.path.insert(0, str(python))

from docspec.ray.__main__ import main  # noqa: E402

if __name__ == "__main__":
    ray.init(runtime_env={"py_modules": [str(python / "docspec")]}, log_to_driver=False)
    sys.exit(main())
