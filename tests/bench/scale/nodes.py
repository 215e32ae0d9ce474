"""Ray on several nodes, one of which is lost: each node is a process of Ray's on this machine."""

import os
import time
from pathlib import Path

import documents
import ray.cluster_utils
from common import ENVIRONMENT, counted, fresh, rows_of, start


def run(work: Path, count: int):
    folder = work / f"notes-{count}"
    documents.notes(folder, count)
    out = fresh(work / "nodes-out")
    os.environ["PYTHONPATH"] = ENVIRONMENT["PYTHONPATH"]  # each node has docspec
    cluster = ray.cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        lost, _ = [cluster.add_node(num_cpus=1) for _ in range(2)]
        process = start(str(folder), str(out), "--workers", "2", "--rows-per-file", "16", options=["--model", "none"],
                        RAY_ADDRESS=cluster.address)
        while process.poll() is None and len([*out.rglob("*.parquet")]) < 6:
            time.sleep(0.1)
        cluster.remove_node(lost, allow_graceful=False)
        before = len([*out.rglob("*.parquet")])
        time.sleep(5)
        cluster.add_node(num_cpus=1)
        process.communicate()
        programs = {row["worker"] for row in rows_of(str(out))}
        return {"nodes": "a head without workers, two with one each; one is lost, another comes 5 s later", "documents": count,
                "files when the node was lost": before, "exit": process.returncode, **counted(str(out)),
                "programs in rows": len(programs)}
    finally:
        cluster.shutdown()
