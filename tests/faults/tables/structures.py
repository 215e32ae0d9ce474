"""PDFs whose objects are wrong, endless or huge, one fault each: pages before and after the fault are read."""
import zlib

import hostile_files as hostile
from case import Case
from hostile_files import GOOD, pdf, stream, three_pages

FLAGS = ["--model", "none", "--page-timeout", "20"]
HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"


def image(dictionary, data):
    """Page 2 draws an image."""
    return three_pages(GOOD + b" q 300 0 0 300 50 50 cm /I Do Q", b"/XObject<</I 10 0 R>>",
                       [stream(b"/Type/XObject/Subtype/Image" + dictionary, data)])


def font(dictionary, *more):
    return three_pages(b"BT /F2 12 Tf 72 700 Td (Words in a strange font) Tj ET " + GOOD, b"", [dictionary, *more]).replace(
        b"/F1 6 0 R", b"/F1 6 0 R/F2 10 0 R")


def page(more=b"", box=b"[0 0 612 792]", content=GOOD):
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                b"<</Type/Page/Parent 2 0 R/MediaBox%s/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>%s>>" % (box, more),
                stream(b"", content), HELVETICA])


def gray(width, height):
    return b"/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8" % (width, height)


def flate_bomb(levels):
    data = bytes(20_000_000)
    for _ in range(levels):
        data = zlib.compress(data, 9)
    return data


def content_faults():
    letters = GOOD + b" "
    return {
        "q nested 300,000 deep": b"q " * 300_000 + letters, "Q without q": b"Q " * 100_000 + letters,
        "BT nested": b"BT " * 50_000 + letters, "operators without operands": b"Tj TJ Td Tm cm Do sh gs re l c v y " * 2000 + letters,
        "operands without operators": b"1 " * 1_000_000 + letters, "unknown operators": b"zz " * 200_000 + letters,
        "an array 100,000 deep": b"[" * 100_000 + b"]" * 100_000 + b" TJ " + letters, "a dictionary 50,000 deep": b"<<" * 50_000 + letters,
        "a string without end": letters + b"BT /F1 9 Tf (" + b"a(" * 100_000, "an inline image without end": letters + b"BI /W 10 /H 10 ID " + b"x" * 100_000,
        "an inline image of 2^31 pixels": letters + b"BI /W 2147483647 /H 2147483647 /BPC 8 /CS /G ID x EI",
        "a font of 1e30 points": b"BT /F1 1e30 Tf 1 1 Td (a) Tj ET " + letters, "a font of 0 points": b"BT /F1 0 Tf 1 1 Td (a) Tj ET " + letters,
        "a matrix of infinities": b"1e400 0 0 1e400 0 0 cm " + letters, "a matrix of zeros": b"q 0 0 0 0 0 0 cm " + letters + b"Q " + letters,
        "a path of 500,000 lines": b"0 0 m " + b"9 9 l 5 1 l " * 250_000 + b"S " + letters, "clips 20,000 deep": b"0 0 700 800 re W n " * 20_000 + letters,
        "dashes of 1e-30": b"[1e-30] 0 d 0 0 m 600 700 l S " + letters, "a line 1e9 wide": b"1e9 w 0 0 m 600 700 l S " + letters,
        "marked content 100,000 deep": b"/P BMC " * 100_000 + letters, "200,000 letters in one place": b"BT /F1 9 Tf 72 600 Td " + b"(a) Tj 0 0 Td " * 100_000 + b"ET",
        "letters in all directions": b"".join(b"BT /F1 9 Tf %.2f %.2f %.2f %.2f 300 400 Tm (turned) Tj ET " % (c, s, -s, c)
                                              for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1), (.7, .7), (.5, -.8))) + letters,
        "a comment of 5 MB": b"%" + b"x" * 5_000_000 + b"\n" + letters, "bytes 0 to 255": bytes(range(256)) * 100 + letters,
    }


def page_faults():
    return {
        "MediaBox of nothing": page(box=b"[0 0 0 0]"), "MediaBox upside down": page(box=b"[612 792 0 0]"), "MediaBox of 1e30": page(box=b"[0 0 1e30 1e30]"),
        "MediaBox of words": page(box=b"[/a /b /c /d]"), "MediaBox of two numbers": page(box=b"[0 0]"), "MediaBox far away": page(box=b"[1e6 1e6 1000612 1000792]"),
        "MediaBox of 3 points": page(box=b"[0 0 3 3]"), "CropBox outside": page(b"/CropBox[5000 5000 6000 6000]"), "Rotate 45": page(b"/Rotate 45"),
        "Rotate 2^31": page(b"/Rotate 2147483648"), "UserUnit 1e9": page(b"/UserUnit 1e9"), "UserUnit -1": page(b"/UserUnit -1"),
        "Contents of itself": page().replace(b"/Contents 4 0 R", b"/Contents 3 0 R"), "Contents 100,000 times": page().replace(
            b"/Contents 4 0 R", b"/Contents[" + b"4 0 R " * 100_000 + b"]"), "no Resources": page().replace(b"/Resources<</Font<</F1 5 0 R>>>>", b""),
        "annotations that loop": page(b"/Annots[3 0 R 3 0 R]"), "20,000 annotations": page(b"/Annots[" + b"<</Type/Annot/Subtype/Link/Rect[0 0 9 9]>> " * 20_000 + b"]"),
        "Count of 2^31": page().replace(b"/Count 1", b"/Count 2147483647"), "Count below 0": page().replace(b"/Count 1", b"/Count -1"),
        "a page that is its own parent": page().replace(b"/Parent 2 0 R", b"/Parent 3 0 R"), "no cross-reference": page().split(b"xref")[0],
        "startxref beyond the end": page().replace(b"startxref\n", b"startxref\n99"), "startxref of itself": hostile_prev(),
        "xref of 2^31 objects": page().replace(b"xref\n0 6", b"xref\n0 2147483647"), "two headers": b"%PDF-1.4\n" + page(), "a header at byte 900": b"x" * 900 + b"\n" + page(),
        "a file twice": page() + page(), "line ends lost": page().replace(b"\n", b" "), "line ends doubled": page().replace(b"\n", b"\r\n"),
        "Length of a stream is 2^31": page().replace(b"/Length %d" % len(GOOD), b"/Length 2147483647"), "Length below 0": page().replace(b"/Length %d" % len(GOOD), b"/Length -5"),
        "Length of itself": page().replace(b"/Length %d" % len(GOOD), b"/Length 4 0 R"), "encrypted by nothing": page().replace(b"/Root 1 0 R", b"/Root 1 0 R/Encrypt<<>>"),
        "encrypted with a wild key": page().replace(b"/Root 1 0 R", b"/Root 1 0 R/ID[(a)(a)]/Encrypt<</Filter/Standard/V 5/R 6/O(%s)/U(x)/P -1/Length 99999>>" % (b"x" * 5000)),
    }


def hostile_prev():
    data = page()
    at = data.index(b"xref\n")
    return data.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % at)


def stream_faults():
    big = bytes(1000)
    return {
        "an image of 2^31 x 2^31": image(gray(2**31 - 1, 2**31 - 1), big), "an image below 0": image(gray(-5, -5), big), "an image of 60,000 x 60,000": image(gray(60000, 60000), big),
        "an image without data": image(gray(1000, 1000), b""), "99 bits a component": image(b"/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 99", big),
        "a colour space of itself": image(b"/Width 9/Height 9/ColorSpace 10 0 R/BitsPerComponent 8", big),
        "a palette of 2^31": image(b"/Width 9/Height 9/ColorSpace[/Indexed/DeviceRGB 2147483647(abc)]/BitsPerComponent 8", big),
        "a mask of itself": image(gray(9, 9) + b"/SMask 10 0 R", big), "JBIG2 of noise": image(gray(999, 999) + b"/Filter/JBIG2Decode", bytes(range(256)) * 20),
        "JPEG 2000 of noise": image(gray(999, 999) + b"/Filter/JPXDecode", bytes(range(256)) * 20), "JPEG of noise": image(gray(999, 999) + b"/Filter/DCTDecode", b"\xff\xd8" + bytes(range(256)) * 20),
        "fax of 2^31 columns": image(gray(999, 999) + b"/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 2147483647/Rows 2147483647>>", bytes(range(256))),
        "a predictor of 2^31 columns": image(gray(99, 99) + b"/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647/Colors 99>>", zlib.compress(big)),
        "Flate of Flate of 20 MB": image(gray(4000, 4000) + b"/Filter[/FlateDecode/FlateDecode]", flate_bomb(2)), "1,000 filters": image(gray(9, 9) + b"/Filter[" + b"/FlateDecode" * 1000 + b"]", flate_bomb(1)),
        "LZW of noise": image(gray(99, 99) + b"/Filter/LZWDecode", bytes(range(256)) * 100), "run lengths of noise": image(gray(99, 99) + b"/Filter/RunLengthDecode", bytes(range(256)) * 100),
        "hexadecimal of words": image(gray(9, 9) + b"/Filter/ASCIIHexDecode", b"not hexadecimal" * 100), "an unknown filter": image(gray(9, 9) + b"/Filter/NoneDecode", big),
    }


def font_faults():
    to_unicode = b"/CIDInit /ProcSet findresource begin begincmap 1 beginbfrange <00> <FF> <%s> endbfrange endcmap end"
    return {
        "Type0 without descendants": font(b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[]>>"),
        "a descendant of itself": font(b"<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[10 0 R]>>"),
        "Type3 that draws itself": font(b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[.1 0 0 .1 0 0]/FirstChar 0/LastChar 255/Widths[9]/Encoding<</Differences[0/W]>>"
                                        b"/CharProcs<</W 11 0 R>>/Resources<</Font<</F2 10 0 R>>>>>>", stream(b"", b"9 0 d0 BT /F2 9 Tf (W\0W) Tj ET")),
        "Type3 without procedures": font(b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[0 0 0 0 0 0]>>"), "an unknown subtype": font(b"<</Type/Font/Subtype/Nothing>>"),
        "a font that is null": font(b"null"), "a font file of noise": font(b"<</Type/Font/Subtype/TrueType/BaseFont/A/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4/FontFile2 11 0 R>>>>",
                                                                        stream(b"", bytes(range(256)) * 50)),
        "a CFF of noise": font(b"<</Type/Font/Subtype/Type1/BaseFont/A/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4/FontFile3 11 0 R>>>>",
                               stream(b"/Subtype/Type1C", b"\1\0\4\2" + bytes(range(256)) * 50)),
        "widths of 2^31": font(HELVETICA[:-2] + b"/FirstChar 32/LastChar 255/Widths[" + b"2147483647 " * 224 + b"]>>"), "LastChar of 2^31": font(HELVETICA[:-2] + b"/FirstChar 0/LastChar 2147483647/Widths[1]>>"),
        "a Unicode map of 20,000 letters a code": font(HELVETICA[:-2] + b"/ToUnicode 11 0 R>>", stream(b"", to_unicode % (b"0041" * 20_000))),
        "a Unicode map to controls": font(HELVETICA[:-2] + b"/ToUnicode 11 0 R>>", stream(b"", to_unicode % b"0000")), "a Unicode map to half characters": font(
            HELVETICA[:-2] + b"/ToUnicode 11 0 R>>", stream(b"", to_unicode % b"D800")),
        "a Unicode map of itself": font(HELVETICA[:-2] + b"/ToUnicode 11 0 R>>", stream(b"/UseCMap 11 0 R", b"11 0 R usecmap")),
    }


def others():
    shading = b"<</ShadingType %d/ColorSpace/DeviceRGB/Coords[0 0 0 500 500 500]/Function 11 0 R/Domain[0 1]>>"
    looping = b"<</FunctionType 3/Domain[0 1]/Functions[11 0 R]/Bounds[]/Encode[0 1]>>"
    return {**{f"a shading of kind {kind} with a function of itself": three_pages(GOOD + b" /S sh", b"/Shading<</S 10 0 R>>", [shading % kind, looping]) for kind in (2, 3, 9)},
            "a pattern that draws itself": three_pages(GOOD + b" /Pattern cs /P scn 0 0 600 600 re f", b"/Pattern<</P 10 0 R>>",
                                                       [stream(b"/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep .001/YStep .001/Resources<</Pattern<</P 10 0 R>>>>", b"/Pattern cs /P scn 0 0 9 9 re f")]),
            "a form that draws itself": three_pages(GOOD + b" /X Do", b"/XObject<</X 10 0 R>>", [stream(b"/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 10 0 R>>>>", b"/X Do")])}


def cases(folder):
    kinds = {"content": {name: three_pages(content) for name, content in content_faults().items()}, "page": page_faults(), "stream": stream_faults(),
             "font": font_faults(), "other": others()}
    for kind, faults in kinds.items():
        for i, (name, data) in enumerate(faults.items()):
            path, target = folder / f"{kind}{i}.pdf", folder / f"{kind}{i}.md"
            path.write_bytes(data)

            def kept(run, target=target, three=kind not in ("page",)):
                if run.code == 0 and not target.exists():
                    return ["exit 0 and nothing written"]
                lost = three and run.code in (0, 3) and target.read_text().count("can be read") < 2
                return ["the pages around it are lost"] if lost else []
            yield Case(f"{kind}: {name}", [path, "-o", target, *FLAGS], {0, 2, 3, *([6] if "encrypted" in name else [])}, never=("internal error", "crashed"), check=kept, cpu_seconds=60)
