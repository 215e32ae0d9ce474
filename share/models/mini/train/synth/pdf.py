"""Synthetic pages as PDFs, with a text layer or as images alone."""

import hashlib
import io

from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont
from reportlab.pdfgen import canvas


def write_text(path, pages, dpi):
    """Born-digital: words as text, rules as lines, pictures as gray boxes. Fonts that reportlab cannot embed (CFF
    outlines) raise ValueError, and so do blocks that TeX has set: draw again with another seed."""
    out = canvas.Canvas(path, invariant=1)
    scale = 72 / dpi
    for page in pages:
        out.setPageSize((page.width * scale, page.height * scale))
        turn = lambda y: (page.height - y) * scale
        for block in page.blocks:
            if block.dark is not None:
                raise ValueError("a picture of text")
            if block.fill:
                x0, y0, x1, y1 = block.box
                out.setFillGray(block.fill[0] / 255)
                out.rect(x0 * scale, turn(y1), (x1 - x0) * scale, (y1 - y0) * scale, fill=1, stroke=0)
                out.setFillGray(0)
            for x0, y0, x1, y1, width in block.rules:
                out.setLineWidth(width * scale)
                out.line(x0 * scale, turn(y0), x1 * scale, turn(y1))
            for line in block.all_lines():
                for word in line.words:
                    out.setFont(_registered(line.face.path), line.face.size * scale)
                    out.setFillGray(word.pale)
                    out.drawString(word.x * scale, turn(line.baseline), word.text)
        out.showPage()
    out.save()


def write_images(path, images, dpi):
    """A scan: one gray image a page (numpy arrays or PIL images), no text layer."""
    from PIL import Image
    out = canvas.Canvas(path, invariant=1)
    for image in images:
        image = image if isinstance(image, Image.Image) else Image.fromarray(image)
        file = io.BytesIO()
        image.save(file, "PNG")
        size = image.width * 72 / dpi, image.height * 72 / dpi
        out.setPageSize(size)
        out.drawImage(ImageReader(io.BytesIO(file.getvalue())), 0, 0, *size)
        out.showPage()
    out.save()


def _registered(path):
    name = "f" + hashlib.sha256(path.encode()).hexdigest()[:12]
    if name not in pdfmetrics.getRegisteredFontNames():
        try:
            pdfmetrics.registerFont(TTFont(name, path))
        except TTFError as error:
            raise ValueError(f"{path}: {error}") from error
    return name
