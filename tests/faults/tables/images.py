"""Images whose headers lie or whose bytes end, repeat or expand."""
import struct
import zlib

from case import ROOT, SAMPLES, Case

FLAGS = ["--model", "none", "--page-timeout", "20", "--lang", "eng"]


def chunk(kind, data, wrong=0):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data) ^ wrong)


def png(width=20, height=20, bits=8, colour=0, interlace=0, rows=None, before=b"", wrong=0):
    rows = (b"\0" + b"\xff" * width) * height if rows is None else rows
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, colour, 0, 0, interlace), wrong) + before
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def tiff(fields, rest=b"", first=8, following=0):
    out = b"II*\0" + struct.pack("<I", first) + struct.pack("<H", len(fields))
    out += b"".join(struct.pack("<HHII", *field) for field in fields) + struct.pack("<I", following)
    return out.ljust(300, b"\0") + rest


def plain(**changes):
    fields = {256: (4, 1, 8), 257: (4, 1, 8), 258: (3, 1, 8), 259: (3, 1, 1), 262: (3, 1, 1), 273: (4, 1, 300), 277: (3, 1, 1), 278: (4, 1, 8), 279: (4, 1, 64)}
    fields |= {int(tag): value for tag, value in changes.items()}
    return [(tag, *value) for tag, value in sorted(fields.items()) if value]


def files():
    jpeg = (ROOT / "tests/fuzz/seeds/image/a.jpg").read_bytes()
    sof = next(i for i in range(len(jpeg)) if jpeg[i] == 0xFF and jpeg[i + 1] in (0xC0, 0xC1, 0xC2))
    exif = b"Exif\0\0II*\0\x08\0\0\0" + struct.pack("<HHHIII", 1, 0x112, 3, 1, 99, 8)
    yield "PNG of 2^31 rows", png(8, 2**31 - 1, rows=b""), ".png"
    yield "PNG of no columns", png(0, 8, rows=b""), ".png"
    yield "PNG of 3 bits", png(bits=3), ".png"
    yield "PNG of colour 5", png(colour=5), ".png"
    yield "PNG with a palette that is not there", png(colour=3), ".png"
    yield "PNG interlaced and short", png(interlace=1, rows=b"\0"), ".png"
    yield "PNG whose rows are 200 MB", png(rows=bytes(200_000_000)), ".png"
    yield "PNG with a wrong checksum", png(wrong=1), ".png"
    yield "PNG with filters beyond number", png(rows=(b"\x63" + b"\xff" * 20) * 20), ".png"
    yield "PNG with 100 MB of text", png(before=chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(100_000_000)))), ".png"
    yield "PNG with a profile of noise", png(before=chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(range(256)) * 100))), ".png"
    yield "PNG with 50,000 chunks", png(before=chunk(b"tEXt", b"a\0b") * 50_000), ".png"
    yield "PNG of 1e6 pixels an inch", png(before=chunk(b"pHYs", struct.pack(">IIB", 40_000_000, 40_000_000, 1))), ".png"
    yield "PNG of 0 pixels an inch", png(before=chunk(b"pHYs", struct.pack(">IIB", 0, 0, 1))), ".png"
    yield "JPEG of 65,535 x 65,535 claimed", jpeg[:sof + 5] + b"\xff\xff\xff\xff" + jpeg[sof + 9:], ".jpg"
    yield "JPEG of 0 x 0", jpeg[:sof + 5] + b"\0\0\0\0" + jpeg[sof + 9:], ".jpg"
    yield "JPEG of 99 components", jpeg[:sof + 9] + b"\x63" + jpeg[sof + 10:], ".jpg"
    yield "JPEG without its head", jpeg[:3] + jpeg[200:], ".jpg"
    yield "JPEG turned by 99", jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:], ".jpg"
    yield "JPEG of markers alone", b"\xff\xd8" + b"\xff\xe0\0\2" * 100_000, ".jpg"
    yield "JPEG and then 10 MB", jpeg + bytes(10_000_000), ".jpg"
    yield "TIFF whose directory is its next", tiff(plain(), b"\xff" * 64, following=8), ".tif"
    yield "TIFF whose directory is beyond the end", tiff(plain(), first=1 << 30), ".tif"
    yield "TIFF of 65,535 fields", b"II*\0\x08\0\0\0\xff\xff" + bytes(600), ".tif"
    yield "TIFF with strips beyond the end", tiff(plain(**{"273": (4, 1, 1 << 30)})), ".tif"
    yield "TIFF with 2^31 strips", tiff(plain(**{"273": (4, 2**31 - 1, 8), "279": (4, 2**31 - 1, 8)})), ".tif"
    yield "TIFF of 0 rows a strip", tiff(plain(**{"278": (4, 1, 0)}), b"\xff" * 64), ".tif"
    yield "TIFF of 65,535 samples", tiff(plain(**{"277": (3, 1, 65535)}), b"\xff" * 64), ".tif"
    yield "TIFF of compression 34676", tiff(plain(**{"259": (3, 1, 34676)}), b"\xff" * 64), ".tif"
    yield "TIFF of fax noise", tiff(plain(**{"259": (3, 1, 4), "258": (3, 1, 1)}), bytes(range(64))), ".tif"
    yield "TIFF of LZW noise", tiff(plain(**{"259": (3, 1, 5)}), bytes(range(64))), ".tif"
    yield "TIFF of old JPEG", tiff(plain(**{"259": (3, 1, 6)}), jpeg), ".tif"
    yield "TIFF of huge tiles", tiff(plain(**{"322": (4, 1, 2**31 - 16), "323": (4, 1, 2**31 - 16), "324": (4, 1, 300), "325": (4, 1, 64), "273": None, "279": None}), b"\xff" * 64), ".tif"
    yield "BigTIFF", b"II+\0\x08\0\0\0" + struct.pack("<Q", 16) + bytes(64), ".tif"
    yield "WebP cut off", b"RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0" + bytes(10), ".webp"
    yield "WebP of 16,383 x 16,383 claimed", b"RIFF\x1e\0\0\0WEBPVP8L\x11\0\0\0\x2f" + struct.pack("<I", 16382 | 16382 << 14) + bytes(12), ".webp"
    yield "WebP of 4 GB", b"RIFF\xff\xff\xff\xffWEBPVP8X" + bytes(100), ".webp"
    yield "GIF", b"GIF89a" + bytes(100), ".gif"
    yield "SVG", b"<svg xmlns='http://www.w3.org/2000/svg'/>", ".svg"
    yield "PNG that is named PDF", (SAMPLES / "letter.pdf").read_bytes()[:0] + png(), ".pdf"
    yield "PDF that is named PNG", (SAMPLES / "letter.pdf").read_bytes(), ".png"


def cases(folder):
    for i, (name, data, suffix) in enumerate(files()):
        path, target = folder / f"{i}{suffix}", folder / f"{i}.md"
        path.write_bytes(data)

        def written(run, target=target):
            return ["exit 0 and nothing written"] if run.code == 0 and not target.exists() else []
        yield Case(name, [path, "-o", target, *FLAGS], {0, 2, 3}, never=("internal error", "crashed"), check=written, cpu_seconds=60)
