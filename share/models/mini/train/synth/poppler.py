"""Pages as docspec draws born-digital ones: a PDF with its fonts in it, through Poppler, anti-aliased and not hinted."""

import io
import os
import shutil
import subprocess
import tempfile

from PIL import Image

from . import pdf

DPI = (120, 150, 150, 200, 200, 300)  # at which a page is drawn before it is scaled to the size of the model's letters


def draw(page, size, rng):
    """The page as a gray image of `size` pixels; None where there is no Poppler, or a font cannot be put into a PDF."""
    if not shutil.which("pdftoppm"):
        return None
    dpi = rng.choice(DPI)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page.pdf")
        try:
            # Its width in points follows from how large letters of 24 pixels are in print: 8 to 12 points.
            pdf.write_text(path, [page], 72 * 24 / rng.uniform(8, 12))
        except ValueError:
            return None
        done = subprocess.run(["pdftoppm", "-gray", "-r", str(dpi), "-singlefile", path], stdout=subprocess.PIPE, check=True)
    image = Image.open(io.BytesIO(done.stdout)).convert("L")
    return image.resize(size, Image.BICUBIC)
