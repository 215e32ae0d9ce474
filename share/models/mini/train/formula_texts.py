"""The formulas that typeset.py sets: python formula_texts.py --arxiv GITDIR --stacks GITDIR --notes GITDIR [--more GITDIR ...] --to FILE.json

Takes formulas from clones of github.com/allofphysicsgraph/latex-in-arxiv (trainer/compiled), stacks/stacks-project and
dalcde/cam-notes, of each the half by which docspec's rules are tuned (tests/bench/formula_quality, inline_quality), and from all
of `--more`; bare clones are enough. Adds those of made_up.py and numbers of equations. FILE.json: "formulas": [(LaTeX in the form of
latex.py, how many times it is set)], more of what is rare among them; "texts": paragraphs with formulas between \\( and \\), real ones
and others of synth/text.py into which formulas are put."""

import argparse
import collections
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import random
import re
import subprocess

import latex
import made_up
from synth.text import ACCENTED, paragraphs

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../tests/bench/inline_quality")
DISPLAYED = re.compile(r"\\\[(.+?)\\\]|\$\$(.+?)\$\$|\\begin\{(align|equation|gather|eqnarray|multline)(\*?)\}(.+?)\\end\{\3\4\}", re.S)
TIMES = {"arxiv": 7, "notes": 1.6, "more": 3, "made up": 1}
MADE_UP, LONGEST = 40_000, 420
TEXTS, LONGEST_WITHIN = 26_000, 60  # paragraphs with formulas; characters of a formula within text
# What stands around formulas: LaTeX for emphasis is left out, words with other commands or signs are.
EMPHASIS = re.compile(r"\\(?:emph|textbf|textit|text|term|it|em|bf)\b|[{}]")
PLAIN = re.compile(rf"[A-Za-z0-9.,;:()\[\]!?'’“”–—/{ACCENTED}-]+")
WORD_OR_FORMULA = re.compile(r"[(\[“]?\$[^$]+\$[^\s$]*|[^\s$]+")


def bench():
    loader = importlib.machinery.SourceFileLoader("inline_quality", BENCH)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("inline_quality", loader))
    loader.exec_module(module)
    return module


def is_tuned(text):
    return int(hashlib.sha1(text.encode()).hexdigest(), 16) % 2 == 0


def files(clone, endings, under=()):
    git = ["git", "-C", clone]
    names = subprocess.run([*git, "ls-tree", "-r", "HEAD", "--name-only", *under], capture_output=True, text=True, check=True).stdout
    for name in names.split("\n"):
        if name.endswith(endings):
            text = subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True).stdout.decode("utf8", "replace")
            yield name, re.sub(r"(?<!\\)%.*", "", text)


def displayed(text):
    for m in DISPLAYED.finditer(text):
        yield m[1] or m[2] or rf"\begin{{{m[3]}{m[4]}}}{m[5]}\end{{{m[3]}{m[4]}}}"


def sources(args):
    """(where from, LaTeX)."""
    for name, text in files(args.arxiv, ".tex", ["trainer/compiled"]):
        if is_tuned(name):
            yield "arxiv", text
    inline = bench()
    for where, clone in (("stacks", args.stacks), ("notes", args.notes)):
        for _, text in files(clone, ".tex"):
            for part in re.split(r"\n\s*\n", text):
                part = " ".join(re.sub(inline.OUTSIDE, " ", part).split())
                if is_tuned(part):
                    within = [f for f in inline.FORMULA.findall(DISPLAYED.sub("", part)) if len(f) >= 18]
                    yield from ((where, inline.expanded(f)) for f in [*displayed(part), *within])
    for clone in args.more:
        for _, text in files(clone, (".tex", ".md")):
            yield from (("more", f) for f in displayed(text))


def words(paragraph):
    """The plain words of a paragraph, and its formulas with what stands at them, in one form; without what cannot be written so."""
    out = []
    for piece in WORD_OR_FORMULA.findall(paragraph):
        before, formula, after = re.fullmatch(r"([^$]*)(?:\$([^$]+)\$)?([^$]*)", piece).groups()
        before, after = (EMPHASIS.sub("", part).replace("'", "’") for part in (before, after))
        if any(part and not PLAIN.fullmatch(part) for part in (before, after)):
            continue
        if not formula:
            out += [before + after] if before + after else []
            continue
        try:
            within = latex.one_form(formula)
        except latex.Unreadable:
            continue
        if within and len(within) <= LONGEST_WITHIN and r"\begin" not in within:
            out.append(before + latex.OPEN + within + latex.CLOSE + after)
    return out


def texts(args, formulas, inline, rng):
    """Paragraphs with formulas; half of them real ones."""
    real, pool = [], [f for f in formulas if len(f) <= 40 and r"\begin" not in f and r"\tag" not in f]
    for clone in (args.stacks, args.notes, *args.more):
        for _, text in files(clone, ".tex"):
            for part in re.split(r"\n\s*\n", text):
                part = " ".join(re.sub(inline.OUTSIDE, " ", DISPLAYED.sub(" ", part)).split())
                if 80 <= len(part) <= 1500 and part.count("$") >= 2 and part.count("$") % 2 == 0 and is_tuned(part):
                    found = words(inline.expanded(part))
                    if sum(latex.OPEN in w for w in found) >= 1 and len(found) >= 6:
                        real.append(found)
    made = []
    for paragraph in rng.sample(paragraphs(False), TEXTS):
        found = words(paragraph.replace("$", " "))
        for at in range(len(found)):
            if rng.random() < 0.15:
                found[at] = latex.OPEN + rng.choice(pool) + latex.CLOSE + rng.choice(["", "", "", ",", ".", ";", ")", ":"])
        if len(found) >= 6:
            made.append(found)
    return [" ".join(t) for t in rng.sample(real, min(len(real), TEXTS)) + made[:TEXTS]]


def times(where, formula):
    if where == "stacks":
        many = 0.55 if len(formula) > 25 else 0.25
    else:
        many = 0.8 if where == "notes" and len(formula) < 12 else TIMES[where]
    return max(many, 3) if r"\begin" in formula and where != "made up" else many


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("arxiv", "stacks", "notes"):
        p.add_argument(f"--{name}", required=True)
    p.add_argument("--more", nargs="*", default=[])
    p.add_argument("--to", required=True)
    args = p.parse_args()
    found, unread = {}, collections.Counter()

    def add(where, text):
        try:
            formula = latex.one_form(text)
        except latex.Unreadable as why:
            unread[str(why)[:40]] += 1
            return
        if 3 <= len(formula) <= LONGEST:
            found.setdefault(formula, times(where, formula))

    for where, text in sources(args):
        if 12 <= len(text) <= 900:
            add(where, text)
    wanted, maker = len(found) + MADE_UP, made_up.Maker(random.Random(5))
    while len(found) < wanted:
        add("made up", maker.formula())
    numbers = [f"({n})" for n in range(1, 100)] + [f"({a}.{b})" for a in range(1, 10) for b in range(1, 31)]
    mixed = texts(args, list(found), bench(), random.Random(6))
    found |= dict.fromkeys(numbers, 1)
    with open(args.to, "w") as file:
        json.dump({"formulas": list(found.items()), "texts": mixed}, file)
    print(len(found), "formulas,", len(mixed), "texts; not read most often:", unread.most_common(12))


if __name__ == "__main__":
    main()
