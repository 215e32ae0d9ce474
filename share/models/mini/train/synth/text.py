"""What synthetic documents say: prose that Debian and Python install, numbers, codes, random strings."""

import glob
import gzip
import hashlib
import html
import json
import os
import re

PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
ACCENTED = "ÀÁÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÙÚÜßàáâäåæçèéêëìíîïñòóôöøùúûüýÿœ"
SIGNS = "–—‘’“”•…§©®°±²³µ¶·×£€™«»†"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
CHARSET = LETTERS + LETTERS.upper() + "0123456789" + PUNCTUATION + ACCENTED + SIGNS

SOURCES = ("/usr/share/perl/*/pod/*.pod", "/usr/share/perl/*/**/*.pod", "/usr/share/common-licenses/*",
           "/usr/share/doc/**/*.txt", "/usr/share/doc/**/*.md", "/usr/share/doc/**/*.html",
           "/usr/share/doc/**/README*", "/usr/share/doc/**/copyright", "/usr/lib/python3*/**/*.py",
           "/usr/share/man/de/man*/*.gz", "/usr/share/man/fr/man*/*.gz", "/usr/share/man/es/man*/*.gz", "/usr/share/man/it/man*/*.gz")
HELD_OUT_SHARE = 16  # one file in so many is never trained on
FILE_BYTES = 400_000
TOTAL_BYTES = 24_000_000


def _manual(text):
    """The running text of a manual page."""
    text = re.sub(r"(?m)^\.(?:[BIR]|BR|RB|IR|RI|BI|IB) (.*)$", lambda m: m[1].replace('"', ""), text)
    text = re.sub(r"(?m)^[.'].*$", "\n", text)
    text = re.sub(r"\\f(?:\[\w*\]|\(\w\w|\w)|\\&|\\/|\\,|\\[|^]", "", text)
    return text.replace("\\-", "-").replace("\\(aq", "'").replace("\\~", " ").replace("\\ ", " ").replace("\\(bu", "•")


def _plain(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", errors="ignore") as file:
        text = file.read(FILE_BYTES)
    if "/man/" in path:
        text = _manual(text)
    if path.endswith(".html"):
        text = re.sub(r"(?s)<(script|style).*?</\1>", " ", text)
        text = re.sub(r"</(p|li|td|h\d|div|tr)>", "\n\n", text)
        text = re.sub(r"<[^>]+>", "", text)
        text = html.unescape(text)
    elif path.endswith(".py"):
        text = "\n\n".join(re.findall(r'(?s)"""(.*?)"""', text))
    elif path.endswith(".pod"):
        text = re.sub(r"(?m)^=.*$", "", text)
        for _ in range(2):
            text = re.sub(r"[A-Z]<<* ?([^<>]*?) ?>>*", r"\1", text)
    return text


def _is_prose(paragraph):
    if not 60 <= len(paragraph) <= 1500 or "`" in paragraph:
        return False
    letters = sum(c.isalpha() or c == " " for c in paragraph)
    return letters > 0.88 * len(paragraph) and set(paragraph) <= set(CHARSET + " ")


def _held_out(path):
    return hashlib.sha256(os.path.basename(path).encode()).digest()[0] % HELD_OUT_SHARE == 0


def paragraphs(held_out, kept=None):
    """Paragraphs of prose, in a fixed order; the two halves share no file and no paragraph. kept: a .json.gz for
    them, written at the first call and read at later ones; a machine without these packages can be given it."""
    if kept and os.path.exists(kept):
        with gzip.open(kept, "rt", encoding="utf-8") as file:
            return json.load(file)[held_out]
    halves = _halves()
    if kept:
        with gzip.open(f"{kept}.{os.getpid()}", "wt", encoding="utf-8") as file:
            json.dump([halves[False], halves[True]], file, ensure_ascii=False)
        os.replace(f"{kept}.{os.getpid()}", kept)
    return halves[held_out]


def _halves():
    halves, seen, total = {False: [], True: []}, set(), 0
    paths = sorted({os.path.realpath(p) for s in SOURCES for p in glob.glob(s, recursive=True)})
    for path in sorted(paths, key=lambda p: hashlib.sha256(p.encode()).digest()):
        digest = hashlib.sha256(path.encode()).digest()
        if not os.path.isfile(path) or total > TOTAL_BYTES or "/man/" in path and digest[1] % 4:  # other languages: a fifth
            continue
        for paragraph in re.split(r"\n\s*\n", _plain(path)):
            if paragraph.startswith(("    ", "\t")):
                continue
            paragraph = " ".join(paragraph.split())
            if _is_prose(paragraph) and paragraph not in seen:
                seen.add(paragraph)
                total += len(paragraph)
                halves[_held_out(path)].append(paragraph)
    return halves


class Writer:
    """Writes the texts of a document. `rng`: random.Random; `prose`: paragraphs()."""

    def __init__(self, rng, prose, random_share=0.12):
        self.rng, self.prose, self.random_share = rng, prose, random_share

    def code(self):
        """A word without meaning: random letters, numbers, dates, codes."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.35:
            return "".join(rng.choice(LETTERS) for _ in range(rng.randint(2, 10)))
        if kind < 0.5:
            return "".join(rng.choice(LETTERS.upper()) for _ in range(rng.randint(2, 7)))
        if kind < 0.6:
            return "".join(rng.choice(LETTERS + ACCENTED) for _ in range(rng.randint(3, 9)))
        if kind < 0.72:
            return "".join(rng.choice(CHARSET) for _ in range(rng.randint(1, 7)))
        return self.number()

    def number(self):
        rng = self.rng
        kind = rng.randrange(8)
        if kind == 0:
            return str(rng.randint(0, 99))
        if kind == 1:
            return f"{rng.randint(0, 999_999):,}"
        if kind == 2:
            return f"{rng.uniform(0, 1000):.{rng.randint(1, 3)}f}"
        if kind == 3:
            return f"{rng.randint(1900, 2030)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        if kind == 4:
            return rng.choice("$€£") + f"{rng.uniform(1, 9999):,.2f}"
        if kind == 5:
            return f"{rng.uniform(0, 100):.1f}" + rng.choice(["%", " %", "°", " cm", " kg", "±2"])
        if kind == 6:
            return rng.choice("ABCDEFGHKLMNPRSTXZ") + rng.choice(["", "-"]) + str(rng.randint(1, 99999))
        return f"{rng.randint(1, 31)}/{rng.randint(1, 12)}/{rng.randint(0, 99):02}"

    def words(self, count):
        """`count` words that run on: prose with a share of codes and changed cases and quotes."""
        rng, out = self.rng, []
        while len(out) < count:
            words = rng.choice(self.prose).split()
            start = 0 if rng.random() < 0.6 else rng.randrange(len(words))
            out += words[start:start + rng.randint(8, 60)]
        out = out[:count]
        plain, cites = rng.random() < 0.4, rng.random() < 0.15
        for i in range(len(out)):
            if not plain and rng.random() < self.random_share:
                out[i] = self.code()
            elif cites and rng.random() < 0.06:
                out[i] = rng.choice(["[{}]", "[{}],", "[{}].", "({})", "Table {}", "Fig. {}", "{}"]).format(rng.randint(1, 60))
            elif rng.random() < 0.01:
                out[i] = out[i].upper()
            elif rng.random() < 0.012:
                left, right = rng.choice([("“", "”"), ("‘", "’"), ("(", ")"), ("«", "»"), ("[", "]"), ('"', '"')])
                out[i] = left + out[i] + right
        text = " ".join(out)
        if rng.random() < 0.5:
            text = text.replace("'", "’").replace(" - ", " – ").replace("--", "—")
        return text

    def sentence(self, low, high):
        text = self.words(self.rng.randint(low, high))
        return text[:1].upper() + text[1:]

    def heading(self):
        text = self.sentence(1, 7).rstrip(".,;: ") or self.number()
        kind = self.rng.random()
        return text.upper() if kind < 0.1 else text.title() if kind < 0.4 else text

    def cell(self):
        kind = self.rng.random()
        if kind < 0.5:
            return self.number()
        return self.code() if kind < 0.6 else self.sentence(1, 3)
