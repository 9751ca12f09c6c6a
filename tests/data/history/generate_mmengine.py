# SPDX-License-Identifier: Apache-2.0
"""Writes mmengine/ with mmengine 0.10.7 and torch 2.13.0: three epochs of which the hook names the second as the best.

    generate_mmengine.py FOLDER

mmengine imports cv2 and matplotlib for pictures that this run does not make; stand-ins are enough.
"""
import importlib.util
import sys
from unittest import mock

for name in ("cv2", "matplotlib", "matplotlib.pyplot", "matplotlib.figure", "matplotlib.backends", "matplotlib.backends.backend_agg",
             "matplotlib.collections", "matplotlib.patches"):
    if importlib.util.find_spec(name.partition(".")[0]) is None:
        sys.modules[name] = mock.MagicMock(__version__="4.9.0")

import torch  # noqa: E402
from mmengine.evaluator import BaseMetric  # noqa: E402
from mmengine.model import BaseModel  # noqa: E402
from mmengine.registry import METRICS  # noqa: E402
from mmengine.runner import Runner  # noqa: E402


class Model(BaseModel):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 2)

    def forward(self, x, y, mode):
        out = self.linear(x)
        return {"loss": ((out - y) ** 2).mean()} if mode == "loss" else (out, y)


@METRICS.register_module()
class Accuracy(BaseMetric):
    values = iter((0.2, 0.9, 0.5))

    def process(self, batch, samples):
        self.results.append(1)

    def compute_metrics(self, results):
        return {"acc": next(self.values)}


def loader():
    return torch.utils.data.DataLoader([(torch.rand(4), torch.rand(2)) for _ in range(8)], batch_size=4)


Runner(Model(), work_dir=sys.argv[1], train_dataloader=loader(), val_dataloader=loader(), val_evaluator={"type": Accuracy},
       train_cfg={"by_epoch": True, "max_epochs": 3, "val_interval": 1}, val_cfg={}, optim_wrapper={"optimizer": {"type": "SGD", "lr": 0.1}},
       default_hooks={"checkpoint": {"type": "CheckpointHook", "interval": 1, "save_best": "acc", "rule": "greater"}}).train()
