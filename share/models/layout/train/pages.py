"""Synthetic pages for the layout net: the built-in model's synthesizer, and what it lacks: three columns, code,
formulas, footnotes, forms with labels and values, pages that open without a title."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "mini", "train"))

from synth import fonts, page as base  # noqa: E402

MONO = ("Mono", "Courier", "Inconsolata", "Hack", "Cousine", "FiraCode", "mononoki", "FreeMono")
SIZES = ((595, 842), (595, 842), (612, 792), (612, 792), (842, 595), (420, 595))
LABELS = ("Name", "Date", "Address", "Invoice no.", "Customer", "Total", "Tax", "Phone", "E-mail", "Order", "Reference",
          "Due date", "Department", "Signature", "Account", "City", "Amount", "Terms", "Contact", "Country")
OPENERS = ("def", "int", "for", "if", "return", "class", "print", "while", "#include", "let", "var", "import", "SELECT")


class Composer(base.Composer):
    def code(self, x, y, width, room):
        known = [paths for name, paths in sorted(fonts.families(False).items()) if any(m in name for m in MONO)]
        face = fonts.face(fonts.style(self.rng.choice(known)), max(6, round(0.9 * self.em)))
        step, lines, depth = face.size * 1.2, [], 0
        for number in range(min(int(room / step), self.rng.randint(2, 14))):
            words = [self.rng.choice(OPENERS)] + [self.writer.code() for _ in range(self.rng.randint(1, 4))]
            text = face.legible(" ".join(words))[: max(8, int(width / face.width("e")) - 2 * depth - 2)]
            if self.rng.random() < 0.7 and text:
                text += self.rng.choice([";", " {", ":", "}", ")", "("])
            made = self.wrap(text, face, x + 2 * depth * face.width("e"), y + number * step, 3 * width, 1, justify=False)
            lines += made
            depth = max(0, min(4, depth + self.rng.choice([-1, 0, 0, 1])))
        return ([base.Block("Code", lines)] if len(lines) > 1 else []), len(lines) * step + 0.4 * self.em

    def formula(self, x, y, width, room):
        face = self.face(italic=True)
        if room < 2.5 * face.size:
            return [], 0
        parts = []
        for _ in range(self.rng.randint(3, 9)):
            name = self.rng.choice("abcdefghijklmnpqrstuvwxyzABFGKLMNPQRSTVXYZ")
            parts.append(self.rng.choice([name, name, f"{name}({self.rng.choice('xyzt')})", str(self.rng.randint(0, 99))]))
            parts.append(self.rng.choice(["=", "+", "-", "/", "<", ">", "·", "±", "|", "×", "*"]))
        lines = self.wrap(" ".join(parts[:-1]), face, x, y + 0.6 * face.size, width, 1, justify=False)
        if not lines:
            return [], 0
        base._shift(lines[0], self.rng.choice([0.5, 0.5, 0.2]) * (width - (lines[0].box[2] - lines[0].box[0])))
        if self.rng.random() < 0.4:
            number = self.face().legible(f"({self.rng.randint(1, 40)})")
            lines += self.wrap(number, self.face(), x + width - 2.2 * self.em, y + 0.6 * face.size, 3 * self.em, 1, justify=False)
        return [base.Block("Formula", lines)], 2.4 * face.size

    def form(self, x, y, width, room):
        """Labels with values behind or below them, in one to three columns: rows of short texts, no table."""
        face, label = self.face(self.rng.choice([0.85, 1])), self.face(self.rng.choice([0.8, 1]), bold=self.rng.random() < 0.5)
        columns, step = self.rng.randint(1, 3), self.em * self.rng.uniform(1.3, 2.2)
        rows, blocks = min(self.rng.randint(2, 8), int(room / step)), []
        inset = self.rng.choice([0.3, 0.45]) * width / columns
        for r in range(rows):
            for c in range(columns):
                left = x + c * width / columns
                text = self.rng.choice(LABELS) + self.rng.choice([":", ":", ""])
                value = self.rng.choice([self.writer.number(), self.writer.sentence(1, 4), "_" * 12])
                for words, font, at in ((text, label, left), (value, face, left + inset)):
                    room_x = left + width / columns - at - 0.5 * self.em
                    lines = self.wrap(words, font, at, y + r * step, max(3 * self.em, room_x), 1, justify=False)
                    if lines:
                        blocks.append(base.Block("Text", lines))
                        blocks[-1].form = True  # what is one region of a form is a matter of taste
        return (blocks if rows > 0 else []), rows * step + 0.6 * self.em

    def footnotes(self, x, bottom, width):
        face, made, used = self.face(self.rng.choice([0.75, 0.85])), [], 0
        for number in range(self.rng.randint(1, 3)):
            sign = self.rng.choice([str(number + 1), "*", "†", f"{number + 1}.", f"[{number + 1}]"])
            lines = self.wrap(face.legible(sign) + " " + self.writer.sentence(5, 30), face, x, used, width, 3)
            if lines:
                made.append(base.Block("Footnote", lines))
                used += self.height(lines)
        for block in made:
            for line in block.lines:
                line.baseline += bottom - used
        return made, used

    def layout(self, width, height):
        """A page of one to three columns."""
        rng, em = self.rng, self.em
        page = super().page(width, height, rng.choice(["one", "plain", "two"])) if rng.random() < 0.35 else None
        if page:
            return page
        margin, blocks = rng.uniform(2.5, 6) * em, []
        top, bottom, inner = margin, height - margin, width - 2 * margin
        if rng.random() < 0.5:
            text = self.writer.sentence(1, 7) + (f" {rng.randint(1, 300)}" if rng.random() < 0.4 else "")
            lines = self.wrap(text, self.face(0.8), margin, 0.4 * margin, inner, 1, justify=False)
            if lines:
                if rng.random() < 0.4:
                    base._shift(lines[0], rng.choice([0.5, 1]) * (inner - lines[0].box[2] + lines[0].box[0]))
                blocks.append(base.Block("Page-header", lines))
        if rng.random() < 0.6:
            text = rng.choice(["{0}", "- {0} -", "Page {0}", "{0} / 300", "{1}", "{1} {0}"]).format(
                rng.randint(1, 299), self.writer.sentence(2, 6))
            lines = self.wrap(text, self.face(0.85), margin, height - 0.6 * margin, inner, 1, justify=False)
            if lines:
                base._shift(lines[0], rng.choice([0, 0.5, 1]) * (inner - lines[0].box[2] + lines[0].box[0]))
                blocks.append(base.Block("Page-footer", lines))
        columns = rng.choice([1, 1, 1, 2, 2, 3])
        if rng.random() < 0.5:
            made, used = self.heading(margin, top, inner, (bottom - top) / 3, title=True)
            blocks += made
            top += used + 0.8 * em
            if made and rng.random() < 0.5:  # authors, a date, an address
                made, used = self.paragraph(margin, top, inner, 3 * em, rng.randint(2, 10))
                blocks += made
                top += used + em
        if rng.random() < 0.25:
            made, used = self.footnotes(margin, bottom, inner / columns - em)
            blocks += made
            bottom -= used + rng.uniform(0.5, 2) * em
        mix = [("paragraph", 5), ("heading", 1.6), ("items", 1.2), ("table", 0.9), ("figure", 0.6), ("code", 0.5),
               ("formula", 0.6), ("form", 0.4)]
        if rng.random() < 0.15:
            mix = [("form", 4), ("table", 3), ("paragraph", 1.5), ("heading", 1)]
        between = rng.uniform(1.2, 2.5) * em
        each = (inner - between * (columns - 1)) / columns
        for c in range(columns):
            end = bottom if rng.random() < 0.75 else top + (bottom - top) * rng.uniform(0.3, 1)
            self.column(margin + c * (each + between), top, each, end, mix if each > 13 * em else mix[:3] + mix[5:7], blocks)
        return base.Page(width, height, blocks, "layout")


def make(rng, prose, held_out_fonts=False, scale=1):
    """A page at 72 dpi times `scale`."""
    width, height = rng.choice(SIZES)
    em = rng.choice([9, 10, 11, 11, 12, 13, 14])
    page = Composer(rng, prose, held_out_fonts, em=round(em * scale)).layout(round(width * scale), round(height * scale))
    page.blocks = [block.close() for block in page.blocks if block.lines or block.rows or block.box]
    return page
