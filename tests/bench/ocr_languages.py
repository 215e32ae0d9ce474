#!/usr/bin/env python3
"""Character errors of docspec's OCR on pages of ocr_pages.py, by language and engine.

    ocr_languages.py DOCSPEC PAGES OUT.json [--engines tesseract,ppocr,tesseract+ppocr] [--top SHARE]

For each engine one `docspec convert --model none --lang auto` of all LANG-KIND-N.png in PAGES; CER against
LANG-KIND-N.txt, blanks collapsed (in Chinese and Japanese taken out). --top 0.3 reads the upper part of each page alone.
CPU seconds are those of docspec and its workers, start included, a page; memory is the largest that docspec reports.
Needs Pillow and rapidfuzz.
"""
import argparse
import collections
import datetime
import glob
import json
import os
import platform
import re
import resource
import subprocess
import tempfile

from PIL import Image
from rapidfuzz.distance import Levenshtein


def plain(text, language):
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S).replace("\\", "").replace("&amp;", "&").replace("&lt;", "<")
    text = re.sub(r"^[#>*-]+ ", "", text, flags=re.M)
    return "".join(text.split()) if language in ("chi_sim", "jpn", "tha") else " ".join(text.split())


def best_error(truth_lines, read, language, top):
    """CER; of a cut page the number of lines that were on it is the one that fits best."""
    read = plain(read, language)
    counts = range(len(truth_lines) + 1) if top < 1 else [len(truth_lines)]
    errors = []
    for count in counts:
        truth = plain("\n".join(truth_lines[:count]), language)
        if truth and (top == 1 or abs(len(truth) - len(read)) < 200 or count == len(truth_lines)):
            errors.append((Levenshtein.distance(truth, read), len(truth)))
    return min(errors, key=lambda e: e[0] / e[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docspec")
    parser.add_argument("pages")
    parser.add_argument("out")
    parser.add_argument("--engines", default="tesseract,ppocr,tesseract+ppocr")
    parser.add_argument("--top", type=float, default=1.0)
    options = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            cwd=os.path.dirname(os.path.abspath(__file__))).stdout.strip()
    result = {"commit": commit, "date": datetime.date.today().isoformat(),
              "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}",
              "top": options.top, "engines": {}}
    names = sorted(glob.glob(os.path.join(options.pages, "*.png")))
    with tempfile.TemporaryDirectory() as folder:
        inputs = []
        for name in names:
            image = Image.open(name)
            inputs.append(os.path.join(folder, os.path.basename(name)))
            image.crop((0, 0, image.width, round(image.height * options.top))).save(inputs[-1], dpi=(200, 200))
        for engine in options.engines.split(","):
            out = os.path.join(folder, engine)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            run = subprocess.run([options.docspec, "convert", *inputs, "--model", "none", "--lang", "auto", "--jobs", "1",
                                  "--page-timeout", "600", "--draft", engine.replace("+", ","), "-o", out + "/"],
                                 capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            memory = re.search(r"peak memory (\d+) MB", run.stderr)
            totals, statuses = collections.defaultdict(lambda: [0, 0]), collections.Counter()
            for name in names:
                stem = os.path.splitext(os.path.basename(name))[0]
                language, kind, _ = stem.split("-")
                text = open(os.path.join(out, stem + ".md"), encoding="utf-8").read()
                truth = open(name[:-4] + ".txt", encoding="utf-8").read().splitlines()
                distance, length = best_error(truth, text, language, options.top)
                totals[f"{language} {kind}"][0] += distance
                totals[f"{language} {kind}"][1] += length
                statuses["fallback" if "<!-- page 1: fallback" in text else "ok"] += 1
            result["engines"][engine] = {
                "exit": run.returncode, "pages": statuses, "cpu seconds a page": round(seconds / len(names), 2),
                "peak memory MB": int(memory.group(1)) if memory else None,
                "cer": {key: round(d / max(1, n), 4) for key, (d, n) in sorted(totals.items())}}
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    print(json.dumps(result["engines"], indent=1))


main()
