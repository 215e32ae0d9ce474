#!/usr/bin/env python3
"""Pages of text with their truth in several languages, for the OCR benches.

    ocr_pages.py OUT [--pages N] [--seed S] [--langs eng,deu,...] [--kinds clean,degraded] [--top SHARE]

Text: messages of Debian's own translations (/usr/share/locale/*/LC_MESSAGES/*.mo); fonts: Debian's
(fonts-dejavu-core, fonts-liberation2, fonts-freefont-ttf, fonts-noto-cjk, fonts-noto-core, and the handwriting
fonts named below), which may also lie below the folder OCR_FONTS. Needs Pillow with raqm. Writes LANG-KIND-N.png (A4,
200 dpi, or the upper SHARE of it; 'degraded': turned up to a degree, blurred, noise, uneven light, JPEG; 'spread': this page
and the one two on, side by side in an open book whose paper bends towards the spine, degraded) and LANG-KIND-N.txt, a line of
text a line.
"""
import argparse
import gettext
import glob
import io
import math
import os
import random
import re

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

DEJAVU = ["DejaVuSans.ttf", "DejaVuSerif.ttf", "LiberationSerif-Regular.ttf", "LiberationSans-Regular.ttf",
          "FreeSerif.ttf", "FreeSans.ttf"]
CJK = ["NotoSansCJK-Regular.ttc", "NotoSerifCJK-Regular.ttc"]
# language -> locale, fonts, letters that a message must consist of mostly, face index of the CJK collections
LANGUAGES = {
    "eng": ("en_GB", DEJAVU, r"[A-Za-z]", 0),
    "deu": ("de", DEJAVU, r"[A-Za-zÄÖÜäöüß]", 0),
    "fra": ("fr", DEJAVU, r"[A-Za-zÀ-ÿœŒ]", 0),
    "rus": ("ru", DEJAVU, r"[А-яЁё]", 0),
    "ell": ("el", DEJAVU, r"[Ͱ-Ͽ]", 0),
    "chi_sim": ("zh_CN", CJK, r"[\u4e00-\u9fff]", 2),
    "jpn": ("ja", CJK, r"[\u3040-\u30ff\u4e00-\u9fff]", 0),
    "kor": ("ko", CJK, r"[\uac00-\ud7af]", 1),
    "ara": ("ar", ["NotoNaskhArabic-Regular.ttf", "DejaVuSans.ttf"], r"[\u0600-\u06ff]", 0),
    "heb": ("he", ["FreeSerif.ttf", "DejaVuSans.ttf"], r"[\u0590-\u05ff]", 0),
    "tha": ("th", ["NotoSansThai-Regular.ttf", "NotoSerifThai-Regular.ttf"], r"[\u0e00-\u0e7f]", 0),
    "hin": ("hi", ["NotoSansDevanagari-Regular.ttf", "NotoSerifDevanagari-Regular.ttf"], r"[\u0900-\u097f]", 0),
    "ben": ("bn", ["NotoSansBengali-Regular.ttf", "NotoSerifBengali-Regular.ttf"], r"[\u0980-\u09ff]", 0),
    "kat": ("ka", ["DejaVuSans.ttf", "DejaVuSerif.ttf"], r"[\u10a0-\u10ff]", 0),
    "hye": ("hy", ["DejaVuSans.ttf", "FreeSerif.ttf"], r"[\u0530-\u058f]", 0),
    "tam": ("ta", ["NotoSansTamil-Regular.ttf", "NotoSerifTamil-Regular.ttf"], r"[\u0b80-\u0bff]", 0),
    # Handwriting: English in fonts made of hands.
    "hand": ("en_GB", ["dkg.ttf", "Breip.ttf", "femkeklaver.ttf", "Joscelyn-Regular.otf", "Rufscript010.ttf",
                       "Delphine.ttf", "SteveHand.ttf", "dkgIt.ttf", "BecauseWeBuild-Regular.otf",
                       "BecauseWeConnect-Regular.otf"], r"[A-Za-z]", 0),
}
SPACELESS = ("chi_sim", "jpn", "tha")
RIGHT_TO_LEFT = ("ara", "heb")


def font_file(name):
    for folder in ("/usr/share/fonts", "/usr/local/share/fonts", os.environ.get("OCR_FONTS", "")):
        found = sorted(glob.glob(f"{folder}/**/{name}", recursive=True))
        if found:
            return found[0]
    return None


def messages(language):
    """Sentences of a language, in a fixed order."""
    locale, _, letters, _ = LANGUAGES[language]
    out = set()
    for path in sorted(glob.glob(f"/usr/share/locale/{locale}/LC_MESSAGES/*.mo")):
        with open(path, "rb") as file:
            try:
                catalog = gettext.GNUTranslations(file)._catalog
            except (OSError, UnicodeDecodeError, IndexError):
                continue
        for key, value in catalog.items():
            if key and isinstance(value, str):
                out.update([key, value] if language in ("eng", "hand") and isinstance(key, str) else [value])
    clean = []
    for text in sorted(out):
        text = " ".join(text.split())
        if not 20 <= len(text) <= 300 or re.search(r"[%\\<>{}_|~^*$#@=`\[\]\u200b-\u200f\u202a-\u202e\x00-\x1f]|--|\.\.\.", text):
            continue
        if len(re.findall(letters, text)) >= 0.75 * len(text.replace(" ", "")):
            clean.append(text)
    random.Random(1).shuffle(clean)
    return clean


def lines_of(texts, font, width, language):
    """Fills lines with the texts' words; yields them without end."""
    line = ""
    spaceless = language in SPACELESS
    while True:
        for piece in (next(texts) if spaceless else next(texts).split(" ")):
            joined = line + piece if spaceless or not line else line + " " + piece
            if font.getlength(joined) > width and line:
                yield line.strip()
                line = piece
            else:
                line = joined


def write_by_hand(draw, x, y, line, font, rng):
    """Letters that keep neither the line nor one distance."""
    drift = rng.uniform(-0.02, 0.02)
    for letter in line:
        draw.text((x, y + (x - 190) * drift + rng.gauss(0, font.size * 0.03)), letter, fill=(20, 20, 90), font=font)
        x += font.getlength(letter) * rng.uniform(0.93, 1.07)


def draw_page(language, number, rng, texts, height=2339):
    _, fonts, _, face = LANGUAGES[language]
    names = [name for name in fonts if font_file(name)]
    if not names:
        raise SystemExit(f"ocr_pages.py: none of the fonts {fonts} for {language} is installed")
    dpi = 200
    page = Image.new("RGB", (1654, height), "white")
    draw = ImageDraw.Draw(page)
    size = round(rng.uniform(9.5, 12) * dpi / 72)
    if language == "hand":
        size = round(size * 1.3)
    font = ImageFont.truetype(font_file(names[number % len(names)]), size, index=face if language in ("chi_sim", "jpn", "kor") else 0)
    left, right, y = 190, 1654 - 190, 210
    truth = []

    def supply():
        while True:
            yield texts[supply.at % len(texts)]
            supply.at += 1
    supply.at = number * 97
    for line in lines_of(supply(), font, right - left, language):
        if y > height - min(260, height // 8):
            break
        rtl = language in RIGHT_TO_LEFT
        x = right - font.getlength(line, direction="rtl") if rtl else left
        if language == "hand":
            write_by_hand(draw, x, y, line, font, rng)
        else:
            draw.text((x, y), line, fill="black", font=font, direction="rtl" if rtl else None)
        truth.append(line)
        y += round(size * (1.9 if language == "hand" else 1.45))
        if len(truth) % 9 == 0:
            y += round(size * 0.8)
    return page, truth


def degraded(page, rng):
    page = page.rotate(rng.uniform(-1, 1), resample=Image.BICUBIC, fillcolor="white", expand=False)
    page = page.filter(ImageFilter.GaussianBlur(rng.uniform(0.6, 1.0)))
    width, height = page.size
    light = Image.linear_gradient("L").resize((width, height)).point(lambda v: 205 + v * 50 // 255)
    page = ImageChops.multiply(page, Image.merge("RGB", [light] * 3))
    noise = Image.effect_noise((width, height), 22).convert("L")
    page = Image.blend(page, Image.merge("RGB", [noise] * 3), 0.12)
    data = io.BytesIO()
    page.convert("L").save(data, "JPEG", quality=45)
    return Image.open(io.BytesIO(data.getvalue())).convert("RGB")


def bent(page, spine_left, depth):
    """Moves the page's columns down by `depth` of its height at the spine, by e^-7 of that at its other edge."""
    width, height = page.size
    step, parts = 16, []

    def drop(x):
        return depth * height * math.exp(-7 * (x if spine_left else width - x) / width)
    for x in range(0, width, step):
        end = min(width, x + step)
        parts.append(((x, 0, end, height),
                      (x, -drop(x), x, height - drop(x), end, height - drop(end), end, -drop(end))))
    white = Image.new("RGB", (width, height + 200), "white")
    white.paste(page, (0, 100))
    parts = [(box, [v + 100 if i % 2 else v for i, v in enumerate(corners)]) for box, corners in parts]
    return white.transform(page.size, Image.MESH, parts, Image.BILINEAR)


def spread(left, right, rng):
    inner = 130  # of each page's margin the spine takes
    width, height = left.size[0] - inner, left.size[1]
    depth = rng.uniform(0.012, 0.03)
    out = Image.new("RGB", (2 * width, height), "white")
    out.paste(bent(left, False, depth).crop((0, 0, width, height)), (0, 0))
    out.paste(bent(right, True, depth).crop((inner, 0, inner + width, height)), (width, 0))
    shade = Image.new("L", (2 * width, 1))
    shade.putdata([round(255 * (1 - 0.55 * math.exp(-abs(x - width) / 60))) for x in range(2 * width)])
    return degraded(ImageChops.multiply(out, Image.merge("RGB", [shade.resize(out.size)] * 3)), rng)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--pages", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--langs", default="eng,deu,fra,rus,ell,chi_sim,jpn,kor")
    parser.add_argument("--kinds", default="clean,degraded")
    parser.add_argument("--top", type=float, default=1)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    for language in options.langs.split(","):
        texts = messages(language)
        if len(texts) < 20:
            raise SystemExit(f"ocr_pages.py: {len(texts)} messages for {language} in /usr/share/locale")
        for number in range(options.pages):
            rng = random.Random(f"{options.seed} {language} {number}")
            page, truth = draw_page(language, number + 50 * options.seed, rng, texts, round(2339 * options.top))
            for kind in options.kinds.split(","):
                name = f"{options.out}/{language}-{kind}-{number}"
                image, lines = page, truth
                if kind == "degraded":
                    image = degraded(page, rng)
                elif kind == "spread":
                    right, more = draw_page(language, number + 50 * options.seed + 2, rng, texts, page.size[1])
                    image, lines = spread(page, right, rng), truth + more
                image.save(name + ".png", dpi=(200, 200))
                with open(name + ".txt", "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
