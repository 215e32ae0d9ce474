"""The free fonts of synthetic documents, and the families that training never sees."""

import functools
import glob
import os

from fontTools.ttLib import TTFont
from PIL import ImageFont

from .text import CHARSET

# Name starts of font files that read as running text; packages are listed in README.md.
TEXT_FILES = ("DejaVuSans", "DejaVuSerif", "Liberation", "FreeS", "FreeMono", "Nimbus", "P052", "C059", "URWB",
              "NotoSans-", "NotoSerif-", "NotoSansMono-", "NotoSansDisplay-", "NotoSerifDisplay-", "Lato-", "Roboto", "OpenSans",
              "LinLibertine_R", "LinLibertine_D", "LinBiolinum_R", "Carlito", "Inconsolata", "Hack-", "texgyre",
              "Junicode", "Cabin", "Arimo", "Tinos", "Cousine", "OldStandard", "Vollkorn", "CharisSIL",
              "GentiumPlus-", "FiraCode", "JetBrainsMono", "mononoki", "Tuffy", "Courier Prime", "CourierPrime", "LinLibertine_M")
HELD_OUT_FILES = ("Caladea", "EBGaramond", "Cantarell", "Quicksand")
NEVER = ("Math", "Symbol", "Cond", "Italic-Swash", "Initials", "Keyboard", "Outline", "Shadow", "chorus", "Thin", "Hairline",
         "ExtraLight", "Black", "12-", "08-", "[")
# DOCSPEC_FONTS: a folder instead of the system's, for a machine that has none (carry.py makes it).
ROOT = os.environ.get("DOCSPEC_FONTS", "/usr/share/fonts")
FOLDERS = (f"{ROOT}/**/*.ttf", f"{ROOT}/**/*.otf")


@functools.lru_cache(maxsize=2)
def families(held_out):
    """{family: [paths]} sorted; a family is the file name up to its style."""
    starts, out = HELD_OUT_FILES if held_out else TEXT_FILES, {}
    for path in sorted({p for folder in FOLDERS for p in glob.glob(folder, recursive=True)}):
        name = os.path.basename(path)
        if name.startswith(starts) and not any(part in name for part in NEVER) and len(glyphs(path)) > 120:
            out.setdefault(name.split("-")[0].split(".")[0], []).append(path)
    return out


@functools.lru_cache(maxsize=None)
def glyphs(path):
    """The characters of CHARSET that a font can draw."""
    with TTFont(path, lazy=True) as font:
        cmap = font.getBestCmap() or {}
    return frozenset(c for c in CHARSET + " " if ord(c) in cmap)


@functools.lru_cache(maxsize=None)
def has(path, character):
    with TTFont(path, lazy=True) as font:
        return ord(character) in (font.getBestCmap() or {})


class Face:
    """One font at one size in pixels, with advances of words and characters."""

    def __init__(self, path, size_px):
        self.path, self.size = path, size_px
        self.font = ImageFont.truetype(path, size_px, layout_engine=ImageFont.Layout.BASIC)
        self.known, self.widths = glyphs(path), {}

    def width(self, text):
        found = self.widths.get(text)
        if found is None:
            found = self.widths[text] = self.font.getlength(text)
        return found

    def legible(self, text):
        """`text` without the characters that the font lacks."""
        return text if set(text) <= self.known else "".join(c for c in text if c in self.known)


@functools.lru_cache(maxsize=600)
def face(path, size_px):
    return Face(path, size_px)


def pick(rng, held_out):
    """A family of at least one file, each with the same chance."""
    known = families(held_out)
    return known[rng.choice(sorted(known))]


def style(paths, bold=False, italic=False):
    """The file of a family that has this style, or its nearest."""
    def distance(path):
        name = os.path.basename(path)
        is_bold, is_italic = "Bold" in name or "bold" in name, any(s in name for s in ("Italic", "italic", "Oblique"))
        return (is_italic != italic, is_bold != bold, len(name), name)
    return min(paths, key=distance)
