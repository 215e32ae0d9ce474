"""Formulas, and text with formulas, as glyphs at places, set by TeX: python typeset.py --formulas FILE.json --to FOLDER

FILE.json: what formula_texts.py collects. Sets each formula as it is and with other letters, and of each text a part, as a line or a
paragraph, in the fonts of STYLES. It keeps what DVI files say of them, and a picture of each glyph (glyphs.npz, formulas.npz:
synth/formulas.py draws with both).
Needs latex, pdflatex and pdftoppm, and texlive-fonts-extra; a machine that trains needs FOLDER alone."""

import argparse
import json
import os
import random
import re
import subprocess
import tempfile

import numpy as np
from PIL import Image

import latex
from synth.formulas import POINT

MATHS = r"\usepackage{amsmath}"
STYLES = (r"\documentclass[10pt]{article}" + MATHS + r"\usepackage{amssymb,mathrsfs,bm}",
          r"\documentclass[12pt]{article}" + MATHS + r"\usepackage{amssymb,mathrsfs,bm}",
          r"\documentclass[11pt]{article}" + MATHS + r"\usepackage{amssymb,mathrsfs,bm,lmodern}",
          r"\documentclass[10pt]{article}" + MATHS + r"\usepackage{amssymb,mathrsfs,bm,mathptmx}",
          r"\documentclass[10pt]{article}" + MATHS + r"\usepackage{amssymb,mathrsfs,bm,mathpazo}",
          r"\documentclass[10pt]{article}" + MATHS + r"\usepackage[T1]{fontenc}\usepackage{newtxtext,newtxmath,mathrsfs}",
          r"\documentclass[10pt]{article}" + MATHS + r"\usepackage[T1]{fontenc}\usepackage{stix2}",
          r"\documentclass[10pt]{article}" + MATHS + r"\usepackage{fourier,mathrsfs}\usepackage{amssymb}",
          r"\documentclass[10pt]{article}" + MATHS + r"\usepackage{txfonts,mathrsfs}",
          r"\documentclass[10pt]{article}" + MATHS + r"\usepackage[T1]{fontenc}\usepackage{newpxtext,newpxmath,mathrsfs}")
SHARES = (6, 3, 2, 3, 1, 3, 1, 1, 2, 1)
GREEK = [rf"\{n}" for n in "alpha beta gamma delta epsilon varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi varphi chi psi omega".split()]
CAPITALS = [rf"\{n}" for n in "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split()]
MOST_GLYPHS = 420  # of a formula or text
IN_TEX = str.maketrans({"’": "'", "‘": "`", "“": "``", "”": "''", "–": "--", "—": "---"})
TOKEN = re.compile(r"\\(?:text|begin|end)\{[^}]*\}(?:\{[lcr|]*\})?|\\[a-zA-Z]+|\\.|.", re.S)


def varied(rng, formula, pool):
    """The formula with other letters and digits, and now and then with a part of another one."""
    if rng.random() < 0.35 and pool:
        groups = [m.span(1) for m in re.finditer(r"(?<=[\w}])\{([^{}]{1,30})\}", formula) if "&" not in m[1]]
        named = re.compile(r"\\(text|begin|end|mathrm|array|mathcal|mathbb|mathfrak|mathscr)$")
        groups = [g for g in groups if not named.search(formula[:g[0] - 1]) and "array" not in formula[g[0] - 9:g[0]]]
        if groups:
            a, b = rng.choice(groups)
            formula = formula[:a] + rng.choice(pool) + formula[b:]
    lower, upper = list("abcdefghijklmnopqrstuvwxyz"), list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    changed = {}
    for names, share in ((lower, 0.5), (upper, 0.5), (GREEK, 0.6), (CAPITALS, 0.5), (list("0123456789"), 0.4)):
        some = [n for n in names if rng.random() < share]
        changed |= dict(zip(some, rng.sample(some, len(some))))
    if rng.random() < 0.15:  # letters become Greek ones, as physics has them
        for letter in rng.sample(lower, 8):
            changed[letter] = rng.choice(GREEK)
    parts, out = TOKEN.findall(formula), []
    for at, t in enumerate(parts):
        inside = re.search(r"\\(mathrm)\{[A-Za-z]*$", "".join(parts[max(0, at - 12):at]))
        fonted = re.search(r"\\(mathcal|mathbb|mathfrak|mathscr)\{$", "".join(parts[max(0, at - 2):at]))
        new = t if inside else changed.get(t, t)
        if fonted and len(new) > 1:
            new = t
        if out and re.fullmatch(r"\\[a-zA-Z]+", out[-1]) and new[0].isalpha():
            out.append(" ")
        if t == " " and out and out[-1] == " ":
            continue
        out.append(new)
    made = "".join(out)
    return re.sub(r"(\\[a-zA-Z]+) (?=[^a-zA-Z])", r"\1", made)


def box_of(rng, text):
    """TeX that sets `text`, a formula by itself, or words with formulas within, as a box."""
    if not latex.is_text(text):
        shown = re.sub(r",(?=[^{}]*$)", r",\\;", text) if rng.random() < 0.33 else text
        return r"\hbox{$\displaystyle %s$}" % shown
    written = rng.choices(["", r"\itshape ", r"\bfseries "], [16, 4, 1])[0] + text.translate(IN_TEX)
    if len(text.split()) < 13 and rng.random() < 0.8:
        return r"\hbox{%s}" % written
    shape = rng.choice(["", "", "", r"\raggedright"]) + rng.choice([r"\parindent0pt", r"\parindent0pt", r"\parindent15pt"])
    return r"\vbox{\hsize%dpt\tolerance9999\emergencystretch3em%s\baselineskip%.1f\baselineskip %s\par}" % (
        rng.choice([rng.randint(130, 260), rng.randint(220, 400)]), shape, rng.uniform(0.95, 1.4), written)


def some_words(rng, text):
    """A part of a text with a formula in it, mostly."""
    pieces = re.findall(r"(?:[^\s\\]|\\(?!\())*\\\(.*?\\\)\S*|\S+", text)
    for _ in range(6):
        many = rng.randint(3, 12) if rng.random() < 0.6 else rng.randint(12, 60)
        first = rng.randrange(max(1, len(pieces) - many + 1))
        part = pieces[first:first + many]
        if any(latex.OPEN in p for p in part):
            break
    return " ".join(part)


def set_formulas(rng, folder, style, formulas):
    """{index: ([(font, character, x, y)], [(x, y, width, height)])} in points of those that TeX takes, y downwards."""
    boxes = [box_of(rng, text) for text in formulas]
    wanted = list(range(len(formulas)))
    for _ in range(12):
        lines = [style, r"\makeatletter\hoffset=-1in\voffset=-1in", r"\begin{document}"]
        at = {}
        for n in wanted:
            lines.append(r"\setbox0%s\count0=%d \count1=%d \shipout\hbox{\raise\dp0\box0}" % (boxes[n], n % 30000, n // 30000))
            at[len(lines)] = n
        lines += [r"\end{document}", ""]
        with open(os.path.join(folder, "f.tex"), "w") as file:
            file.write("\n".join(lines))
        try:  # errors can make it run for ever
            subprocess.run(["latex", "-interaction=nonstopmode", "f.tex"], cwd=folder, capture_output=True, timeout=5 + len(wanted) / 100)
        except subprocess.TimeoutExpired:
            return {}
        with open(os.path.join(folder, "f.log"), errors="replace") as file:
            log = file.read()
        bad = {at[int(n)] for n in re.findall(r"^l\.(\d+)", log, re.M) if int(n) in at}
        if not bad:
            break
        wanted = [n for n in wanted if n not in bad]
    else:
        return {}
    return pages(os.path.join(folder, "f.dvi"))


# DVI's moves: (first byte, how many, the register that a move with a number sets, the one that it adds to)
MOVES = ((143, 4, None, "h"), (147, 5, "w", "h"), (152, 5, "x", "h"), (157, 4, None, "v"), (161, 5, "y", "v"), (166, 5, "z", "v"))


def pages(path):
    """What the pages of a DVI file hold, by \\count0 and \\count1."""
    with open(path, "rb") as file:
        data = file.read()
    out, at, fonts, widths, unit = {}, 0, {}, {}, 1 / 65536

    def take(count, signed=False):
        nonlocal at
        at += count
        return int.from_bytes(data[at - count:at], "big", signed=signed)

    while at < len(data):
        op = take(1)
        move = next((m for m in MOVES if m[0] <= op < m[0] + m[1]), None)
        if op <= 131 or 133 <= op <= 136:  # a character; up to 131 it moves on
            c = op if op <= 127 else take(op - (127 if op <= 131 else 132))
            name, size = fonts[font]
            glyphs.append((name, round(size * unit, 3), c, place["h"] * unit, place["v"] * unit))
            if op <= 131:
                place["h"] += width_of(name, size, c, widths)
        elif op in (132, 137):
            height, width = take(4, True), take(4, True)
            if height > 0 and width > 0:
                rules.append((place["h"] * unit, (place["v"] - height) * unit, width * unit, height * unit))
            place["h"] += width if op == 132 else 0
        elif move:
            first, _, register, to = move
            count = op - first + (register is None)
            step = take(count, True) if count else place[register]
            if register:
                place[register] = step
            place[to] += step
        elif op == 139:
            key = take(4) + 30000 * take(4)
            at += 36
            place, stack, glyphs, rules = dict.fromkeys("hvwxyz", 0), [], [], []
        elif op == 140:
            out[key] = (glyphs, rules)
        elif op == 141:
            stack.append(dict(place))
        elif op == 142:
            place = stack.pop()
        elif 171 <= op <= 238:
            font = op - 171 if op <= 234 else take(op - 234)
        elif 239 <= op <= 242:  # a note to a driver
            length = take(op - 238)
            at += length
        elif 243 <= op <= 246:
            number, _, size, _ = take(op - 242), take(4), take(4), take(4)
            length = take(1) + take(1)
            fonts[number] = data[at:at + length].decode(), size
            at += length
        elif op == 247:
            at += 13
            length = take(1)
            at += length
        elif op == 248:
            break
        elif op != 138:
            raise ValueError(f"DVI: byte {op} at {at}")
    return out


def width_of(name, size, c, known):
    """A character's width, as the TFM file says."""
    if name not in known:
        path = subprocess.run(["kpsewhich", name + ".tfm"], capture_output=True, text=True).stdout.strip()
        with open(path, "rb") as file:
            d = file.read()
        lf, lh, bc, ec, nw = (int.from_bytes(d[i:i + 2], "big") for i in range(0, 10, 2))
        info, widths = 24 + 4 * lh, 24 + 4 * lh + 4 * (ec - bc + 1)
        known[name] = {bc + i: int.from_bytes(d[widths + 4 * d[info + 4 * i]:widths + 4 * d[info + 4 * i] + 4], "big", signed=True)
                       for i in range(ec - bc + 1)}
    return known[name].get(c, 0) * size >> 20


def pictures(folder, glyphs):
    """{(font, size, character): (gray picture, x, y)}: darkness, and where its corner lies from the glyph's origin, pixels."""
    out, side, origin = {}, 120, (20, 60)
    glyphs = sorted(glyphs)
    for first in range(0, len(glyphs), 500):
        some = glyphs[first:first + 500]
        lines = [r"\documentclass{minimal}", r"\pdfpagewidth=%dbp\pdfpageheight=%dbp\pdfhorigin=0pt\pdfvorigin=0pt" % (side, side),
                 r"\hoffset=0pt\voffset=0pt\topskip=0pt", r"\begin{document}"]
        for name, at, c in some:
            lines.append(r"\font\f=%s at %.3fpt \shipout\hbox{\kern%dbp\lower%dbp\hbox{\f\char%d}}" % (name, at, *origin, c))
        lines += [r"\end{document}", ""]
        with open(os.path.join(folder, "g.tex"), "w") as file:
            file.write("\n".join(lines))
        subprocess.run(["pdflatex", "-interaction=nonstopmode", "g.tex"], cwd=folder, capture_output=True)
        dpi = POINT * 72.27
        for old in os.listdir(folder):
            if old.startswith("g-"):
                os.remove(os.path.join(folder, old))
        subprocess.run(["pdftoppm", "-gray", "-r", str(dpi), "g.pdf", "g"], cwd=folder, check=True)
        made = sorted(n for n in os.listdir(folder) if re.fullmatch(r"g-\d+\.pgm", n))
        if len(made) != len(some):
            raise ValueError(f"{len(made)} glyphs of {len(some)}")
        for key, file in zip(some, made):
            page = 255 - np.asarray(Image.open(os.path.join(folder, file)).convert("L"))
            rows, columns = np.nonzero(page.max(1))[0], np.nonzero(page.max(0))[0]
            if len(rows):
                box = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
                x, y = origin[0] * dpi / 72, origin[1] * dpi / 72
                out[key] = page[box[1]:box[3], box[0]:box[2]], box[0] - x, box[1] - y
    return out


def write(folder, formulas, drawn):
    """formulas.npz and glyphs.npz. `formulas`: [(LaTeX, glyphs, rules)]."""
    number = {key: i for i, key in enumerate(drawn)}
    flat = np.concatenate([p.ravel() for p, *_ in drawn.values()])
    np.savez_compressed(os.path.join(folder, "glyphs.npz"), pixels=flat // 16, shapes=np.array([p.shape for p, *_ in drawn.values()], np.uint16),
                        corners=np.round([(x, y) for _, x, y in drawn.values()]).astype(np.int16))
    glyphs, bars, counts, texts = [], [], [], []
    for text, places, rules in formulas:
        if "\n" in text or any((n, s, c) not in number for n, s, c, *_ in places):
            continue
        corner = np.array([(x * POINT, y * POINT) for *_, x, y in places]).round()
        boxes = np.array([(x, y, w, max(h, 0.2)) for x, y, w, h in rules], np.float64).reshape(-1, 4) * POINT
        texts.append(text)
        counts.append((len(places), len(boxes)))
        glyphs += [(number[n, s, c], *at) for (n, s, c, *_), at in zip(places, corner)]
        bars += boxes.round().astype(int).tolist()
    glyphs = np.array(glyphs)
    np.savez_compressed(os.path.join(folder, "formulas.npz"), kinds=glyphs[:, 0].astype(np.uint16), x=glyphs[:, 1].astype(np.int16),
                        y=glyphs[:, 2].astype(np.int16), bars=np.array(bars, np.int16).reshape(-1, 4),
                        counts=np.array(counts, np.uint16), texts=np.frombuffer("\n".join(texts).encode(), np.uint8))
    return len(texts)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--formulas", required=True)
    p.add_argument("--to", required=True)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--at-once", type=int, default=1000)
    args = p.parse_args()
    os.makedirs(args.to, exist_ok=True)
    rng = random.Random(args.seed)
    with open(args.formulas) as file:
        given = json.load(file)
    wanted = given["formulas"]  # [(formula, how many variants)]
    pool = [g for f, _ in wanted[::5] for g in re.findall(r"(?<=[\w}])\{([^{}&]{1,20})\}", f) if not re.fullmatch(r"[A-Za-z]{3,}|[lcr|]+", g)]
    jobs = []
    for formula, many in wanted:
        for number in range(int(many) + (rng.random() < many % 1)):
            jobs.append(formula if number == 0 else varied(rng, formula, pool))
    jobs += [some_words(rng, text) for text in given["texts"]]
    rng.shuffle(jobs)
    done, seen = [], set()
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, len(jobs), args.at_once):
            some = jobs[first:first + args.at_once]
            style = rng.choices(STYLES, SHARES)[0]
            for n, (glyphs, rules) in set_formulas(rng, folder, style, some).items():
                if glyphs and len(glyphs) <= MOST_GLYPHS:
                    done.append((some[n], glyphs, rules))
                    seen.update(g[:3] for g in glyphs)
            print(len(done), "of", first + len(some), len(seen), "glyphs", flush=True)
        drawn = pictures(folder, seen)
    print(write(args.to, done, drawn), "formulas,", len(drawn), "glyphs")


if __name__ == "__main__":
    main()
