#!/usr/bin/env python3
"""Shards of a folder as rows of a Ray dataset, on one machine or a cluster (PyPI: ray[data]):

    packaging/scale/ray_data.py IN OUT [--shards N] [-- docspec options]

IN and OUT must be reachable from every node. Run it again to go on after any end. The exit code is
that of docspec where all shards agree, else 3."""

import argparse
import os
import subprocess
import sys

import ray


def convert(row, docspec, source, target, options):
    """One shard: docspec's exit code and summary."""
    command = [docspec, "convert", source, "-o", target, "--jobs", "1",
               "--shard", f"{row['item']}/{row['shards']}", *options]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace")
    return {"shard": row["item"], "code": run.returncode, "summary": run.stderr}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--shards", type=int, default=os.cpu_count())
    parser.add_argument("--docspec", default=os.environ.get("DOCSPEC", "docspec"))
    words = sys.argv[1:]
    cut = words.index("--") if "--" in words else len(words)
    args, options = parser.parse_args(words[:cut]), words[cut + 1:]
    rows = [{"item": i, "shards": args.shards} for i in range(1, args.shards + 1)]
    dataset = ray.data.from_items(rows, override_num_blocks=args.shards)
    done = dataset.map(convert, num_cpus=1, fn_kwargs={
        "docspec": os.path.abspath(args.docspec) if os.sep in args.docspec else args.docspec,
        "source": os.path.abspath(args.source), "target": os.path.abspath(args.target),
        "options": options}).take_all()
    for row in sorted(done, key=lambda r: r["shard"]):
        print(f"shard {row['shard']}: exit {row['code']}\n{row['summary']}", file=sys.stderr)
    codes = {row["code"] for row in done} - {0}
    return codes.pop() if len(codes) == 1 else 3 if codes else 0


if __name__ == "__main__":
    sys.exit(main())
