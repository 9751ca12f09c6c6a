# SPDX-License-Identifier: Apache-2.0
"""All tensors of a model are written, whatever its modules are named; omitted tensors are listed; a missing tensor
is refused by name."""

from __future__ import annotations

import copy
import json
import random
import tempfile
import unittest
from pathlib import Path

import numpy
import torch
import torch.distributed.checkpoint as dcp
from safetensors.torch import load_file, save_file, save_model

import random_roles
from support import run

SEEDS = 60


class RandomModels(unittest.TestCase):
    def test_weights_are_exactly_the_models(self) -> None:
        for seed in range(SEEDS):
            with self.subTest(seed=seed):
                container, outcome, details = random_roles.judge(seed)
                self.assertIn(outcome, ("exact", "warned"), f"{container}: {details}")


class Temporary(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(3)
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def saved(self, state: object, name: str = "state.pt") -> Path:
        torch.save(state, self.folder / name)
        return self.folder / name

    def plan(self, path: Path, *options: str) -> dict:
        return run("plan", "consolidate", path, "-o", self.folder / "planned.safetensors", "--json", *options).json


class LeftOut(Temporary):
    def loop(self) -> Path:
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
        optimizer = torch.optim.AdamW(model.parameters())
        model(torch.randn(3, 4)).sum().backward()
        optimizer.step()
        self.moments = sum(each.numel() * 4 for each in model.parameters()) * 2 + 4 * 4
        return self.saved({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "rng_state": torch.get_rng_state(), "epoch": 3})

    def test_roles_are_counted_before_and_after(self) -> None:
        path = self.loop()
        expected = [("optimizer", 12, self.moments), ("rng", 1, torch.get_rng_state().numel())]
        plan = self.plan(path)
        self.assertEqual([(left["role"], left["tensors"], left["bytes"]) for left in plan["left_out"]], expected)
        self.assertEqual(plan["problems"], [])
        self.assertIn("optimizer: 12 tensors", run("plan", "consolidate", path, "-o", self.folder / "x.safetensors").text)
        done = run("consolidate", path, "-o", self.folder / "out.safetensors", "--json").json
        self.assertEqual([(left["role"], left["tensors"], left["bytes"]) for left in done["left_out"]], expected)
        manifest = json.loads(Path(done["manifest"]).read_text())
        self.assertEqual([(left["role"], left["tensors"], left["bytes"]) for left in manifest["left_out"]], expected)
        self.assertEqual(self.plan(path, "--only", "all")["left_out"], [])

    def test_a_role_by_name_alone_is_a_warning(self) -> None:
        model = {"layer.weight": torch.randn(3, 3)}
        path = self.saved({"model": model, "scaler": {"weight": torch.randn(2, 2)}, "epoch": 1})
        plan = self.plan(path)
        self.assertEqual([(problem["code"], problem["severity"]) for problem in plan["problems"]], [("role-by-name", "warning")])
        self.assertEqual([(left["role"], left["by_name"]) for left in plan["left_out"]], [("training_state", True)])
        self.assertEqual(self.plan(path, "--strip", "training_state")["problems"], [])

    def test_averages_and_moments_are_no_weights(self) -> None:
        """Flattened by hand: only names remain."""
        model = {"dense.w": torch.randn(3, 3), "dense.b": torch.randn(3)}
        flat = dict(model)
        flat |= {f"optimizer.{kind}.{name}": tensor.clone() for kind in ("m", "v") for name, tensor in model.items()}
        flat |= {f"ema.{name}": tensor.clone() for name, tensor in model.items()}
        path = self.folder / "flat.safetensors"
        save_file(flat, path)
        roles = {entry["name"]: entry["role"] for entry in run("ls", path, "--json").json["tensors"]}
        self.assertEqual({name for name, role in roles.items() if role == "weight"}, set(model))
        self.assertEqual([problem["code"] for problem in self.plan(path)["problems"]], ["role-by-name"])


class Containers(Temporary):
    def test_distributed_checkpoints_keep_the_dicts_keys(self) -> None:
        """The index distinguishes ("model", "scaler.weight") from ("model.scaler.weight",)."""
        names = {"model.weight": torch.randn(2, 2), "scaler.weight": torch.randn(3), "ema.weight": torch.randn(2, 2)}
        dcp.save(dict(names), checkpoint_id=self.folder / "bare", no_dist=True)
        state = {}
        for name, tensor in names.items():
            state.setdefault(name.split(".")[0], {})[name.split(".")[1]] = tensor
        dcp.save(state, checkpoint_id=self.folder / "loop", no_dist=True)

        def roles(path: Path) -> dict[str, str]:
            return {entry["name"]: entry["role"] for entry in run("ls", path, "--json").json["tensors"]}

        self.assertEqual(roles(self.folder / "loop"), {"model.weight": "weight", "scaler.weight": "training_state", "ema.weight": "ema"})
        self.assertEqual(roles(self.folder / "bare")["scaler.weight"], "weight")

    def test_a_whole_module_is_a_model(self) -> None:
        module = torch.nn.Module()
        module.ema = torch.nn.Linear(2, 2)
        module.scaler = torch.nn.BatchNorm1d(2)
        path = self.saved(module)
        roles = {entry["name"]: entry["role"] for entry in run("ls", path, "--json").json["tensors"]}
        self.assertEqual({name for name, role in roles.items() if role in ("weight", "buffer")}, set(module.state_dict()))

    def test_a_module_beside_its_average_is_written_alone(self) -> None:
        module = torch.nn.Linear(2, 2)
        path = self.saved({"model": module, "ema": copy.deepcopy(module), "step": 3})
        roles = {entry["name"]: entry["role"] for entry in run("ls", path, "--json").json["tensors"]}
        self.assertEqual(roles, {"model.weight": "weight", "model.bias": "weight", "ema.weight": "ema", "ema.bias": "ema"})


class Loops(Temporary):
    """Typical state of training loops next to a model: only the model's state dict is written, without a warning."""

    def only(self, state: dict, *prefixes: str, name: str = "state.pt") -> None:
        path = self.saved(state, name)
        roles = {entry["name"]: entry["role"] for entry in run("ls", path, "--json").json["tensors"]}
        written = {name for name, role in roles.items() if role in ("weight", "buffer")}
        self.assertEqual(written, {name for name in roles if (name + ".").startswith(tuple(prefix + "." for prefix in prefixes))}, roles)
        self.assertEqual(self.plan(path)["problems"], [])

    def test_keys_of_loops(self) -> None:
        model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
        own = model.state_dict()
        optimizer = torch.optim.AdamW(model.parameters())
        model(torch.randn(3, 4)).sum().backward()
        optimizer.step()
        moments = optimizer.state_dict()
        generator = torch.get_rng_state()
        shadow = {"decay": 0.9, "num_updates": 3, "shadow_params": [each.detach().clone() for each in model.parameters()]}
        self.only({"netG": own, "netD": copy.deepcopy(own), "optG": moments, "epoch": 3}, "netG", "netD")
        self.only({"arch": "x", "state_dict": own, "optimizer": moments, "amp_scaler": {"scale": torch.tensor(2.0)},
                   "state_dict_ema": copy.deepcopy(own), "metric": torch.tensor(0.5)}, "state_dict")
        self.only({"cfg": {}, "model": own, "criterion": {}, "extra_state": {"val_loss": torch.tensor(0.5)},
                   "last_optimizer_state": moments}, "model")
        self.only({"model": own, "torch_rng": generator, "cuda_rng": [generator], "numpy_rng": numpy.random.get_state(), "step": 1}, "model")
        self.only({"model_state": own, "optim_state": moments, "cpu_gen": generator, "metrics": {"loss": torch.tensor(1.0)}}, "model_state")
        self.only({"state_dict": own, "exponential_moving_average": shadow}, "state_dict")
        self.only({"model": own, "average": shadow, "best_val_loss": torch.tensor(2.0), "iter_num": 3}, "model")
        self.only({"agent": {"policy": own, "optimizer": moments, "step": torch.tensor(3)}, "env_steps": 3}, "agent.policy")
        self.only({"a": {"b": {"model": own, "opt": moments, "scaler": {"scale": torch.tensor(1.0)}}}}, "a.b.model")
        self.only({"actor": own, "log_alpha": torch.tensor(0.1), "alpha_optimizer": moments}, "actor", "log_alpha")

    def test_a_file_of_generators_has_no_weights(self) -> None:
        path = self.saved({"python": random.getstate(), "numpy": numpy.random.get_state(), "cpu": torch.get_rng_state()})
        roles = {entry["name"]: entry["role"] for entry in run("ls", path, "--json").json["tensors"]}
        self.assertEqual(set(roles.values()), {"rng"})

    def test_weights_that_a_callback_keeps(self) -> None:
        import lightning

        class Module(lightning.LightningModule):
            def __init__(self) -> None:
                super().__init__()
                self.scaler = torch.nn.Linear(4, 4)
                self.sampler = torch.nn.Linear(4, 1)

            def training_step(self, batch: list, index: int) -> torch.Tensor:
                return self.sampler(self.scaler(batch[0])).sum()

            def configure_optimizers(self) -> torch.optim.Optimizer:
                return torch.optim.Adam(self.parameters())

        class Average(lightning.Callback):
            def on_train_batch_end(self, trainer, module, *_) -> None:
                self.weights = {name: tensor.clone() for name, tensor in module.state_dict().items()}

            def state_dict(self) -> dict:
                return {"ema_weights": self.weights}

        module = Module()
        trainer = lightning.Trainer(max_steps=2, accelerator="cpu", logger=False, enable_checkpointing=False,
                                    enable_progress_bar=False, enable_model_summary=False, callbacks=[Average()])
        trainer.fit(module, torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(4, 4)), batch_size=2))
        path = self.folder / "last.ckpt"
        trainer.save_checkpoint(path)
        output = self.folder / "out.safetensors"
        answer = run("consolidate", path, "-o", output, "--json")
        self.assertEqual(answer.json["problems"], [])
        self.assertEqual(set(load_file(output)), {"state_dict." + name for name in module.state_dict()})

    def test_numbers_beside_a_distributed_model(self) -> None:
        model = {"w": torch.randn(2, 2)}
        dcp.save({"model": model, "step": torch.tensor(3), "amp_scaler": {"scale": torch.tensor(2.0)}},
                 checkpoint_id=self.folder / "dcp", no_dist=True)
        roles = {entry["name"]: entry["role"] for entry in run("ls", self.folder / "dcp", "--json").json["tensors"]}
        self.assertEqual(roles, {"model.w": "weight", "step": "training_state", "amp_scaler.scale": "training_state"})


class MetaDevice(Temporary):
    def test_tensors_without_data_are_named(self) -> None:
        for name, state in (("sd.pt", torch.nn.Linear(4, 3, device="meta").state_dict()), ("module.pt", torch.nn.Linear(4, 3, device="meta"))):
            path = self.saved(state, name)
            info = run("info", path, "--json").json
            self.assertEqual(info["complete"], "incomplete", name)
            notices = {notice["where"]["tensor"]: notice["code"] for notice in info["notices"]}
            self.assertEqual(notices, {"weight": "not-stored", "bias": "not-stored"}, name)
            shapes = {entry["name"]: entry["shape"] for entry in run("ls", path, "--json").json["tensors"]}
            self.assertEqual(shapes, {"weight": [3, 4], "bias": [3]})
            self.assertEqual(run("check", path).code, 1)
            self.assertNotEqual(run("consolidate", path, "-o", self.folder / f"{name}.safetensors").code, 0)
            self.assertFalse((self.folder / f"{name}.safetensors").exists())

    def test_they_are_refused_unless_left_out(self) -> None:
        path = self.saved({"model": {"here": torch.ones(2), "nowhere": torch.nn.Parameter(torch.empty(3, device="meta"))}, "epoch": 1})
        plan = self.plan(path)
        self.assertFalse(plan["runnable"])
        self.assertIn("model.nowhere", [problem["where"]["tensor"] for problem in plan["problems"]])
        output = self.folder / "here.safetensors"
        self.assertEqual(run("consolidate", path, "-o", output, "--only", "*.here").code, 0)
        self.assertEqual(set(load_file(output)), {"model.here"})


class Metadata(Temporary):
    def names(self, path: Path) -> list[str]:
        return [entry["name"] for entry in run("ls", path, "--json").json["tensors"]]

    def test_texts_are_no_tensors(self) -> None:
        for metadata in ({"empty": ""}, {"target": "weight"}, {"target": "layer.weight", "base": "weight"}, {"": "weight"}):
            path = self.folder / "text.safetensors"
            save_file({"weight": torch.ones(2, 2), "layer.weight": torch.ones(3)}, path, metadata=metadata)
            self.assertEqual(sorted(self.names(path)), ["layer.weight", "weight"], metadata)
            save_file({"": torch.ones(2)}, path, metadata=metadata)
            self.assertEqual(len(self.names(path)), 1, metadata)

    def test_what_save_model_leaves_out_are_second_names(self) -> None:
        class Tied(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.embed = torch.nn.Embedding(5, 3)
                self.head = torch.nn.Linear(3, 5, bias=False)
                self.head.weight = self.embed.weight
                self.norm = torch.nn.LayerNorm(3)
                self.own = self.norm.bias

        path = self.folder / "tied.safetensors"
        save_model(Tied(), str(path))
        self.assertEqual(set(self.names(path)), set(Tied().state_dict()))


if __name__ == "__main__":
    unittest.main()
