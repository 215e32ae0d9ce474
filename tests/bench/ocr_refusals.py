#!/usr/bin/env python3
"""Pages of which docspec says that it could not read them.

    ocr_refusals.py DOCSPEC OUT.json NAME=PATTERN...

Converts the images of each PATTERN (quoted: '*.jpg'; with @N only each N-th) without a model, each set in one run as a
user would, and reports the share that is not `ok`, with the reasons. For printed pages all of them are wrong refusals.
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile


def refusals(docspec, images):
    """name -> reason of those that are not ok."""
    reasons = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([docspec, "convert", *images, "--model", "none", "--jobs", "1", "--page-timeout", "600", "-o", folder + "/"],
                       stderr=subprocess.DEVNULL)
        for image in images:
            name = os.path.splitext(os.path.basename(image))[0]
            path = f"{folder}/{name}.md"
            text = open(path, encoding="utf-8").read() if os.path.exists(path) else "<!-- page 1: missing -->"
            found = re.search(r"<!-- page 1: ((?!blank).*?) *-->", text)
            if found:
                reasons[name] = found.group(1)[:160]
    return reasons


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sets = {}
    for argument in sys.argv[3:]:
        name, pattern = argument.split("=", 1)
        pattern, _, step = pattern.partition("@")
        images = sorted(glob.glob(pattern))[:: int(step or 1)]
        reasons = refusals(sys.argv[1], images)
        kinds = collections.Counter(reason.split(":", 2)[-1].strip() for reason in reasons.values())
        sets[name] = {"pages": len(images), "not ok": len(reasons), "pages not ok": reasons}
        print(name, len(images), len(reasons), dict(kinds), flush=True)
    pages, wrong = (sum(s[key] for s in sets.values()) for key in ("pages", "not ok"))
    result = {"command": "tests/bench/ocr_refusals.py DOCSPEC OUT " + " ".join(sys.argv[3:]), "pages": pages, "not ok": wrong,
              "sets": sets}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1, ensure_ascii=False)
        file.write("\n")


main()
