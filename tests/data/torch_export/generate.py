# SPDX-License-Identifier: Apache-2.0
"""Programs that torch.export.save of torch 2.13 wrote."""

import json
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "interop"))

from oracle import tensor_entry  # noqa: E402

HERE = Path(__file__).resolve().parent


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(6, 4)
        self.norm = torch.nn.BatchNorm1d(4)
        self.head = torch.nn.Linear(4, 6).bfloat16()
        self.tied = self.fc.weight
        self.register_buffer("scale", torch.arange(4.0))
        self.register_buffer("cut", torch.arange(12.0).reshape(3, 4)[1])

    def forward(self, x):
        return self.head((self.norm(self.fc(x)) * self.scale + self.cut).bfloat16())


def main():
    torch.manual_seed(4)
    net = Net().eval()
    torch.export.save(torch.export.export(net, (torch.zeros(2, 6),)), HERE / "net.pt2")
    rows = {name: [*tensor_entry(tensor).values()] for name, tensor in net.state_dict().items()}
    (HERE / "expected.json").write_text(json.dumps({"net.pt2": {"tensors": rows}}, indent=1) + "\n")


if __name__ == "__main__":
    main()
