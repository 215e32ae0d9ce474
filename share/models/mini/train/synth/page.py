"""Synthetic documents: blocks of lines of placed words on a canvas, with their truth.

All lengths are pixels of the canvas. A page keeps, for every character of its truth, the character that was drawn
for it, so that each token of the truth can be traced to the place it was read from."""

import dataclasses

from . import fonts
from .text import Writer

CATEGORIES = ("Title", "Section-header", "Text", "List-item", "Table", "Formula", "Picture", "Caption", "Footnote",
              "Page-header", "Page-footer", "Code")


@dataclasses.dataclass
class Word:
    text: str
    x: float
    glue: str = " "  # what the truth has after it: a blank, or nothing (hyphenated, or joined)
    hyphen: bool = False  # ends in a hyphen that the truth does not have
    reads: str = None  # what the truth has for it, if not its text
    pale: float = 0.0  # 0: as black as the others, 1: as white as the paper


@dataclasses.dataclass
class Line:
    words: list
    face: fonts.Face
    baseline: float

    @property
    def box(self):
        last = self.words[-1]
        return (self.words[0].x, self.baseline - 0.78 * self.face.size,
                last.x + self.face.width(last.text), self.baseline + 0.24 * self.face.size)


@dataclasses.dataclass
class Block:
    category: str
    lines: list
    box: tuple = None
    before: str = ""  # markup in front of the text: "# ", "- "
    rows: list = None  # a table: rows of cells, each a list of lines
    rules: list = dataclasses.field(default_factory=list)  # (x0, y0, x1, y1, width) drawn
    fill: tuple = None  # a picture: gray level of its ground
    dark: object = None  # set by TeX: how dark its pixels are, uint8 (height, width)
    reads: str = None  # its truth

    def close(self):
        boxes = [line.box for line in self.all_lines()]
        if self.box is None:
            self.box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes),
                        max(b[3] for b in boxes))
        return self

    def all_lines(self):
        return self.lines if self.rows is None else [line for row in self.rows for cell in row for line in cell]

    def truth(self, markup=True):
        """[(character, line, word index, index in word) or (character, None, 0, 0)]."""
        out = [(c, None, 0, 0) for c in (self.before if markup else "") + (self.reads or "")]
        if self.rows is None:
            return out + _flow(self.lines, "\n" if self.category == "Code" else " ")
        for number, row in enumerate(self.rows):
            for cell in row:
                out += [(c, None, 0, 0) for c in "| "] + _flow(cell, " ") + [(" ", None, 0, 0)]
            out += [(c, None, 0, 0) for c in "|\n"]
            if number == 0:
                out += [(c, None, 0, 0) for c in "| --- " * len(row) + "|\n"]
        return out[:-1]

    def text(self, markup=True):
        return "".join(c for c, *_ in self.truth(markup))

    def cells(self):
        return ["".join(c for c, *_ in _flow(cell, " ")) for row in self.rows for cell in row]


def _flow(lines, between):
    out = []
    for line in lines:
        for index, word in enumerate(line.words):
            shown = enumerate(word.text[:len(word.text) - word.hyphen])
            out += [(c, line, index, 0) for c in word.reads] if word.reads else [(c, line, index, k) for k, c in shown]
            last = index + 1 == len(line.words)
            glue = word.glue if not last or not word.glue else between
            out += [(c, None, 0, 0) for c in glue]
    while out and out[-1][1] is None:
        out.pop()
    return out


@dataclasses.dataclass
class Page:
    width: int
    height: int
    blocks: list
    kind: str = ""

    def truth(self):
        """The page in the model's markup; headers and footers are furniture and not part of it."""
        out = []
        for block in self.blocks:
            if block.category in ("Page-header", "Page-footer", "Picture"):
                continue
            if out:
                out += [("\n", None, 0, 0)] * (1 if out_is_item(block, last) else 2)
            out += block.truth()
            last = block
        return out


def out_is_item(block, last):
    return block.category == "List-item" == last.category


class Composer:
    """Fills canvases. `rng`: random.Random; `prose`: text.paragraphs(); `em`: body size, pixels, or None; `formulas`:
    formulas.Formulas, or None."""

    def __init__(self, rng, prose, held_out_fonts=False, em=None, random_share=None, formulas=None):
        self.rng, self.formulas = rng, formulas
        share = random_share if random_share is not None else rng.choice([0.02, 0.05, 0.1, 0.15, 0.3, 0.9])
        self.writer = Writer(rng, prose, share)
        self.paths = fonts.pick(rng, held_out_fonts)
        self.head_paths = self.paths if rng.random() < 0.6 else fonts.pick(rng, held_out_fonts)
        self.em = em or min(30, max(17, round(rng.gauss(22.5, 3))))
        self.leading = rng.uniform(1.08, 1.5)
        self.justify = rng.random() < 0.35
        self.hyphenate = rng.random() < 0.3
        self.tracking = rng.choice([1, 1, 1, 1.15, 1.4])  # of blanks
        self.indented = rng.random() < 0.3  # paragraphs begin with an indent and have no gap between them, as in print
        self.centred = rng.random() < 0.15  # headings
        self.coloured = rng.uniform(0.1, 0.6) if rng.random() < 0.2 else 0.0  # how pale headings are

    def face(self, scale=1.0, bold=False, italic=False, head=False):
        path = fonts.style(self.head_paths if head else self.paths, bold, italic)
        return fonts.face(path, max(9, round(self.em * scale)))

    def breadth(self):
        """How broad the body's letters are beside those whose em docspec's estimate (core/page/text_size.cc) would hit."""
        letters, face = "etaoinshrdlucmfwypvbgkeetaoinshr", self.face()
        return 2.05 * face.width(letters) / len(letters) / face.size

    def body(self):
        kind = self.rng.random()
        return self.face(bold=kind < 0.06, italic=0.06 <= kind < 0.14)

    def wrap(self, text, face, x, y, width, max_lines, justify=None, indent=0):
        """Lines of `text` below `y`; ends early at `max_lines`. Returns the lines."""
        blank = face.width(" ") * self.tracking
        words = [w for w in (face.legible(w) for w in text.split()) if w]
        lines, row, used = [], [], indent
        step = self.leading * face.size

        def put(last):
            if not row:
                return
            gap = blank
            if (self.justify if justify is None else justify) and not last and len(row) > 1:
                slack = width - (indent if not lines else 0) - sum(face.width(w) for w, *_ in row)
                gap = min(slack / (len(row) - 1), 3 * blank)
            left, placed = x + (indent if not lines else 0), []
            for word, glue, hyphen in row:
                placed.append(Word(word, left, glue, hyphen))
                left += face.width(word) + gap
            lines.append(Line(placed, face, y + len(lines) * step + 0.8 * face.size))

        index = 0
        while index < len(words) and len(lines) < max_lines:
            word = words[index]
            size = face.width(word)
            if used + size <= width or (not row and size <= width):
                row.append((word, " ", False))
                used += size + blank
                index += 1
                continue
            cut = self._break(word, face, width - used) if self.hyphenate or size > width else 0
            if cut:
                row.append((word[:cut] + "-", "", True))
                words[index] = word[cut:]
            elif size > width:
                words[index] = word[:max(1, int(len(word) * width / size) - 1)]
                if row:
                    put(False)
                    row, used = [], 0
                elif face.width(words[index]) > width:
                    index += 1
                continue
            put(False)
            row, used = [], 0
        if len(lines) < max_lines:
            put(True)
        if lines and lines[-1].words[-1].hyphen:  # a cut word whose rest is not shown keeps its hyphen
            lines[-1].words[-1].hyphen = False
            lines[-1].words[-1].glue = " "
        return lines

    def _break(self, word, face, room):
        if len(word) < 7 or not word.isalpha():
            return 0
        for cut in range(len(word) - 3, 2, -1):
            if face.width(word[:cut] + "-") <= room:
                return cut
        return 0

    def height(self, lines):
        return len(lines) * self.leading * lines[0].face.size if lines else 0

    # Blocks: each returns (blocks, height used); an empty list where nothing fits.

    def paragraph(self, x, y, width, room, words=None):
        face = self.body()
        fits = int(room / (self.leading * face.size))
        if fits < 1:
            return [], 0
        per_line = max(1, width / (6 * face.width("e")))
        count = words or self.rng.randint(4, max(5, int(per_line * self.rng.choice([2, 4, 8]))))
        indent = self.em * self.rng.uniform(1, 2) if self.indented or self.rng.random() < 0.1 else 0
        lines = self.wrap(self.writer.words(count), face, x, y, width, fits, indent=indent)
        return ([Block("Text", lines)] if lines else []), self.height(lines)

    def heading(self, x, y, width, room, title=False):
        face = self.face(self.rng.choice([1.5, 1.8, 2.1]) if title else self.rng.choice([1.1, 1.25, 1.4]),
                         bold=self.rng.random() < 0.8, head=True)
        if room < self.leading * face.size:
            return [], 0
        text = self.writer.heading()
        if not title and self.rng.random() < 0.3:
            text = f"{self.rng.randint(1, 9)}{self.rng.choice(['.', '', '.' + str(self.rng.randint(1, 9))])} {text}"
        lines = self.wrap(text, face, x, y, width, min(2, int(room / (self.leading * face.size))), justify=False)
        if not lines:
            return [], 0
        if self.centred or title and self.rng.random() < 0.4:
            for line in lines:
                _shift(line, (width - (line.box[2] - line.box[0])) / 2)
        for word in (w for line in lines for w in line.words):
            word.pale = self.coloured
        block = Block("Title" if title else "Section-header", lines, before="# " if title else "## ")
        return [block], self.height(lines) + 0.2 * face.size

    def items(self, x, y, width, room):
        face, blocks, used = self.face(), [], 0
        numbered, mark = self.rng.random() < 0.35, self.rng.choice("••–-·")
        if mark not in face.known:
            mark = "-"
        for number in range(1, self.rng.randint(3, 7)):
            left = int((room - used) / (self.leading * face.size))
            if left < 1:
                break
            text, sign = self.writer.sentence(2, 14), f"{number}." if numbered else mark
            inset = face.width(sign) + self.rng.choice([0.4, 0.7]) * face.size
            lines = self.wrap(text, face, x + inset, y + used, width - inset, min(left, 3), justify=False)
            if not lines:
                break
            if numbered:
                lines[0].words.insert(0, Word(sign, x))
            else:  # the mark is drawn, and read as the markup's own
                lines[0].words.insert(0, Word(sign, x, "", True))
            blocks.append(Block("List-item", lines, before="" if numbered else "- "))
            used += self.height(lines) + self.rng.choice([0, 0.2]) * face.size
        return blocks, used

    def table(self, x, y, width, room):
        face = self.face(self.rng.choice([0.75, 0.85, 1]))
        columns, rows = self.rng.choice([2, 3, 3, 4, 4, 5, 6, 8]), self.rng.choice([2, 3, 4, 5, 6, 7, 10, 14])
        empty = self.rng.choice([0, 0, 0.15])  # share of the cells
        step = face.size * self.rng.uniform(1.25, 1.7)
        rows = min(rows, int(room / step))
        if rows < 2 or width / columns < 4 * face.size:
            return [], 0
        kinds, cells = [self.rng.random() < 0.6 for _ in range(columns)], []
        cell_width = width / columns * self.rng.uniform(0.7, 1)
        for r in range(rows):
            row = []
            for c in range(columns):
                text = self.writer.heading().split()[0][:12] if r == 0 else (
                    self.writer.number() if kinds[c] else self.writer.cell())
                text = "" if r and c and self.rng.random() < empty else text
                bold = self.face(face.size / self.em, bold=True) if r == 0 and self.rng.random() < 0.9 else face
                row.append(self.wrap(text.replace("|", "/"), bold, x + c * cell_width + 0.3 * face.size, y + r * step + 0.2 * face.size,
                                     cell_width - 0.6 * face.size, 1, justify=False))
            cells.append(row)
        block = Block("Table", [], rows=cells, box=(x, y, x + columns * cell_width, y + rows * step))
        style = self.rng.choice(["none", "rows", "grid", "head"])
        ends = range(rows + 1) if style in ("rows", "grid") else (0, 1, rows) if style == "head" else ()
        block.rules = [(x, y + r * step, x + columns * cell_width, y + r * step, 1) for r in ends]
        if style == "grid":
            block.rules += [(x + c * cell_width, y, x + c * cell_width, y + rows * step, 1) for c in range(columns + 1)]
        if not any(block.all_lines()):
            return [], 0
        return [block], rows * step + 0.3 * face.size

    def figure(self, x, y, width, room):
        face = self.face(0.85, italic=self.rng.random() < 0.5)
        height = self.rng.uniform(3, 6) * self.em
        if room < height + 2 * face.size:
            return [], 0
        share = self.rng.uniform(0.4, 0.9)
        box = (x + width * (1 - share) / 2, y, x + width * (1 + share) / 2, y + height)
        text = f"{self.rng.choice(['Figure', 'Fig.', 'Table', 'Plate'])} {self.rng.randint(1, 30)}{self.rng.choice([':', '.', ''])} "
        lines = self.wrap(text + self.writer.sentence(2, 12), face, x, y + height + 0.3 * face.size, width, 2, justify=False)
        picture = Block("Picture", [], box=box, fill=(self.rng.randint(120, 235),))
        return [picture, Block("Caption", lines)], height + 0.4 * face.size + self.height(lines)

    def displayed(self, x, y, width, room, within=False):
        """A formula in the column's middle."""
        found = self.formulas.block(self.rng, self.em, width, room - self.em, within)
        if not found:
            return [], 0
        dark, text = found
        left = x if within else x + (width - dark.shape[1]) * self.rng.choice([0.5, 0.5, 0.5, 0.1])
        above = 0 if within else self.rng.uniform(0, 0.5) * self.em
        box = (left, y + above, left + dark.shape[1], y + above + dark.shape[0])
        block = Block("Text" if within else "Formula", [], box=box, dark=dark, reads=text)
        return [block], dark.shape[0] + above + self.rng.uniform(0.1, 0.5) * self.em

    def mixed(self, x, y, width, room):
        """A paragraph with formulas."""
        return self.displayed(x, y, width, room, True)

    def leaders(self, x, y, width, room):
        """Entries of a table of contents, list items: words, three dots for a dotted line, the page's number."""
        face, blocks, used = self.face(), [], 0
        step, page, dot = self.leading * face.size, self.rng.randint(1, 30), self.rng.choice([".", " .", "  ."])
        for number in range(self.rng.randint(3, 9)):
            page += self.rng.randint(0, 25)
            end = str(page)
            lines = self.wrap(self.writer.heading(), face, x, y + used, width * 0.7, 1, justify=False)
            if used + step > room or not lines:
                break
            start, stop = lines[0].box[2] + 0.5 * face.size, x + width - face.width(end) - 0.4 * face.size
            many = int((stop - start) / face.width(dot))
            if many > 4:  # drawn as many, read as three
                lines[0].words.append(Word(dot * many, start, reads="..."))
            lines[0].words.append(Word(end, x + width - face.width(end)))
            blocks.append(Block("List-item", lines, before="- "))
            used += step
        return blocks, used

    def column(self, x, y, width, bottom, mix, blocks):
        gap, last = self.rng.uniform(0.3, 1.1) * self.em, None
        while y < bottom - self.em:
            name = self.rng.choices([m[0] for m in mix], [m[1] for m in mix])[0]
            at = y if not last or self.indented and name == last == "paragraph" else y + gap
            made, used = getattr(self, name)(x, at, width, bottom - at)
            if not made:
                if self.rng.random() < 0.3 or bottom - y < 1.6 * self.em:
                    break
                continue
            blocks += [b.close() for b in made]
            y, last = at + used, name
        return y

    def floating(self, left, top, width, bottom, blocks):
        """A figure or a table across all columns, at the top or at the bottom. Returns what is left, and the blocks below it:
        (top, bottom, blocks)."""
        room, gap = (bottom - top) * 0.4, self.em
        above, kind = self.rng.random() < 0.5, self.rng.choice(["figure", "table"])
        made, used = getattr(self, kind)(left, top if above else bottom - room, width, room)
        made = [b.close() for b in made]
        if not made:
            return top, bottom, []
        if not above:
            return top, bottom - room - gap, made
        blocks += made
        return top + used + gap, bottom, []

    def links(self, blocks):
        """Words with figures or brackets, and a few others, are in another colour, or in a frame as LaTeX draws it."""
        framed, pale = self.rng.random() < 0.4, self.rng.uniform(0.2, 0.65)
        for block in blocks:
            if block.category not in ("Text", "List-item", "Caption"):
                continue
            for line in block.lines:
                for word in line.words:
                    core = word.text.strip("[](){}.,;:")
                    if not core or self.rng.random() > (0.6 if core.isdigit() else 0.015):
                        continue
                    if not framed:
                        word.pale = pale
                        continue
                    x0 = word.x + line.face.width(word.text[:word.text.index(core)]) - 1
                    x1, size = x0 + line.face.width(core) + 2, line.face.size
                    y0, y1 = line.baseline - 0.78 * size, line.baseline + 0.12 * size
                    block.rules += [(x0, y0, x1, y0, 1), (x1, y0, x1, y1, 1), (x1, y1, x0, y1, 1), (x0, y1, x0, y0, 1)]

    def crop(self, width, height):
        """A region: one block of text, as the region stage cuts it out."""
        rng, margin = self.rng, self.rng.uniform(1, 10)
        self.em = min(self.em, max(12, int((height - 4) / 1.15)))
        margin_y = min(margin, max(0.5, (height - self.em * 1.1) / 2))
        room, inner = height - 2 * margin_y + 2, width - 2 * margin
        many = int(inner * room / (self.em * self.leading * self.em * 2.6)) + 2
        x, y, kind = margin, margin_y, rng.random()
        if room > 3 * self.em and kind < 0.18:
            made, _ = self.table(x, y, inner, room)
        elif kind < 0.3:
            made, _ = self.heading(x, y, inner, room)
        elif room > 3 * self.em and kind < 0.4:
            made, _ = self.items(x, y, inner, room)
        else:
            made, _ = self.paragraph(x, y, inner, room, many if rng.random() < 0.85 else None)
        if not made:
            made, _ = self.paragraph(x, y, inner, room + self.em, many)
        return Page(width, height, [b.close() for b in made], "crop")

    def page(self, width, height, kind="one"):
        """A whole page. kind: one | plain | two (columns) | news (three and more) | contents (dotted lines)."""
        rng, em, blocks = self.rng, self.em, []
        left = margin = rng.uniform(1, 3.2) * em
        if min(width, height) > 1000 and rng.random() < 0.7:  # large pages have margins as print has
            left, margin = rng.uniform(0.04, 0.17) * width, rng.uniform(0.04, 0.12) * height
        top, bottom, inner = margin, height - margin, width - 2 * left
        if rng.random() < 0.4:
            face = self.face(0.8)
            lines = self.wrap(self.writer.sentence(1, 5), face, left, 0.4 * margin, inner, 1, justify=False)
            if lines:
                blocks.append(Block("Page-header", lines).close())
                top += 1.2 * em
        footer = None
        if rng.random() < 0.6:
            face, number = self.face(0.85), rng.choice(["{}", "- {} -", "Page {}"]).format(rng.randint(1, 400))
            lines = self.wrap(number, face, rng.choice([left, width / 2 - em, width - left - 5 * em]),
                              height - 0.5 * margin - face.size, 6 * em, 1, justify=False)
            if lines:
                footer = Block("Page-footer", lines).close()
                bottom -= 0.8 * em
        if rng.random() < 0.5:
            made, used = self.heading(left, top, inner, (bottom - top) / 3, title=True)
            blocks += [b.close() for b in made]
            top += used + 0.5 * em
        mix = [("paragraph", 5), ("heading", 1.5)]
        if kind != "plain":
            mix += [("items", 1), ("table", 0.8), ("figure", 0.4)]
        if kind == "contents":
            mix += [("leaders", 6)]
        if self.formulas and kind in ("one", "two") and rng.random() < 0.4:
            mix += [("displayed", 2), ("mixed", rng.choice([4, 12]))]
        below = []
        if kind in ("two", "news") and rng.random() < 0.3:
            top, bottom, below = self.floating(left, top, inner, bottom, blocks)
        if kind == "news":
            count = max(2, min(5, int(inner / (self.em * rng.uniform(9, 13)))))
            self.justify, self.hyphenate = rng.random() < 0.8, rng.random() < 0.7
            between = rng.uniform(0.6, 1.2) * em
            each = (inner - (count - 1) * between) / count
            for number in range(count):
                self.column(left + number * (each + between), top, each, bottom, [m for m in mix if m[0] != "table"], blocks)
        elif kind == "two":
            between = rng.uniform(1, 2) * em
            each = (inner - between) / 2
            mix = [m for m in mix if m[0] != "table"] if each < 14 * em else mix
            self.column(left, top, each, bottom, mix, blocks)
            self.column(left + each + between, top, each, bottom if rng.random() < 0.7 else (top + bottom) / 2, mix, blocks)
        else:
            end = bottom if rng.random() < 0.7 else top + (bottom - top) * rng.uniform(0.3, 1)
            self.column(left, top, inner, end, mix, blocks)
        blocks += below
        if rng.random() < 0.2:
            self.links(blocks)
        if footer:
            blocks.append(footer)
        return Page(width, height, blocks, kind)


def _shift(line, dx):
    for word in line.words:
        word.x += dx
