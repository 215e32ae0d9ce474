"""Many documents through Ray Data, on one machine or a cluster (PyPI: ray[data]).

    python -m docspec.ray SOURCE OUT [options] [-- options of docspec]

SOURCE is a folder or a prefix of an object store (s3://bucket/papers, gs://...), or a manifest of
paths and URIs: .parquet, .csv or .jsonl with a column "uri", .txt with one a line. Each worker is one
docspec with its model loaded once; a document goes to the next worker that is free. OUT, a folder or
a prefix too, gets one row for each input, as Parquet that is written while the run goes on:
OUT/status=ok, status=partial (a page is not ok) and status=failed, with the reason. Documents of more than
--part-pages pages are converted by several workers, and joined.

Run it again to go on after any end: inputs whose bytes and options have a row are not converted again.
The exit code is that of docspec for a folder: 2 where an input failed, else 3 where a page is not ok; 5 where OUT
could not be written.
"""

from __future__ import annotations

import argparse
import json
import os
import sys

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # docspec tells nobody what it is used for

from .pipeline import Pipeline  # noqa: E402
from .watch import Watch, table  # noqa: E402


def main(words: list[str] | None = None) -> int:
    words = sys.argv[1:] if words is None else words
    cut = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(prog="docspec.ray", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("out")
    parser.add_argument("--workers", type=int, default=max(1, (os.cpu_count() or 1) // 2))
    parser.add_argument("--num-cpus", type=float, default=1, help="of each worker: its --jobs, too")
    parser.add_argument("--num-gpus", type=float, default=0, help="of each worker: 1, or a part of one")
    parser.add_argument("--drafters", type=int, default=0, help="processors of other nodes or this one that draft pages "
                        "for the workers, which then only decode (0: each worker drafts for itself)")
    parser.add_argument("--batch", type=int, default=16, help="documents that a worker has at a time")
    parser.add_argument("--part-pages", type=int, default=200, help="longer documents are converted in parts (0: none; "
                        "none with --drafters)")
    parser.add_argument("--rows-per-file", type=int, default=256)
    parser.add_argument("--attempts", type=int, default=3, help="to read an input; to convert one on which docspec ends")
    parser.add_argument("--retry-failed", action="store_true", help="convert again what failed before")
    parser.add_argument("--price-per-hour", type=float, help="of a worker, for the cost of a thousand pages")
    parser.add_argument("--progress", type=float, default=10, metavar="SECONDS", help="between JSON lines on standard error")
    parser.add_argument("--metrics", metavar="FILE", help="the same as Prometheus text, for a node exporter")
    parser.add_argument("--docspec", default=os.environ.get("DOCSPEC"), help="the program, where it is not this package's")
    args = parser.parse_args(words[:cut])
    if not args.docspec:
        from .._program import program
        args.docspec = program()

    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Ray has lines of its own for standard output
    pipeline = Pipeline(args, words[cut + 1:])
    try:
        with Watch(pipeline.results, args) as watch:
            pipeline.run()
    except OSError as error:
        print(f"docspec.ray: {args.out}: {str(error).splitlines()[-1]}; run it again to go on", file=sys.stderr)
        return 5
    summary = watch.summary()
    print(table(summary), file=sys.stderr)
    print(json.dumps(summary), file=answer, flush=True)
    return 2 if summary["documents"].get("failed") else 3 if summary["documents"].get("partial") else 0


if __name__ == "__main__":
    sys.exit(main())
