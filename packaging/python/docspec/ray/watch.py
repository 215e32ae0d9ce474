"""What an operator sees while a run goes on, told from the rows that are written."""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

from .rows import Results

KINDS = ("ok", "fallback", "failed")


class Watch:
    """Tells of `results` every so many seconds, until its block ends."""

    def __init__(self, results: Results, args: argparse.Namespace) -> None:
        self.results, self.args = results, args
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.tell, daemon=True)

    def __enter__(self) -> Watch:
        self.results.read()  # what is there from before costs nothing now
        self.before = sum(self.results.counts[f"pages_{kind}"] for kind in KINDS)
        self.tokens_before = self.results.counts["tokens"]
        self.began = time.monotonic()
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.set()
        self.thread.join()
        self.report()

    def tell(self) -> None:
        while not self.ended.wait(self.args.progress):
            self.report()

    def report(self) -> None:
        self.results.read()
        summary = self.summary()
        print(json.dumps(summary), file=sys.stderr, flush=True)
        if self.args.metrics:
            new = Path(self.args.metrics + ".new")
            new.write_text(prometheus(summary))
            os.replace(new, self.args.metrics)

    def summary(self) -> dict[str, Any]:
        """How much, how fast, what failed, what it costs."""
        counts, seconds = self.results.counts, time.monotonic() - self.began
        pages = sum(counts[f"pages_{kind}"] for kind in KINDS)
        new = pages - self.before
        out = {"documents": dict(self.results.documents), "pages": {kind: counts[f"pages_{kind}"] for kind in KINDS},
               "tokens": counts["tokens"], "seconds": round(seconds, 3), "pages_a_second": round(new / seconds, 3),
               "tokens_a_second": round((counts["tokens"] - self.tokens_before) / seconds, 3),
               "failures": dict(self.results.failures.most_common(20))}
        if self.args.price_per_hour and new:
            out["price_of_1000_pages"] = round(self.args.price_per_hour * self.args.workers * seconds / 3.6 / new, 6)
        return out


def prometheus(summary: dict[str, Any]) -> str:
    """The same in Prometheus' text format."""
    lines = []
    for name, label in (("documents", "status"), ("pages", "status"), ("failures", "reason")):
        lines.append(f"# TYPE docspec_{name}_total counter")
        lines += [f"docspec_{name}_total{{{label}={json.dumps(key, ensure_ascii=False)}}} {count}"
                  for key, count in summary[name].items()]
    lines += ["# TYPE docspec_tokens_total counter", f"docspec_tokens_total {summary['tokens']}"]
    for name in ("pages_a_second", "tokens_a_second", "price_of_1000_pages"):
        if name in summary:
            lines += [f"# TYPE docspec_{name} gauge", f"docspec_{name} {summary[name]}"]
    return "\n".join(lines) + "\n"


def table(summary: dict[str, Any]) -> str:
    """The same for the end of a run."""
    rows = [*((f"documents {status}", count) for status, count in summary["documents"].items()),
            *((f"pages {status}", count) for status, count in summary["pages"].items()),
            *((name.replace("_", " "), value) for name, value in summary.items() if not isinstance(value, dict)),
            *((f"failed: {reason}", count) for reason, count in summary["failures"].items())]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {value:>12,}" for name, value in rows)
