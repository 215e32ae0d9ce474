#!/usr/bin/env python3
"""Share of OCR's words that are right, by the confidence that docspec gives them.

    ocr_confidence.py DOCSPEC OUT.json IMAGE... [--engines tesseract,ppocr] [--lang LANGS]

Beside each IMAGE stands STEM.txt, its text. A word is right if the text has it, upper and lower case alike, as often as
it was read (a bag of words: a right word in a wrong place counts). Reports each bin's words, their mean confidence and
the share that is right, and the expected calibration error: the mean distance of the two, each bin by its words.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

EDGES = [0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001]


def words_of(docspec, image, engine, language):
    with tempfile.TemporaryDirectory() as folder:
        out = folder + "/drafts.json"
        command = [docspec, "draft", image, "-o", out, "--draft", engine, "--lang", language]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        for page in json.load(open(out, encoding="utf-8"))["pages"]:
            for draft in page["drafts"]:
                if draft["source"] == engine:
                    yield from ((w["text"].lower(), w["confidence"]) for w in draft.get("words", []) if "confidence" in w)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("docspec")
    parser.add_argument("out")
    parser.add_argument("images", nargs="+")
    parser.add_argument("--engines", default="tesseract,ppocr")
    parser.add_argument("--lang", default="eng")
    options = parser.parse_args()
    result = {"command": "tests/bench/ocr_confidence.py DOCSPEC OUT IMAGE... --engines " + options.engines,
              "pages": len(options.images), "engines": {}}
    for engine in options.engines.split(","):
        bins = [[0, 0.0, 0] for _ in EDGES[1:]]
        for image in options.images:
            with open(os.path.splitext(image)[0] + ".txt", encoding="utf-8", errors="replace") as file:
                left = collections.Counter(file.read().lower().split())
            for text, confidence in words_of(options.docspec, image, engine, options.lang):
                at = next(i for i in range(len(bins)) if confidence < EDGES[i + 1])
                right = left[text] > 0
                left[text] -= right
                bins[at][0] += 1
                bins[at][1] += confidence
                bins[at][2] += right
            print(engine, os.path.basename(image), file=sys.stderr, flush=True)
        total = sum(count for count, _, _ in bins)
        result["engines"][engine] = {
            "words": total,
            "right": round(sum(right for _, _, right in bins) / max(1, total), 4),
            "calibration error": round(sum(abs(sure - right) for _, sure, right in bins) / max(1, total), 4),
            "bins": [{"from": EDGES[i], "words": count, "mean confidence": round(sure / count, 3), "right": round(right / count, 3)}
                     for i, (count, sure, right) in enumerate(bins) if count],
        }
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    print(json.dumps(result["engines"]))


main()
