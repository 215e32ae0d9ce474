#!/usr/bin/env python3
"""Whether `--lang auto` finds the script of pages of ocr_pages.py, and says so where nothing reads one.

    ocr_scripts.py DOCSPEC OUT.json [--seed S] [--pages N] [--top SHARE] [--langs ...] [--tessdata FOLDER]

Draws N pages a language, clean and degraded, the upper SHARE of each, and converts them in one run, in an order
in which scripts alternate. A page is right if most letters of its text are of its script, or, where FOLDER
(TESSDATA_PREFIX) lacks its language, if it has no text, is `fallback` and names the package. For languages that are
none (`hand`) and those of --refuse, a page is right if it is `fallback`. Needs Pillow with raqm.
"""
import argparse
import collections
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import unicodedata

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = {"eng": ("LATIN",), "deu": ("LATIN",), "fra": ("LATIN",), "rus": ("CYRILLIC",), "ell": ("GREEK",),
           "chi_sim": ("CJK",), "jpn": ("CJK", "HIRAGANA", "KATAKANA"), "kor": ("HANGUL",), "ara": ("ARABIC",),
           "heb": ("HEBREW",)}


def share_of_script(text, language):
    names = [unicodedata.name(c, "").split(" ")[0] for c in text if c.isalpha()]
    return sum(name in SCRIPTS[language] for name in names) / max(1, len(names)), len(names)


def verdict(page, language, missing):
    """What is wrong with a page's Markdown, or nothing."""
    fallback = "<!-- page 1: fallback" in page
    text = "\n".join(line for line in page.splitlines() if not line.startswith("<!--"))
    if language not in SCRIPTS:
        return "" if fallback else "ok"
    share, letters = share_of_script(text, language)
    if missing:
        package = "tesseract-ocr-" + language.replace("_", "-")
        return "" if fallback and not text.strip() and package in page else f"not refused, {letters} letters"
    if fallback:
        return "refused: " + page.splitlines()[0][:120]
    return "" if share > 0.6 and letters > 50 else f"{share:.2f} of {letters} letters"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docspec")
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=5)
    parser.add_argument("--top", type=float, default=0.25)
    parser.add_argument("--langs", default="eng,deu,fra,rus,ell,chi_sim,jpn,kor,ara,heb")
    parser.add_argument("--tessdata")
    options = parser.parse_args()
    environment = dict(os.environ)
    if options.tessdata:
        environment["TESSDATA_PREFIX"] = options.tessdata
    rows, wrong = collections.Counter(), {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(HERE, "ocr_pages.py"), folder + "/pages", "--seed", str(options.seed),
                        "--pages", str(options.pages), "--langs", options.langs, "--top", str(options.top)], check=True)
        pages = sorted(glob.glob(folder + "/pages/*.png"))
        random.Random(options.seed).shuffle(pages)
        os.mkdir(folder + "/in")
        names = []
        for i, page in enumerate(pages):
            names.append(f"{i:03d}-{os.path.basename(page)}")
            os.rename(page, f"{folder}/in/{names[-1]}")
        command = [options.docspec, "convert", folder + "/in", "--model", "none", "--jobs", "1", "--page-timeout", "600",
                   "-o", folder + "/out"]
        code = subprocess.run(command, env=environment, stderr=subprocess.DEVNULL).returncode
        for name in names:
            _, language, kind, _ = name.split("-")
            path = f"{folder}/out/{name[:-4]}.md"
            page = open(path, encoding="utf-8").read() if os.path.exists(path) else "<!-- missing -->"
            missing = options.tessdata and language in SCRIPTS and not os.path.exists(
                f"{options.tessdata}/{language}.traineddata")
            said = verdict(page, language, missing)
            rows[f"{language} {kind}" + (" right" if not said else " wrong")] += 1
            if said:
                wrong[name] = said
            print(name, said or "right", flush=True)
    result = {"command": " ".join(["tests/bench/ocr_scripts.py", "DOCSPEC", "OUT", *sys.argv[3:]]), "exit": code,
              "pages": len(names), "right": len(names) - len(wrong), "wrong": wrong, "by language": dict(sorted(rows.items()))}
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


main()
