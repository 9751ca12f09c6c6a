# SPDX-License-Identifier: Apache-2.0
"""`check` on the states that real optimizers save: no warning on any of them, one on each damage."""

from __future__ import annotations

import unittest
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import get_state_dict

from support import ROOT, cases, run, temporary

import transformers

#: reported by `check` because of a state of an optimizer
CODES = {"negative-moment", "narrow-moment", "unequal-steps", "missing-optimizer-state", "state-without-parameter"}

OPTIMIZERS = {
    "adamw": lambda p: torch.optim.AdamW(p, lr=1e-3),
    "adamw_amsgrad": lambda p: torch.optim.AdamW(p, lr=1e-3, amsgrad=True),
    "adamw_foreach": lambda p: torch.optim.AdamW(p, lr=1e-3, foreach=True),
    "adamw_fused": lambda p: torch.optim.AdamW(p, lr=1e-3, fused=True),
    "adam": lambda p: torch.optim.Adam(p, lr=1e-3),
    "adamax": lambda p: torch.optim.Adamax(p, lr=1e-3),
    "nadam": lambda p: torch.optim.NAdam(p, lr=1e-3),
    "radam": lambda p: torch.optim.RAdam(p, lr=1e-3),
    "asgd": lambda p: torch.optim.ASGD(p, lr=1e-3),
    "rprop": lambda p: torch.optim.Rprop(p, lr=1e-3),
    "sgd": lambda p: torch.optim.SGD(p, lr=1e-3),
    "sgd_momentum": lambda p: torch.optim.SGD(p, lr=1e-3, momentum=0.9),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=1e-3),
    "adadelta": lambda p: torch.optim.Adadelta(p, lr=1e-3),
    "adafactor": lambda p: torch.optim.Adafactor(p, lr=1e-3),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=1e-3, momentum=0.9, centered=True),
    "hf_adafactor": lambda p: transformers.Adafactor(p, lr=1e-3, relative_step=False, scale_parameter=False),
}


def network() -> torch.nn.Sequential:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.BatchNorm1d(5), torch.nn.ReLU(), torch.nn.Linear(5, 4), torch.nn.Linear(4, 2))


def train(model, optimizer, steps: int = 3) -> None:
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(8, 6)).square().sum().backward()
        optimizer.step()


def found(path: Path) -> dict[str, str]:
    """Severity by code of the findings about optimizers; others must not be more than information."""
    answer = run("check", path, "--json")
    findings = {}
    for each in answer.json["findings"]:
        if each["code"] in CODES:
            findings[each["code"]] = each["severity"]
        elif each["severity"] != "info":
            raise AssertionError(each)
    return findings


class RealOptimizers(unittest.TestCase):
    def setUp(self) -> None:
        folder = temporary()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def save(self, model, optimizer, name: str = "step-3.pt") -> Path:
        path = self.folder / name
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": 3}, path)
        return path

    def test_no_warning_on_any(self) -> None:
        for name, make in OPTIMIZERS.items():
            with self.subTest(name):
                model = network()
                optimizer = make(model.parameters())
                train(model, optimizer)
                self.assertEqual(found(self.save(model, optimizer, f"{name}.pt")), {})

    def test_no_warning_in_dcp_folders(self) -> None:
        for name in ("adamw", "sgd_momentum", "adagrad", "adafactor", "rmsprop"):
            with self.subTest(name):
                model = network()
                optimizer = OPTIMIZERS[name](model.parameters())
                train(model, optimizer)
                weights, states = get_state_dict(model, optimizer)
                dcp.save({"model": weights, "optimizer": states}, checkpoint_id=self.folder / name)
                self.assertEqual(found(self.folder / name), {})

    def test_named_parameters(self) -> None:
        model = network()
        optimizer = torch.optim.AdamW(model.named_parameters(), lr=1e-3)
        train(model, optimizer)
        optimizer.state_dict()["state"][0]["exp_avg_sq"][0, 0] = float("nan")
        answer = run("check", self.save(model, optimizer), "--json")
        self.assertEqual(answer.code, 1)
        messages = [each["message"] for each in answer.json["findings"] if each["code"] == "non-finite"]
        self.assertEqual(messages, ["The second moment of 0.weight contains NaN"])

    def test_frozen_parameters(self) -> None:
        model = network()
        model[0].weight.requires_grad_(False)
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        train(model, optimizer)
        self.assertEqual(found(self.save(model, optimizer)), {"missing-optimizer-state": "info"})
        optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-3)
        train(model, optimizer)
        weights, states = get_state_dict(model, optimizer)
        dcp.save({"model": weights, "optimizer": states}, checkpoint_id=self.folder / "frozen")
        self.assertEqual(found(self.folder / "frozen"), {"missing-optimizer-state": "info"})

    def test_a_group_that_was_added_later(self) -> None:
        model = network()
        optimizer = torch.optim.AdamW(model[4].parameters(), lr=1e-3)
        train(model, optimizer)
        optimizer.add_param_group({"params": list(model[0].parameters())})
        train(model, optimizer, 2)
        self.assertEqual(found(self.save(model, optimizer)), {"unequal-steps": "info"})

    def test_a_parameter_of_another_step(self) -> None:
        model = network()
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        train(model, optimizer)
        optimizer.state_dict()["state"][2]["step"].fill_(1)
        path = self.save(model, optimizer)
        self.assertEqual(found(path), {"unequal-steps": "warning"})
        self.assertEqual(run("check", path, "--strict").code, 1)
        self.assertEqual(run("check", path).code, 0)

    def test_negative_second_moment(self) -> None:
        for name, key in (("adamw", "exp_avg_sq"), ("adagrad", "sum"), ("rmsprop", "square_avg"), ("adafactor", "row_var")):
            with self.subTest(name):
                model = network()
                optimizer = OPTIMIZERS[name](model.parameters())
                train(model, optimizer)
                optimizer.state_dict()["state"][0][key].view(-1)[0] = -1e-4
                self.assertEqual(found(self.save(model, optimizer, f"{name}.pt")), {"negative-moment": "warning"})

    def test_half_precision(self) -> None:
        for dtype, expected in ((torch.float16, {"narrow-moment": "warning"}), (torch.bfloat16, {})):
            model = network().to(dtype)
            optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, eps=1e-4)
            for _ in range(3):
                optimizer.zero_grad()
                for parameter in model.parameters():
                    parameter.grad = torch.full_like(parameter, 0.5)
                optimizer.step()
            self.assertEqual(found(self.save(model, optimizer, f"{dtype}.pt")), expected)

    def test_complex_parameters(self) -> None:
        parameter = torch.nn.Parameter(torch.randn(4, 3, dtype=torch.complex64))
        optimizer = torch.optim.Adam([parameter], lr=1e-3)
        for _ in range(3):
            optimizer.zero_grad()
            parameter.abs().square().sum().backward()
            optimizer.step()
        path = self.folder / "complex.pt"
        torch.save({"model": {"w": parameter.detach()}, "optimizer": optimizer.state_dict()}, path)
        self.assertEqual(found(path), {})

    def test_states_of_no_parameter(self) -> None:
        model = network()
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
        train(model, optimizer)
        state = optimizer.state_dict()
        state["param_groups"][0]["params"].pop()
        path = self.folder / "orphan.pt"
        torch.save({"model": model.state_dict(), "optimizer": state}, path)
        self.assertEqual(found(path), {"state-without-parameter": "warning"})


class EverySave(unittest.TestCase):
    """What the frameworks wrote for the other tests has no finding of this kind that is more than information."""

    def check(self, path: Path) -> None:
        answer = run("check", path, "--json")
        if answer.code in (0, 1):
            more = [each for each in answer.json["findings"] if each["code"] in CODES and each["severity"] != "info"]
            self.assertEqual(more, [], path)

    def test_data(self) -> None:
        checked = 0
        for folder in sorted((ROOT / "tests/data").iterdir()):
            if folder.is_dir():
                for path in sorted(folder.iterdir()):
                    if path.suffix not in (".py", ".json", ".oracle"):
                        self.check(path)
                        checked += 1
        self.assertGreater(checked, 100)

    def test_interop(self) -> None:
        self.assertGreater(len(cases()), 50)
        for case in cases():
            self.check(case.path)


if __name__ == "__main__":
    unittest.main()
