"""Random weights that Python and C++ make alike, so that a committed checkpoint holds none of them.

model/weights.json tells of each safetensors file its SHA-256 and its tensors as [shape, offset,
scale]; tests/support/oracle_weights.cc writes the files from that. Number i of a tensor is offset +
scale * noise, rounded to bf16, where noise is the sum of four 16-bit numbers, about normal, of
SplitMix64's output i (Steele et al. 2014) from a state that is the FNV-1a hash of "seed/name"."""

import hashlib
import json

import numpy
import torch

MASK = (1 << 64) - 1


def fnv1a(text):
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 & MASK
    return value


def noise(key, n):
    """n doubles of mean 0 and deviation 1."""
    with numpy.errstate(over="ignore"):
        x = numpy.uint64(key) + numpy.arange(1, n + 1, dtype=numpy.uint64) * numpy.uint64(
            0x9E3779B97F4A7C15)
        x = (x ^ (x >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        x ^= x >> numpy.uint64(31)
    lanes = sum(((x >> numpy.uint64(16 * i)) & numpy.uint64(0xffff)).astype(numpy.int64)
                for i in range(4))
    return (lanes - 131070) / 37837.0


def spread(tensor):
    """Offset and scale of random weights like these."""
    return round(tensor.float().mean().item()), float(f"{tensor.float().std().item():.3g}")


def safetensors_bytes(tensors):
    """The same bytes as tests/support/checkpoint_writer.cc writes."""
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, (shape, data) in tensors.items():
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header, sort_keys=True, separators=(",", ":"))
    text += " " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text.encode() + b"".join(
        data for _, data in tensors.values())


def file_bytes(told, seed):
    """A safetensors file of the tensors that `told` describes: {name: [shape, offset, scale]}."""
    stored = {}
    for name, (shape, offset, scale) in told.items():
        count = int(numpy.prod(shape, dtype=numpy.int64))
        numbers = offset + scale * noise(fnv1a(f"{seed}/{name}"), count)
        rounded = torch.from_numpy(numbers.astype(numpy.float32)).bfloat16()
        stored[name] = (shape, rounded.view(torch.int16).numpy().tobytes())
    return safetensors_bytes(stored)


def restore(folder):
    """Writes the safetensors files that weights.json describes; returns their paths."""
    recipe, paths = json.loads((folder / "weights.json").read_text()), []
    for file, told in recipe["files"].items():
        data = file_bytes(told["tensors"], recipe["seed"])
        if hashlib.sha256(data).hexdigest() != told["sha256"]:
            raise SystemExit(f"{folder}/{file}: the recipe gives other bytes")
        paths.append(folder / file)
        paths[-1].write_bytes(data)
    return paths


def save_tensors(folder, tensors, sharded, seed):
    """Of `tensors` names, shapes and how their numbers spread are kept, the numbers are made anew."""
    names, files = sorted(tensors), {}
    half = len(names) // 2
    shards = [names[:half], names[half:]] if sharded else [names]
    for i, shard in enumerate(shards):
        file = f"model-{i + 1:05d}-of-00002.safetensors" if sharded else "model.safetensors"
        told = {n: [list(tensors[n].shape), *spread(tensors[n])] for n in shard}
        data = file_bytes(told, seed)
        (folder / file).write_bytes(data)
        files[file] = {"sha256": hashlib.sha256(data).hexdigest(), "tensors": told}
    (folder / "weights.json").write_text(recipe_text(seed, files))
    if sharded:
        index = {"metadata": {"total_size": sum(2 * t.numel() for t in tensors.values())},
                 "weight_map": {n: f for f in files for n in files[f]["tensors"]}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=1))


def recipe_text(seed, files):
    """JSON with a tensor a line."""
    parts = []
    for file, told in files.items():
        lines = ",\n".join(f"   {json.dumps(n)}: {json.dumps(t)}" for n, t in told["tensors"].items())
        parts.append(f'  "{file}": {{"sha256": "{told["sha256"]}", "tensors": {{\n{lines}}}}}')
    return f'{{"seed": {seed}, "files": {{\n' + ",\n".join(parts) + "}}\n"
