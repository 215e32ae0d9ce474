"""Pipes, devices and endless files in the place of inputs, and files to replay that are deep or huge."""
import json
import os

from case import LETTER, Case


def cases(folder):
    fifo = folder / "pipe.pdf"
    os.mkfifo(fifo)
    none = ["--model", "none"]
    yield Case("named pipe without a writer", [fifo, *none], {2}, says=("pipe",))
    yield Case("named pipe among inputs", [fifo, LETTER, "-o", folder / "out/", *none], {2}, says=("pipe",))
    (folder / "tree").mkdir()
    os.mkfifo(folder / "tree/a.pdf")
    (folder / "tree/b.pdf").write_bytes(LETTER.read_bytes())
    yield Case("named pipe in a folder", [folder / "tree", "-o", folder / "tree-out", *none], {0})
    yield Case("named pipe of the shell", [*none], {0}, shell=f'mkfifo {folder}/q; cat "{LETTER}" >{folder}/q & "$0" "$@" - <{folder}/q')
    for device in ("/dev/zero", "/dev/full", "/dev/random", "/proc/kmsg", "/dev/tty", "/proc/self/mem"):
        yield Case(f"input {device}", [device, *none], {2}, megabytes=512)
    yield Case("input /dev/null", ["/dev/null", *none], {2})
    yield Case("endless standard input", ["-", *none], {2}, shell='exec "$0" "$@" </dev/zero', megabytes=3000)
    huge = folder / "huge.pdf"
    with open(huge, "wb") as file:
        file.truncate(1 << 40)
    yield Case("file of 1 TB", [huge, *none], {2}, megabytes=512)
    yield from option_files(folder, fifo)
    yield from replayed(folder)


def option_files(folder, fifo):
    for option in (["--config"], ["--password-file"], ["--draft"]):
        for path in (fifo, "/dev/zero"):
            value = f"replay:{path}" if option == ["--draft"] else path
            yield Case(f"{option[0]} {path}"[:40], [LETTER, "--model", "none", *option, value], {1, 2, 4}, megabytes=512)
    yield Case("--bench-truth of a pipe", [LETTER, "--model", "builtin", "--bench", "--bench-truth", folder / "truth",
                                           "--max-new-tokens", "8"],
               {0, 1, 2, 3, 4}, shell=f'mkdir {folder}/truth; mkfifo {folder}/truth/letter.md; exec "$0" "$@"')
    yield Case("retrieval store of a pipe", [LETTER, "--model", "builtin", "--draft", f"retrieval:store={fifo}"], {1, 2, 4})
    yield Case("store build of a pipe", ["store", "build", fifo, "-o", folder / "s"], {1, 2, 4})
    words = [LETTER, "--model", "none"]
    yield Case("files of the shell", words, {0}, never=("pipe",), shell=f"""exec bash -c '"$0" <(cat "$1") "${{@:2}}" \
        --config <(echo quiet=true) --password-file <(echo x)' "$0" "$@" """)
    yield Case("output is a pipe without a reader", [LETTER, "-o", fifo, "--model", "none"], {1, 5})
    for name, text in {"deep": "a = " + "[" * 100_000, "deep table": "[" + "a." * 50_000 + "a]\nb=1",
                       "long key": "a" * 5_000_000 + " = 1", "binary": "\x00\xff" * 1000,
                       "open string": 'lang = """' + "x\n" * 100_000, "open list": "lang = [\n" + "1,\n" * 100_000}.items():
        (folder / "c.toml").write_text(text, errors="surrogateescape")
        yield Case(f"configuration: {name}", [LETTER, "--model", "none", "--config", folder / "c.toml"],
                   {0, 1} if name.startswith("open") else {1}, megabytes=512)


def replayed(folder):
    table = "<table><tr><td>" * 20_000
    block = {"type": "text", "text": "a", "page_idx": 0, "bbox": [0, 0, 10, 10]}
    body = {"schema": "docspec-drafts/1", "source_file": "a", "sha256": ""}
    page = {"page": 1, "width_px": 100, "height_px": 100, "dpi": 72}
    regions = [{"id": i, "order": i, "kind": "text", "box": [0, 0, 9, 9], "confidence": 1} for i in range(300_000)]
    texts = {
        "JSON 200,000 deep": "[" * 200_000,
        "objects 200,000 deep": '{"a":' * 200_000,
        "blocks beyond number": json.dumps([block] * 300_000),
        "MinerU table nested": json.dumps([{**block, "type": "table", "table_body": "<table><tr><td>" * 100_000}]),
        "MinerU tables nested 20,000": json.dumps([{**block, "type": "table", "table_body": table}]),
        "MinerU types": json.dumps([1, "a", {"type": 3}, {**block, "page_idx": -7}, {**block, "bbox": [1e300] * 4}]),
        "hOCR nested": "<div class='ocr_page' title='bbox 0 0 100 100'>" + "<div class='ocr_par' title='bbox 0 0 9 9'>" * 200_000,
        "hOCR of words": "<div class='ocr_page' title='bbox 0 0 100 100'>" + "<span class='ocrx_word' title='bbox 1 1 9 9'>a</span>" * 300_000,
        "PP-Structure nested table": json.dumps({"parsing_res_list": [{"block_label": "table", "block_content": table,
                                                                       "block_bbox": [0, 0, 9, 9]}]}),
        "Drafts JSON of regions": json.dumps({**body, "pages": [{**page, "regions": regions, "drafts": []}]}),
        "Drafts JSON of pages": json.dumps({**body, "pages": [{**page, "page": 1, "regions": [], "drafts": []}] * 200_000}),
        "Drafts JSON of numbers": '{"schema": "docspec-drafts/1", "pages": [{"page": 99999999999999999999}]}',
        "no UTF-8": "[\"\xff\xfe\"]",
    }
    for name, text in texts.items():
        path = folder / "replay"
        path.write_bytes(text.encode("latin-1"))
        yield Case(f"replay: {name}", [LETTER, "--model", "none", "--draft", f"replay:{path}", "-o", folder / "r.md",
                                       "--page-timeout", "20"], {0, 2, 3}, megabytes=1024)
    # What the folder has no drafts of is drafted as usual.
    yield Case("replay of a folder without drafts of the file", [LETTER, "--model", "none", "--draft", f"replay:{folder}"], {0})
