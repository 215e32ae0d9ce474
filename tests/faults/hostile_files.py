"""Files that break converters, made from nothing but a seed and the samples."""
import random
import struct
import zlib
from pathlib import Path

GOOD = b"BT /F1 12 Tf 72 700 Td (A page that can be read) Tj ET"


def pdf(objects):
    out, offsets = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return bytes(out + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
                 % (len(objects) + 1, start))


def stream(dictionary, content):
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (dictionary, len(content), content)


def three_pages(content, resources=b"", more=(), side=800):
    """Page 2 draws `content`; `more` are the objects from 10 on."""
    def page(stream_number, size):
        return (b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents %d 0 R"
                b"/Resources<</Font<</F1 6 0 R>>%s>>>>" % (size, size, stream_number, resources))
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>",
                page(7, 800), page(8, side), page(7, 800),
                b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", stream(b"", GOOD),
                stream(b"", content), b"null", *more])


def hang():
    """Forms that draw the next form twice, 40 deep."""
    forms = [stream(b"/Subtype/Form/BBox[0 0 800 800]/Resources<</XObject<</X %d 0 R>>>>" % (11 + i),
                    b"/X Do /X Do") for i in range(40)]
    return three_pages(b"/X Do", b"/XObject<</X 10 0 R>>",
                       [*forms, stream(b"/Subtype/Form/BBox[0 0 9 9]", b"0 0 1 1 re f")])


def eats_memory():
    """Transparency groups of a whole large page, 95 deep."""
    forms = [stream(b"/Subtype/Form/BBox[0 0 5000 5000]/Group<</S/Transparency/I true/K true>>"
                    b"/Resources<</XObject<</X %d 0 R>>/ExtGState<</G<</ca .5>>>>>>" % (11 + i),
                    b"/G gs 0 0 9 9 re f /X Do") for i in range(95)]
    return three_pages(GOOD.replace(b"read", b"rescued") + b" /X Do", b"/XObject<</X 10 0 R>>",
                       [*forms, stream(b"/Subtype/Form/BBox[0 0 9 9]", b"0 0 1 1 re f")], 5000)


def reference_loops():
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>",
                b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2/Parent 2 0 R>>",
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R/Resources 3 0 R>>"])


def deep_page_tree(depth=20000):
    tree = [b"<</Type/Catalog/Pages 2 0 R>>"]
    tree += [b"<</Type/Pages/Kids[%d 0 R]/Count 1/Parent %d 0 R>>" % (i + 3, max(2, i + 1))
             for i in range(depth)]
    tree.append(b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources"
                b"<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
                % (depth + 1, depth + 3))
    return pdf([*tree, stream(b"", GOOD)])


def book(count, width=612, height=792):
    """A PDF of `count` pages, each with one line."""
    kids = b" ".join(b"%d 0 R" % (3 + i) for i in range(count))
    pages = [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents %d 0 R/Resources<</Font<</F1 %d 0 R>>>>>>"
             % (width, height, 3 + count + i, 3 + 2 * count) for i in range(count)]
    texts = [stream(b"", b"BT /F1 12 Tf %d %d Td (This is page %d, a page of a book) Tj ET" % (width // 10, height * 7 // 8 - 12, i))
             for i in range(1, count + 1)]
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count), *pages, *texts,
                b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"])


def pages(contents, annotations=b""):
    """A page for each content; `annotations` on all of them."""
    n = len(contents)
    kids = b" ".join(b"%d 0 R" % (3 + i) for i in range(n))
    each = [b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 %d 0 R>>>>/Annots[%s]>>"
            % (3 + n + i, 3 + 2 * n, annotations) for i in range(n)]
    return pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, n), *each,
                *[stream(b"", content) for content in contents],
                b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"])


def with_outline(items):
    """One page and bookmarks: `items` are the objects from 4 on, the first of them the root."""
    return pdf([b"<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1<</Type/Font"
                b"/Subtype/Type1/BaseFont/Helvetica>>>>>>>>" % (4 + len(items)), *items, stream(b"", GOOD)])


def deep_outline(depth):
    items = [b"<</Type/Outlines/First 5 0 R/Last 5 0 R/Count 1>>"]
    items += [b"<</Title(a)/Parent %d 0 R/First %d 0 R/Last %d 0 R/Count 1>>" % (4 + i, 6 + i, 6 + i)
              for i in range(depth)]
    return with_outline([*items, b"<</Title(end)/Parent %d 0 R>>" % (4 + depth)])


def looping_outline():
    return with_outline([b"<</Type/Outlines/First 5 0 R/Last 6 0 R/Count 2>>",
                         b"<</Title(a)/Parent 4 0 R/Next 6 0 R/First 5 0 R/Last 5 0 R>>",
                         b"<</Title(b)/Parent 4 0 R/Next 5 0 R>>"])


def without_unicode_maps():
    """A font whose codes stand for nothing: the text layer cannot be trusted."""
    glyphs = b" ".join(b"/g%d" % i for i in range(32, 127))
    font = (b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Type/Encoding"
            b"/Differences[32 %s]>>>>" % glyphs)
    good = three_pages(GOOD)
    return good.replace(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", font)


def png(width, height):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + b"\xff" * width
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))


def tiff(width=2, height=2, claimed=None):
    fields = [(256, claimed or width), (257, height), (258, 8), (259, 1), (262, 1), (273, 130),
              (277, 1), (278, height), (279, width * height)]
    head = b"II*\0\x08\0\0\0" + struct.pack("<H", len(fields))
    head += b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in fields)
    return (head + b"\0\0\0\0").ljust(130, b"\0") + b"\x00\x80\xff\x40"


def tiff_pages(count):
    """A TIFF of `count` white pages of 8 x 8 pixels."""
    out = bytearray(b"II*\0\x08\0\0\0")
    for page in range(count):
        at = len(out)
        data = at + 2 + 12 * 9 + 4
        fields = [(256, 8), (257, 8), (258, 8), (259, 1), (262, 1), (273, data), (277, 1), (278, 8), (279, 64)]
        out += struct.pack("<H", len(fields))
        out += b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in fields)
        out += struct.pack("<I", data + 64 if page + 1 < count else 0) + b"\xff" * 64
    return bytes(out)


def mutated(seed, bases):
    """A PDF that was cut, bit-flipped, or had pieces copied, dropped or zeroed."""
    rng = random.Random(seed)
    data = bytearray(rng.choice(bases))
    for _ in range(rng.choice([1, 2, 8, 40])):
        at = rng.randrange(len(data))
        size = rng.randrange(1, 200)
        kind = rng.randrange(6)
        if kind == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:at + size]
        elif kind == 2:
            source = rng.randrange(len(data))
            data[at:at] = data[source:source + size]
        elif kind == 3:
            data[at:at + size] = bytes(len(data[at:at + size]))
        elif kind == 4:  # another number: lengths, references, sizes
            digits = [i for i, c in enumerate(data) if chr(c).isdigit()]
            if digits:
                data[rng.choice(digits)] = ord(rng.choice("0123456789"))
        elif rng.random() < 0.2:
            del data[max(1, at):]
        if len(data) < 2:
            break
    return bytes(data)


def mutation_bases(samples: Path):
    bases = [three_pages(GOOD), hang()[:4000], without_unicode_maps()]
    return bases + [path.read_bytes() for path in sorted(samples.glob("*.pdf"))]
