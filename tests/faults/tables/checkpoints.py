"""Files of a model's folder that are pipes, devices, endless, hostile, missing or broken."""
import json
import os
import shutil
import struct

from case import LETTER, ROOT, Case

MINI = ROOT / "share/models/mini"
FILES = ["config.json", "tokenizer.json", "model.safetensors", "docspec.json", "generation_config.json",
         "preprocessor_config.json"]


def checkpoint(folder, name, without=()):
    """A copy of the built-in model, by links; `without` files."""
    copy = folder / name
    copy.mkdir()
    for path in MINI.iterdir():
        if path.is_file() and path.name not in without:
            (copy / path.name).symlink_to(path)
    return copy


def replaced(folder, name, file, content):
    copy = checkpoint(folder, name, {file})
    if content is not None:
        (copy / file).write_bytes(content.encode() if isinstance(content, str) else content)
    return copy


def cases(folder):
    count = 0
    for file in [*FILES, "model.safetensors.index.json"]:
        for kind in ("a pipe", "/dev/zero", "a folder", "1 TB", "/proc/kmsg", "empty", "null", "no JSON"):
            count += 1
            single = {"model.safetensors"} if file.endswith("index.json") else set()
            copy = checkpoint(folder, f"{count}", {file, *single})
            path = copy / file
            make(path, kind)
            for command in (["model", "info", copy], ["--model", copy, LETTER, "--max-new-tokens", "8"]):
                if command[0] == "model" and kind in ("empty", "null", "no JSON"):
                    continue
                named = file if kind not in ("null",) or file == "config.json" else ""
                codes = {4} if kind != "null" else {0, 3, 4}
                if command[0] == "model" and file.startswith(("tokenizer", "generation", "preprocessor", "docspec")):
                    codes, named = {0, 4}, ""  # what is no file is not listed
                yield Case(f"{file} is {kind}: {'info' if command[0] == 'model' else 'convert'}", command, codes,
                           says=(named,) if named and codes == {4} else (), megabytes=1024)
    for file in FILES:
        copy = replaced(folder, f"without-{file}", file, None)
        # Published checkpoints have no docspec.json: the family's prompts ask, and what this model answers to them
        # is refused, with the page's drafts in its place.
        codes = {"generation_config.json": {0, 3}, "docspec.json": {3}}.get(file, {4})
        yield Case(f"without {file}", ["--model", copy, LETTER, "--max-new-tokens", "8"], codes,
                   says=("fallback",) if codes == {3} else ())
    yield Case("shard is a pipe", ["model", "info", shard(folder)], {4})
    yield from tensors(folder)
    yield from tokenizers(folder)
    yield from settings(folder)


def make(path, kind):
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind in ("/dev/zero", "/proc/kmsg"):
        path.symlink_to(kind)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "1 TB":
        with open(path, "wb") as file:
            file.truncate(1 << 40)
    else:
        path.write_text({"empty": "", "null": "null", "no JSON": "{\"a\": "}[kind])


def shard(folder):
    copy = replaced(folder, "shard", "model.safetensors", None)
    os.mkfifo(copy / "a.safetensors")
    (copy / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"x": "a.safetensors"}}))
    return copy


def header(text, data=b""):
    text = text if isinstance(text, bytes) else text.encode()
    return struct.pack("<Q", len(text)) + text + data


def tensors(folder):
    empty = '{"dtype":"F32","shape":[0],"data_offsets":[0,0]}'
    many = "{" + ",".join(f'"t{i}":{empty}' for i in range(1_000_000)) + "}"
    names = {"1,000,000 tensors": header(many),
             "16,000 tensors": header("{" + ",".join(
                 f'"t{i}":{{"dtype":"U8","shape":[1],"data_offsets":[{i},{i + 1}]}}' for i in range(16000)) + "}", bytes(16000)),
             "a header 100,000 deep": header("[" * 100_000),
             "a shape of 10,000,000 sides": header('{"a":{"dtype":"F32","shape":[' + "1," * 10_000_000 + '1],"data_offsets":[0,4]}}', bytes(4)),
             "a name of 50 MB": header('{"' + "n" * 50_000_000 + f'":{empty}}}'),
             "metadata of 50 MB": header('{"__metadata__":{"a":"' + "n" * 50_000_000 + f'"}},"t":{empty}}}'),
             "a length beyond the file": struct.pack("<Q", 1 << 62) + b"{}",
             "offsets that overlap": header('{"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[8],"data_offsets":[4,12]}}', bytes(12))}
    for i, (name, data) in enumerate(names.items()):
        copy = replaced(folder, f"tensors{i}", "model.safetensors", data)
        for command in ("info", "verify"):
            yield Case(f"{name}: {command}", ["model", command, copy], {0, 4}, cpu_seconds=8, megabytes=1500)
    weights = {f"t{i}": "model-1.safetensors" for i in range(500_000)}
    copy = replaced(folder, "index", "model.safetensors", None)
    (copy / "model-1.safetensors").write_bytes(header("{}"))
    (copy / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weights}))
    yield Case("index of 500,000 tensors", ["model", "info", copy], {4}, cpu_seconds=15, megabytes=1500)


def tokenizers(folder):
    base = json.loads((MINI / "tokenizer.json").read_text())
    grow = {"type": "Replace", "pattern": {"String": "a"}, "content": "aa"}
    big = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 1_000_000}
    nest = {"type": "Sequence", "normalizers": []}
    for _ in range(80):
        nest = {"type": "Sequence", "normalizers": [nest]}
    made = {
        "2^18 normaliser steps": {"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}] * (1 << 18)}},
        "a normaliser that doubles 60 times": {"normalizer": {"type": "Sequence", "normalizers": [grow] * 60}},
        "a normaliser of long text": {"normalizer": {"type": "Sequence", "normalizers": [big] * 4}},
        "a nested normaliser": {"normalizer": nest},
        "a decoder that doubles 60 times": {"decoder": {"type": "Sequence", "decoders": [grow] * 60}},
        "a decoder of long text": {"decoder": {"type": "Sequence", "decoders": [big] * 3}},
        "a pattern that backtracks": {"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated", "invert": False}},
        "1,000,000 added tokens": {"added_tokens": [{"id": i, "content": f"<x{i}>", "special": True, "single_word": False,
                                                     "lstrip": False, "rstrip": False, "normalized": False}
                                                    for i in range(1_000_000)]},
        "an added token of no text": {"added_tokens": base["added_tokens"] + [{"id": 2047, "content": "", "special": True,
                                      "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}]},
    }
    for i, (name, changes) in enumerate(made.items()):
        copy = replaced(folder, f"tokenizer{i}", "tokenizer.json", json.dumps({**base, **changes}))
        yield Case(f"tokenizer with {name}", ["--model", copy, LETTER, "--max-new-tokens", "8"], {0, 3, 4}, megabytes=1024)


def settings(folder):
    texts = {"generation_config.json": ["[]", "3", '{"eos_token_id": "x"}', '{"eos_token_id": -5}', '{"temperature": "x"}',
                                        '{"repetition_penalty": 0}', '{"eos_token_id": [99999999999]}'],
             "docspec.json": ["[]", "3", '{"dialect": "x"}', '{"chat": 3}', '{"stop": "x"}', '{"text_px": -1}',
                              '{"crop_lines": 1e18}', '{"questions": []}', '{"visual_shares": [1e400]}'],
             "preprocessor_config.json": ["[]", '{"patch_size": 0}', '{"image_mean": []}', '{"min_pixels": -1}', '{"max_pixels": 1e30}'],
             "config.json": ["[]", "{}", '{"model_type": "x"}', '{"model_type": 3}']}
    number = 0
    for file, variants in texts.items():
        for text in variants:
            number += 1
            copy = replaced(folder, f"settings{number}", file, text)
            yield Case(f"{file}: {text}", ["--model", copy, LETTER, "--max-new-tokens", "8"], {0, 3, 4},
                       never=("internal error",), check=told(file))
    config = json.loads((MINI / "config.json").read_text())
    for key, value in {"num_hidden_layers": 10**9, "hidden_size": 0, "vocab_size": 2**40, "num_attention_heads": 7,
                       "rms_norm_eps": "x", "rope_theta": -1, "eos_token_id": "x", "image_token_id": -1,
                       "num_key_value_heads": 3, "vision_config": None}.items():
        number += 1
        copy = replaced(folder, f"settings{number}", "config.json", json.dumps({**config, key: value}))
        yield Case(f"config.json: {key} = {value}", ["--model", copy, LETTER, "--max-new-tokens", "8"], {0, 3, 4, 7},
                   never=("internal error",))


def told(file):
    """A fault of the model is told as one, with the name of its file; never as a bad page."""
    def check(run):
        if run.code == 4 and file not in run.text:
            return [f"does not name {file}"]
        return ["told as a bad page"] if run.code == 3 and file in run.text else []
    return check
