"""Small documents of one page each, set like the samples (share/samples/src): `make(folder, count)`.

Needs Debian's groff, fonts-urw-base35 and ghostscript. The same numbers give the same documents."""

import random
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3] / "share" / "samples" / "src"
GOODS = [row.split("\t")[0] for row in (SOURCE / "invoice.ms").read_text().splitlines() if row.count("\t") == 3][1:]
LINES = [line for name in ("letter", "report") for line in (SOURCE / f"{name}.ms").read_text().splitlines()
         if len(line) > 80 and not line.startswith(".")]
SENTENCES = [sentence.rstrip(".:") + "." for line in LINES for sentence in line.split(". ")]


def page(number: int) -> str:
    """The source of one: a title, some sentences and, on every third, a table."""
    chance = random.Random(number)
    lines = [".TL", f"Note {number}", ".LP", " ".join(chance.sample(SENTENCES, chance.randint(1, 3)))]
    if number % 3 == 0:
        rows = [f"{item}\t{chance.randint(1, 40)}\t{chance.randint(100, 9999) / 100:.2f}"
                for item in chance.sample(GOODS, 3)]
        lines += [".TS", "center allbox;", "l c c.", "Item\tCount\tPrice", *rows, ".TE"]
    return "\n".join(lines)


def notes(folder: Path, count: int) -> list[Path]:
    """Those in a folder of an earlier run, or new ones."""
    return sorted(folder.iterdir()) if folder.exists() else make(folder, count)


def make(folder: Path, count: int) -> list[Path]:
    """Writes them as folder/note-NNNNN.pdf."""
    folder.mkdir(parents=True)
    head = (SOURCE / "letter.ms").read_text().partition(".TL")[0]
    text = head + "\n.bp\n".join(page(number) for number in range(1, count + 1)) + "\n"
    whole = folder.parent / (folder.name + ".whole.pdf")
    with open(whole, "wb") as out:
        subprocess.run(["groff", "-ms", "-t", "-Tpdf", "-P-e", "-P-pa4", "-dpaper=a4"], input=text.encode(), stdout=out,
                       check=True)
    subprocess.run(["gs", "-q", "-dNOPAUSE", "-dBATCH", "-sDEVICE=pdfwrite", f"-sOutputFile={folder}/note-%05d.pdf",
                    whole], check=True)
    whole.unlink()
    files = sorted(folder.glob("note-*.pdf"))
    assert len(files) == count, f"{len(files)} pages came of {count}"
    return files
