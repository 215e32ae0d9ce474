"""No output is ever an input of the run, a PDF or an image, by whatever name, through any option."""
import os
import shutil
import subprocess

from any_case import mounted_any_case
from case import LETTER, SAMPLES, Case, unmount


def names_of(folder):
    """Name of the alias -> path that leads to in.pdf."""
    target = folder / "in.pdf"
    shutil.copy(LETTER, target)
    os.link(target, folder / "hard.md")
    (folder / "soft.md").symlink_to("in.pdf")
    (folder / "chain.md").symlink_to("soft.md")
    (folder / "sub").mkdir()
    (folder / "linked").symlink_to("sub")
    os.link(target, folder / "sub/inside.md")
    names = {"the same name": target, "another spelling": folder / "sub/../in.pdf", "a hard link": folder / "hard.md",
             "a symbolic link": folder / "soft.md", "a link to a link": folder / "chain.md",
             "a link of a folder": folder / "linked/inside.md",
             "/proc": f"/proc/self/root{folder.resolve()}/in.pdf"}
    bound = folder / "bound.md"
    bound.touch()
    if os.getuid() == 0 and subprocess.run(["mount", "--bind", target, bound], capture_output=True).returncode == 0:
        names["a bind mount"] = bound
    return names


WRITERS = {
    "-o": ["convert", "in.pdf", "-o"],
    "-t md,json": ["convert", "in.pdf", "-t", "md,json", "-o"],
    "--force": ["convert", "in.pdf", "--force", "-o"],
    "--stats": ["convert", "in.pdf", "-o", "out.md", "--stats"],
    "--report-differences": ["convert", "in.pdf", "-o", "out.md", "--report-differences"],
    "--trace": ["convert", "in.pdf", "-o", "out.md", "--model", "builtin", "--trace"],
    "--explain": ["convert", "in.pdf", "-o", "out.md", "--model", "builtin", "--explain"],
    "--bench-out": ["convert", "in.pdf", "-o", "out.md", "--model", "builtin", "--bench-out"],
    "draft -o": ["draft", "in.pdf", "-o"],
}


def cases(folder):
    names = names_of(folder)
    letter = LETTER.read_bytes()

    def untouched(run):
        if (folder / "in.pdf").read_bytes() == letter:
            return []
        (folder / "in.pdf").write_bytes(letter)
        return ["the input was replaced"]

    def refused(name, args, **more):
        return Case(name, args, {1}, folder=folder, check=untouched, **more)

    for option, args in WRITERS.items():
        for name, path in names.items():
            if name in ("the same name", "a hard link") or option in ("-o", "--report-differences"):
                several = option.startswith("-t") and str(path).endswith(".md")
                # Of two formats one would replace it: STEM.md.
                yield refused(f"{option} is the input by {name}", [*args, path], says=() if several else ("is read",))
    if "a bind mount" in names:
        unmount(folder / "bound.md")
    yield refused("store build -o is its text", ["store", "build", "hard.md", "-o", "in.pdf"])
    yield refused("model calibrate -o is its page", ["model", "calibrate", "builtin", "in.pdf", "-o", "hard.md"])
    shutil.copy(SAMPLES / "invoice.pdf", folder / "other.pdf")
    invoice = (folder / "other.pdf").read_bytes()

    def other_untouched(run):
        if (folder / "other.pdf").read_bytes() == invoice:
            return []
        (folder / "other.pdf").write_bytes(invoice)
        return ["another document was replaced"]

    for option, args in WRITERS.items():
        yield Case(f"{option} is another document", [*args, "other.pdf"], {1}, folder=folder, check=other_untouched)
    for suffix in ("pdf", "PDF", "png", "jpeg", "tiff", "webp"):
        yield refused(f"output named as a document: .{suffix}", ["convert", "in.pdf", "-o", f"new.{suffix}"])
    shutil.copy(LETTER, folder / "unnamed")
    yield refused("output is a document without a suffix", ["convert", "in.pdf", "-o", "unnamed"])
    (folder / "out").mkdir()
    os.link(folder / "other.pdf", folder / "out/in.md")
    yield Case("in a batch, an output is another input", ["in.pdf", "other.pdf", "-o", "out"], {1}, folder=folder,
               check=other_untouched)
    yield refused("configuration file as output", ["in.pdf", "-o", "c.toml", "--config", "c.toml"],
                  shell='echo quiet=false >c.toml; exec "$0" "$@"')

    yield Case("output under a file", ["in.pdf", "-o", "in.pdf/x.md"], {5}, folder=folder, check=untouched)
    yield from two_runs(folder)
    place = folder / "any case"
    if mounted_any_case(place):
        yield from without_case(place, folder)
        unmount(place)


def without_case(place, folder):
    """Names that differ by case, or by how an accent is written, are one file there."""
    shutil.copyfile(LETTER, place / "paper.md")

    def kept(run):
        return [] if (place / "PAPER.MD").read_bytes() == LETTER.read_bytes() else ["the input was replaced"]
    yield Case("-o is the input in another case", [place / "paper.md", "-o", place / "Paper.MD"], {1}, says=("is read",), check=kept)
    yield Case("--stats is the input in another case", [place / "paper.md", "-o", place / "out.md", "--stats", place / "PAPER.md"], {1},
               says=("is read",), check=kept)
    inputs = folder / "two cases"
    inputs.mkdir()
    for name in ("a.pdf", "A.pdf"):
        shutil.copy(LETTER, inputs / name)

    def none_lost(run):
        return [] if not list(place.glob("both/*.md")) else ["one document took the other's place"]
    words = [inputs, "-o", place / "both", "--model", "none"]
    yield Case("two documents whose names differ by case", words, {1}, says=("both become",), check=none_lost)
    yield Case("the same by --files-from", ["--files-from", "-", *words[1:]], {3, 1, 5}, says=("another input has become",),
               stdin=b"".join(os.fsencode(inputs / name) + b"\n" for name in ("a.pdf", "A.pdf")))
    yield Case("the same where names have a case", [inputs, "-o", folder / "both", "--model", "none"], {0},
               check=lambda run: [] if len(list((folder / "both").glob("*.md"))) == 2 else ["one of two is missing"])


def two_runs(folder):
    """Two docspec processes that write the same file: one of them, whole."""
    def whole(run):
        text = (folder / "both.md").read_text()
        return [] if text.count("The Lighthouse at Grey Point") == 1 else ["not one whole document"]
    yield Case("two runs, one output", ["in.pdf", "-o", "both.md", "--model", "none"], {0}, folder=folder, check=whole,
               shell='"$0" "$@" & "$0" "$@"; code=$?; wait; exit $code')
