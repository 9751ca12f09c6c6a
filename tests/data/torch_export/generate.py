# SPDX-License-Identifier: Apache-2.0
"""Programs written by torch.export.save, with the tensors that torch.export.load of the same version reads.

    python generate.py net.pt2                        torch 2.13
    /of/torch/2.6/python generate.py torch_2_6.pt2    torch 2.6.0: torch zips in a plain zip; also 2.2 to 2.7
    /of/torch/2.1/python generate.py torch_2_1.pt2    torch 2.1.2: the same, called .json, and without constants
"""

import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interop"))

from oracle import tensor_entry  # noqa: E402

HERE = Path(__file__).resolve().parent


class Net(torch.nn.Module):
    def __init__(self, old: bool):
        super().__init__()
        self.fc = torch.nn.Linear(6, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        self.head = torch.nn.Linear(4, 6).bfloat16()
        self.tied = self.fc.weight
        self.register_buffer("scale", torch.arange(4.0))
        self.register_buffer("cut", torch.arange(12.0).reshape(3, 4)[1])
        self.old = old
        if old:
            self.register_buffer("lost", torch.ones(4), persistent=False)
            self.constant = torch.full((4,), 2.0)

    def forward(self, x):
        hidden = self.norm(self.fc(x)) * self.scale + self.cut
        return self.head((hidden + self.lost + self.constant if self.old else hidden).bfloat16())


def two_programs() -> dict[str, torch.Tensor]:
    """Two programs with equal names in one archive, which torch 2.8 and later can write."""
    from torch.export.pt2_archive._package import load_pt2, package_pt2
    layers = {"enc": torch.nn.Linear(3, 4), "dec": torch.nn.Linear(4, 2)}
    package_pt2(HERE / "two.pt2", exported_programs={
        name: torch.export.export(layer, (torch.zeros(2, layer.in_features),)) for name, layer in layers.items()})
    programs = load_pt2(HERE / "two.pt2").exported_programs
    return {f"{program}.{key}": tensor for program, loaded in programs.items() for key, tensor in loaded.state_dict.items()}


def main():
    name = sys.argv[1]
    torch.manual_seed(4)
    if name == "two.pt2":
        tensors = two_programs()
    else:
        net = Net(name.startswith("torch_")).eval()
        torch.export.save(torch.export.export(net, (torch.zeros(2, 6),)), HERE / name)
        program = torch.export.load(HERE / name)
        tensors = dict(net.state_dict()) if name == "net.pt2" else dict(program.state_dict) | dict(getattr(program, "constants", {}))
    expected = json.loads((HERE / "expected.json").read_text()) if (HERE / "expected.json").exists() else {}
    expected[name] = {"tensors": {key: [*tensor_entry(tensor.detach()).values()] for key, tensor in tensors.items()}}
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
