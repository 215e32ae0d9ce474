"""The results file of a run: a part is written as soon as it ends, with the commit and the machine that gave it."""
import json
import os
import subprocess
from collections import Counter

from case import ROOT


def git(*words):
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.strip()


def commit():
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!tests/bench/results")
    return git("rev-parse", "--short", "HEAD") + "-dirty" * bool(changed)


def machine():
    with open("/proc/cpuinfo") as file:
        name = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), os.uname().machine)
    return f"{os.cpu_count()} cores of {name}, Linux {os.uname().release.split('-')[0]}, load {os.getloadavg()[0]:.0f}"


SMALL = {"cpu_s": 1, "s": 1, "mb": 100}  # a case that took less says nothing of it


def told(row):
    """What the file keeps of a case: its message, which the run checks, only where something is wrong."""
    kept = {key: value for key, value in row.items() if key not in SMALL or value >= SMALL[key]}
    if "wrong" not in row:
        kept.pop("message", None)
    return kept


def short(part):
    """A part that ran to its end: every case is counted by its exit code; a row is kept only where it
    tells more than that code."""
    rows = part["rows"]
    return {**part, "cases": len(rows), "exits": dict(Counter(str(row["exit"]) for row in rows)),
            "rows": [row for row in rows if set(row) - {"fault", "exit"}]}


class Results:
    """Parts by name; rows stand in a line each. Without a path nothing is written."""

    def __init__(self, path):
        self.path, self.parts = path, {}
        if path and path.exists():
            self.parts = json.loads(path.read_text())

    def begun(self, name):
        """What a part that was cut off at this commit has so far."""
        part = self.parts.get(name, {})
        return part if part.get("unfinished") and part.get("commit") == commit() else {}

    def put(self, name, part):
        if "rows" in part:
            part = {**part, "rows": [told(row) for row in part["rows"]]}
            if not part.get("unfinished"):
                part = short(part)
        self.parts[name] = {"commit": commit(), "machine": machine(), **part}
        self.parts = {"commit": commit(), "command": "tests/faults/run --out tests/bench/results/faults.json",
                      "all tables": self.worst(), **{k: v for k, v in self.parts.items() if k not in ("commit", "command", "all tables")}}
        if self.path:
            new = self.path.with_suffix(".new")
            new.write_text(self.text())
            new.replace(self.path)

    def worst(self):
        """Of all tables: how many cases, how many are wrong, and the one that took most of each."""
        tables = {name: part for name, part in self.parts.items() if isinstance(part, dict) and "rows" in part}
        rows = [(f"{name}: {row['fault']}", row) for name, part in tables.items() for row in part["rows"]]
        out = {"commits": sorted({part["commit"] for part in tables.values()}), "cases": sum(part.get("cases", len(part["rows"])) for part in tables.values()),
               "wrong": sum("wrong" in row for _, row in rows)}
        for key in ("mb", "cpu_s", "s"):
            if measured := [(row[key], name) for name, row in rows if key in row]:
                out[f"worst {key}"] = max(measured)
        return out

    def text(self):
        def written(value):
            rows = value.get("rows") if isinstance(value, dict) else None
            if not rows:
                return json.dumps(value, ensure_ascii=False)
            head = json.dumps({k: v for k, v in value.items() if k != "rows"}, ensure_ascii=False)
            return head[:-1] + ', "rows": [\n  ' + ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n ]}"
        return "{\n" + ",\n".join(f" {json.dumps(name)}: {written(value)}" for name, value in self.parts.items()) + "\n}\n"
