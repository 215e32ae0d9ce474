"""The box: documents that ask for what lies outside of it, and its modes."""
import json
import os

import hostile_files as hostile
from case import LETTER, ROOT, SAMPLES, Case
from hostile_files import GOOD, stream, three_pages

SECRET = "the secret that no document may show"


def reaching(path):
    """Name -> PDF that asks for a file or an address."""
    spec = b"<</Type/Filespec/F(%s)/UF(%s)>>" % (path, path)
    away = b"http://127.0.0.1:9/owned"

    def action(words):
        return three_pages(GOOD).replace(b"/Type/Catalog", b"/Type/Catalog/OpenAction<<%s>>" % words)

    def drawn(dictionary, data=b""):
        return three_pages(GOOD + b" /X Do", b"/XObject<</X 10 0 R>>", [stream(dictionary, data)])
    return {
        "a stream in another file": three_pages(GOOD).replace(b"/Length %d>>" % len(GOOD), b"/Length 0/F(%s)>>" % path, 1),
        "an image in another file": drawn(b"/Subtype/Image/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8/F(%s)" % path),
        "an image at an address": drawn(b"/Subtype/Image/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8/F<</FS/URL/F(%s)>>" % away),
        "a form of another file": drawn(b"/Subtype/Form/BBox[0 0 9 9]/Ref<</F%s/Page 0>>" % spec), "PostScript": drawn(b"/Subtype/PS", b"(%s) run" % path),
        "OPI": drawn(b"/Subtype/Form/BBox[0 0 9 9]/OPI<</2.0<</Type/OPI/F(%s)>>>>" % path), "a font in another file": three_pages(GOOD).replace(
            b"/BaseFont/Helvetica", b"/BaseFont/A/FontDescriptor<</FontName/A/Flags 4/FontFile2<</F(%s)/Length 0>>>>" % path),
        "Launch": action(b"/S/Launch/F(%s)" % path), "Launch of a program": action(b"/S/Launch/Unix(touch /tmp/docspec-owned)"), "URI": action(b"/S/URI/URI(%s)" % away),
        "JavaScript": action(b"/S/JavaScript/JS(app.launchURL('%s'))" % away), "SubmitForm": action(b"/S/SubmitForm/F(%s)" % away), "ImportData": action(b"/S/ImportData/F(%s)" % path),
        "GoToR": action(b"/S/GoToR/F(%s)/D[0/Fit]" % path), "GoToE": action(b"/S/GoToE/F(%s)/T<</R/C/N(a)>>" % path), "Rendition": action(b"/S/Rendition/R<</S/MR/C<</S/MCD/D%s>>>>" % spec),
        "an embedded file": three_pages(GOOD).replace(b"/Type/Catalog", b"/Type/Catalog/Names<</EmbeddedFiles<</Names[(a)%s]>>>>" % spec),
        "XFA": three_pages(GOOD).replace(b"/Type/Catalog", b"/Type/Catalog/AcroForm<</Fields[]/XFA 10 0 R>>").replace(
            b"9 0 obj\nnull", b"9 0 obj\n" + stream(b"", b'<!DOCTYPE a [<!ENTITY x SYSTEM "file://%s">]><a>&x;</a>' % path)),
        "metadata with an entity": three_pages(GOOD).replace(b"/Type/Catalog", b"/Type/Catalog/Metadata 9 0 R").replace(
            b"9 0 obj\nnull", b"9 0 obj\n" + stream(b"/Type/Metadata/Subtype/XML", b'<!DOCTYPE a [<!ENTITY x SYSTEM "file://%s">]><a>&x;</a>' % path)),
    }


def cases(folder):
    secret = folder / "secret.txt"
    secret.write_text(SECRET)
    owned = "/tmp/docspec-owned"

    def shut(run):
        return ["it got out"] if os.path.exists(owned) or any(SECRET in p.read_text(errors="replace") for p in folder.glob("*.md")) else []
    none = ["--model", "none"]
    for i, (name, data) in enumerate(reaching(os.fsencode(secret)).items()):
        (folder / f"{i}.pdf").write_bytes(data)
        for mode in ("on", "off"):
            yield Case(f"{name}, --sandbox {mode}", [folder / f"{i}.pdf", "-o", folder / f"{i}.md", "--sandbox", mode, "--force", *none], {0, 3},
                       never=("internal error", "crashed", SECRET), check=shut)
    same = {}
    for sample in ("letter.pdf", "mixed.pdf", "scan.pdf"):
        for mode in ("on", "off", "require"):
            out = folder / f"{mode}-{sample}.json"

            def equal(run, sample=sample, out=out):
                document = json.loads(out.read_text())
                texts = [[block.get("text") for block in page["blocks"]] for page in document["pages"]]
                return [] if same.setdefault(sample, texts) == texts else ["the box changes the text"]
            yield Case(f"{sample}, --sandbox {mode}", [SAMPLES / sample, "-o", out, "--sandbox", mode, *none], {0, 3}, check=equal)
    yield Case("draft, --sandbox require", ["draft", LETTER, "--sandbox", "require", "-o", folder / "d.json"], {0})
    yield Case("doctor tells of the box", ["doctor"], {0, 4}, says=("sandbox",))
    yield Case("--sandbox of a word", [LETTER, "--sandbox", "maybe", *none], {1}, says=("require",))
    env = {"HOME": str(ROOT), "TESSDATA_PREFIX": str(folder)}
    yield Case("no tessdata in its place", [SAMPLES / "scan.pdf", "--sandbox", "on", *none], {0, 3, 4}, environment=env, never=("internal error",))
    (folder / "password").write_text("open")
    yield Case("a password file stays outside", [LETTER, "--password-file", folder / "password", *none], {0})
    big = folder / "big.pdf"
    big.write_bytes(LETTER.read_bytes() + bytes(200 << 20))
    yield Case("200 MB come by a descriptor", [big, LETTER, "-o", folder / "two/", "--jobs", "2", *none], {0, 2, 3}, megabytes=450)
    pipes = 'cat "$1" | "$0" - --model none'
    yield Case("standard input comes by a descriptor, too", [LETTER], {0}, shell=pipes, says=("Lighthouse",))
    yield Case("an input that no descriptor holds (ulimit -f 1)", [LETTER, *none], {0}, shell='(ulimit -f 1; "$0" "$@") | cat', says=("Lighthouse",))
    hang = folder / "hang.pdf"
    hang.write_bytes(hostile.hang())
    yield Case("a page that hangs in the box", [hang, *none, "--page-timeout", "2"], {3}, says=("took longer",), cpu_seconds=20)
