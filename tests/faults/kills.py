"""kill -9 at random moments of folder runs, with and without a model; then the same command again."""
import json
import os
import random
import shutil
import signal
import time

import hostile_files as hostile
from case import Case, Run

# Kind -> model, pages of each document, size of a page in points.
KINDS = {"without a model": (["none"], [12, 1, 8, 2, 20, 4, 3, 10], (612, 792)),
         "with a model": (["builtin", "--max-new-tokens", "24"], [2, 1, 2, 1, 1, 2, 1, 2], (220, 48))}


def comparable(path):
    """A document without what two runs never share: times and counts."""
    document = json.loads(path.read_text())
    document.pop("stats")
    for page in document["pages"]:
        page.pop("timings")
    return document


def outputs_of(folder):
    return {f.relative_to(folder): comparable(f) if f.suffix == ".json" else f.read_bytes()
            for f in sorted(folder.rglob("*")) if f.suffix in (".md", ".json") and ".docspec" not in f.parts}


def pages_kept(folder):
    """Pages that the journals hold."""
    return sum(f.read_text(errors="replace").count('"data"') for f in folder.glob(".docspec/*.json"))


def killed_behind(page, more, target, documents):
    """Ends the process `more` seconds after `page` pages were done: kept in a journal, or written with
    their document, whose journal goes then."""
    def pages_done():
        return pages_kept(target) + sum(count for i, count in enumerate(documents) if (target / f"{i}.json").exists())

    def during(child):
        while pages_done() < page and os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            time.sleep(0.002)
        time.sleep(more)
        os.kill(child.pid, signal.SIGKILL)  # send_signal would reap it
    return during


def kills_of(binary, folder, kind, count, done, save):
    """Goes on from what is `done`; save(figures) after each kill."""
    model, documents, side = KINDS[kind]
    source, whole, target = folder / "in", folder / "whole", folder / "out"
    source.mkdir(parents=True)
    for i, pages in enumerate(documents):
        (source / f"{i}.pdf").write_bytes(hostile.book(pages, *side))
    command = ["convert", source, "--to", "md,json", "--page-timeout", "600", "--model", *model, "-o"]
    unbroken = Run(binary, Case("", [*command, whole], set()))
    expected, pages = outputs_of(whole), sum(documents)
    figures = {"tried": 0, "killed": 0, "equal": 0, "had pages to keep": 0, "pages kept": 0, "faults": [],
               **done, "documents": len(documents), "pages": pages, "seconds of an unbroken run": round(unbroken.seconds, 1)}
    while figures["killed"] < count and figures["tried"] < 3 * count:
        rng = random.Random(f"{kind} {figures['tried']}")
        figures["tried"] += 1
        shutil.rmtree(target, ignore_errors=True)
        moment = killed_behind(rng.randrange(pages), rng.uniform(0, unbroken.seconds / 8), target, documents)
        if Run(binary, Case("", [*command, target], set(), during=moment)).code != 137:
            continue  # it was done before
        kept = pages_kept(target)
        again = Run(binary, Case("", [*command, target], set()))
        left = [f.name for f in target.rglob(".docspec-*")]
        right = again.code == unbroken.code and outputs_of(target) == expected and not left
        figures["killed"] += 1
        figures["equal"] += right
        figures["had pages to keep"] += kept > 0
        figures["pages kept"] += kept
        figures["faults"] += [] if right else [[again.code, again.message(), left]]
        save(figures)
    return figures


def run_kills(binary, folder, count, results):
    """`count` kills, half of them with a model; a run that was cut off goes on."""
    part = results.begun("kills")

    def save(kind, figures):
        part[kind] = figures
        results.put("kills", {**part, "unfinished": True})
    for kind in KINDS:
        save(kind, kills_of(binary, folder / kind, kind, count // 2, part.get(kind, {}), lambda figures, kind=kind: save(kind, figures)))
    return {kind: part[kind] for kind in KINDS} | {"killed": sum(part[k]["killed"] for k in KINDS), "equal": sum(part[k]["equal"] for k in KINDS),
                                                   "wrong": sum(count // 2 - part[k]["equal"] for k in KINDS)}
