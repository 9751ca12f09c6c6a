# SPDX-License-Identifier: Apache-2.0
"""`convert --for`: a training that moves to another trainer has there the state that it had, bit by bit, and the losses of its next
steps; what cannot be moved is refused or named."""

from __future__ import annotations

import unittest
import warnings
from pathlib import Path

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_state_dict

from resumed_shards import Sharded
from resumed_trainings import OPTIMIZERS, STEPS, Training, same
from support import run, temporary

NAMES = {"torch": "state.pt", "fsdp2": "folder", "lightning": "state.ckpt", "trainer": "runs", "accelerate": "states"}

#: their files of weights leave tied names out, or cannot have them
UNTIED = ("trainer", "accelerate")


def convert(source: Path, trainer: str, folder: Path, *options: str):
    output = folder / f"out-{trainer}-{len(list(folder.iterdir()))}{Path(NAMES.get(trainer, 'shards.ckpt')).suffix}"
    return run("convert", source, "--for", trainer, "-o", output, "--json", *options), output


class Moves(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(temporary()))

    def save(self, training: Training, trainer: str) -> Path:
        return getattr(training, f"save_{trainer}")(self.folder / f"source-{NAMES[trainer]}")

    def check(self, training: Training, source: Path, trainer: str, *options: str) -> dict:
        answer, output = convert(source, trainer, self.folder, *options)
        self.assertEqual(answer.code, 0, answer.errors)
        state, losses = getattr(training, f"load_{trainer}")(output)
        self.assertEqual(set(state), set(training.state))
        for key, value in training.state.items():
            self.assertTrue(same(state[key], value), f"{key}: {state[key]} instead of {value}")
        self.assertEqual(losses, training.continued())
        return answer.json


class Pairs(Moves):
    def pair(self, kind: str, source: str, target: str) -> None:
        tied = source not in UNTIED
        training = Training(kind, tied=tied)
        path = self.save(training, source)
        if source == "accelerate" and target in ("trainer", "lightning"):
            answer, output = convert(path, target, self.folder)
            self.assertEqual(answer.code, 1)
            self.assertIn("the checkpoint records none", answer.errors)
            self.assertFalse(output.exists())
            return
        state = self.check(training, path, target)["training_state"]
        self.assertEqual((state["parameters"], state["with_moments"], state["groups"]), (9, 7, 2) if tied else (10, 8, 2))
        self.assertEqual(state.get("step"), None if source == "accelerate" else STEPS)
        self.assertIn("moments", {each["id"] for each in state["lost"]})  # of the unused parameters


for kind in ("adamw", "sgd"):
    for source in NAMES:
        for target in NAMES:
            setattr(Pairs, f"test_{kind}_{source}_to_{target}", lambda self, k=kind, s=source, t=target: self.pair(k, s, t))


class Optimizers(Moves):
    def there_and_back(self, kind: str) -> None:
        training = Training(kind, spare=False)
        self.check(training, self.save(training, "torch"), "fsdp2")
        self.check(training, self.save(training, "fsdp2"), "torch")


for kind in OPTIMIZERS:
    setattr(Optimizers, f"test_{kind}", lambda self, k=kind: self.there_and_back(k))


class Shards(Moves):
    """torchtitan and Lightning's shards, with other ranks than saved them. Their loaders want moments of everything that is trained."""

    def saved(self, training: Training, source: str, ranks: int) -> Path:
        if source in NAMES:
            return self.save(training, source)
        return getattr(Sharded(training, ranks, self.folder), f"save_{source.replace('-', '_')}")(self.folder / "shards.ckpt")

    def move(self, kind: str, source: str, target: str, ranks: int) -> None:
        training = Training(kind, spare="frozen")
        path = self.saved(training, source, ranks)
        # torchtitan records neither the order of parameters nor, of its schedule, more than the position
        options = ("--force",) if source == "torchtitan" and target not in ("fsdp2", "torchtitan", "lightning-fsdp") else ()
        output = self.folder / f"moved{Path(NAMES.get(target, 'shards.ckpt')).suffix}"
        answer = run("convert", path, "--for", target, "-o", output, "--json", *options)
        self.assertEqual(answer.code, 0, answer.errors)
        loader = training if target in NAMES else Sharded(training, 3 - ranks, self.folder)
        state, losses = getattr(loader, f"load_{target.replace('-', '_')}")(output)
        ofTitan = source == "torchtitan" and target != source
        for key, value in training.state.items():
            if not key.endswith("param_names") and not (ofTitan and key.startswith("scheduler.") and key != "scheduler.last_epoch"):
                self.assertTrue(same(state[key], value), f"{key}: {state.get(key)} instead of {value}")
        if not (ofTitan and target.startswith("lightning")):  # which starts its epoch again: torchtitan has none
            self.assertEqual(losses, training.continued())
        lost = {each["id"] for each in answer.json["training_state"]["lost"]}
        self.assertEqual("schedule" in lost, ofTitan)

    def test_what_fsdp_strategy_reads(self) -> None:
        training = Training(spare="frozen")
        _, output = convert(self.save(training, "torch"), "lightning-fsdp", self.folder, "--ranks", "2")
        state = Sharded(training, 1, self.folder).read_fsdp(output)
        for key, value in training.state.items():
            if not key.startswith("scheduler."):
                self.assertTrue(same(state[key], value), key)

    def test_again(self) -> None:
        training = Training(spare="frozen")
        source = self.save(training, "torch")
        for trainer in ("torchtitan", "lightning-fsdp"):
            first = self.folder / f"{trainer}-1.ckpt"
            second = self.folder / f"{trainer}-2.ckpt"
            for start, output in ((source, first), (first, second)):
                self.assertEqual(run("convert", start, "--for", trainer, "-o", output).code, 0)
            names = sorted(each.name for each in first.iterdir() if each.suffix == ".distcp" or each.name in (".metadata", "meta.pt"))
            self.assertGreater(len(names), 1)
            for name in names:
                self.assertEqual((first / name).read_bytes(), (second / name).read_bytes(), f"{trainer}: {name}")

    def test_what_they_cannot_keep(self) -> None:
        source = self.save(Training(spare="frozen"), "torch")
        lost = convert(source, "torchtitan", self.folder)[0].json["training_state"]["lost"]
        self.assertEqual({each["id"] for each in lost}, {"data", "rng", "unread"})
        two = torch.load(source, weights_only=True)
        schedule = two.pop("scheduler_state_dict")
        two["lr_schedulers"] = [schedule | {"last_epoch": step} for step in (3, 8)]
        torch.save(two, self.folder / "two.pt")
        answer, output = convert(self.folder / "two.pt", "torchtitan", self.folder)
        self.assertEqual(answer.code, 3)
        self.assertIn("one schedule", answer.errors)
        self.assertFalse(output.exists())


for kind, source, target, ranks in (
        ("adamw", "torch", "torchtitan", 1), ("sgd", "torch", "torchtitan", 2), ("adamw", "torchtitan", "torchtitan", 1), ("adamw", "torchtitan", "fsdp2", 2),
        ("sgd", "torchtitan", "torch", 2), ("adamw", "torchtitan", "accelerate", 1), ("adamw", "torchtitan", "trainer", 1), ("adamw", "torchtitan", "lightning", 1),
        ("adamw", "torchtitan", "lightning-fsdp", 2), ("adamw", "torch", "lightning-fsdp", 1), ("sgd", "torch", "lightning-fsdp", 2),
        ("adamw", "lightning", "lightning-fsdp", 1), ("adamw", "lightning-fsdp", "lightning-fsdp", 1), ("sgd", "lightning-fsdp", "torchtitan", 2),
        ("adamw", "lightning-fsdp", "lightning", 2), ("adamw", "lightning-fsdp", "torch", 1), ("sgd", "lightning-fsdp", "fsdp2", 2),
        ("adamw", "lightning-fsdp", "trainer", 2), ("adamw", "lightning-fsdp", "accelerate", 1)):
    setattr(Shards, f"test_{kind}_{source}_to_{target}_{ranks}", lambda self, move=(kind, source, target, ranks): self.move(*move))


class Orders(Moves):
    """Numbers without recorded names."""

    def test_names_by_order_need_a_choice(self) -> None:
        training = Training(named=False, spare=False)
        source = self.save(training, "torch")
        answer, _ = convert(source, "fsdp2", self.folder)
        self.assertEqual(answer.code, 1)
        self.assertIn("--force", answer.errors)
        self.check(training, source, "fsdp2", "--force")

    def test_undecided_names_are_refused_whatever_is_forced(self) -> None:
        source = self.save(Training(named=False), "torch")  # a frozen layer or the unused one?
        answer, output = convert(source, "fsdp2", self.folder, "--force")
        self.assertEqual(answer.code, 1)
        self.assertIn("may be", answer.errors)
        self.assertFalse(output.exists())

    def test_numbers_stay_without_names(self) -> None:
        training = Training(named=False)
        self.check(training, self.save(training, "torch"), "accelerate")

    def test_shapes_of_factors(self) -> None:
        """Adafactor keeps rows and columns, NAdam a product beside its moments: their shapes must fit a name as all others do."""
        for kind in ("adafactor", "adafactor_rows", "nadam"):
            with self.subTest(kind):
                training = Training(kind, named=False, spare=False)
                source = self.save(training, "torch")
                self.check(training, source, "fsdp2", "--force")
                saved = torch.load(source, weights_only=True)
                states, key = saved["optimizer_state_dict"]["state"], {"adafactor": "row_var", "adafactor_rows": "exp_avg_sq_row"}.get(kind, "exp_avg")
                first, other = (number for number in (0, 1) if key in states[number])
                states[first], states[other] = states[other], states[first]
                torch.save(saved, source)
                answer, output = convert(source, "fsdp2", self.folder, "--force")
                self.assertEqual(answer.code, 1)
                self.assertFalse(output.exists())

    def test_ranks(self) -> None:
        training = Training()
        self.check(training, self.save(training, "torch"), "fsdp2", "--ranks", "4")


class Steps(Moves):
    """Parameters that were trained for different numbers of steps: legal, and not a save of two steps."""

    def test_later_biases_are_not_another_save(self) -> None:
        training = Training(spare=False)
        model, optimizer, scheduler = training.parts
        for name, parameter in model.named_parameters():
            if name.endswith("bias"):
                optimizer.state[parameter]["step"] = torch.tensor(3.0)
        source = self.save(training, "torch")
        for ranks in ("1", "2", "3"):
            answer, output = convert(source, "fsdp2", self.folder, "--ranks", ranks)
            self.assertEqual(answer.code, 0, answer.errors)
            found = run("check", output, "--json")
            self.assertNotIn("mixed-steps", {each["code"] for each in found.json["findings"]})
            self.assertIn(found.json["verdict"], ("healthy", "warnings"))  # a shard of biases may be of another save
            self.assertEqual(convert(output, "torch", self.folder)[0].code, 0)

    def test_flat_order_needs_a_choice(self) -> None:
        path = self.folder / "flat"
        training = Training(spare=False, named=False)
        weights, states = get_state_dict(*training.parts[:2], options=StateDictOptions(flatten_optimizer_state_dict=True))
        with warnings.catch_warnings(action="ignore"):
            dcp.save(weights | {"optimizer": states, "lr_scheduler": training.parts[2].state_dict(), "train_state": {"step": STEPS}},
                     checkpoint_id=path, no_dist=True)
        answer, output = convert(path, "torch", self.folder)
        self.assertEqual(answer.code, 3)
        self.assertFalse(output.exists())
        answer, output = convert(path, "torch", self.folder, "--force")
        self.assertEqual(answer.code, 0, answer.errors)
        state, losses = training.load_torch(output)
        self.assertTrue(all(same(state[key], value) for key, value in training.state.items()))
        self.assertEqual(losses, training.continued())

    def test_groups_that_differ_in_small_rates(self) -> None:
        """Rates that six digits do not distinguish."""
        training = Training(spare=False, named=False)
        model, optimizer, _ = training.parts
        for group, rate in zip(optimizer.param_groups, (1e-8, 2e-8)):
            group.update(lr=rate, weight_decay=0.0)
        path = self.folder / "rates"
        weights, states = get_state_dict(model, optimizer, options=StateDictOptions(flatten_optimizer_state_dict=True))
        with warnings.catch_warnings(action="ignore"):
            dcp.save({"model": weights, "optimizer": states, "step": STEPS}, checkpoint_id=path, no_dist=True)
        answer, output = convert(path, "torch", self.folder, "--force")
        self.assertEqual(answer.code, 0, answer.errors)
        self.assertEqual([group["lr"] for group in torch.load(output)["optimizer"]["param_groups"]], [1e-8, 2e-8])


class Forms(Moves):
    """States that are kept in other ways."""

    def test_flat_names(self) -> None:
        training = Training()
        model, optimizer, scheduler = training.parts
        weights, states = get_state_dict(model, optimizer, options=StateDictOptions(flatten_optimizer_state_dict=True))
        path = self.folder / "flat"
        with warnings.catch_warnings(action="ignore"):
            dcp.save({"model": weights, "optimizer": states, "scheduler": scheduler.state_dict(), "step": STEPS}, checkpoint_id=path, no_dist=True)
        self.check(training, path, "fsdp2")
        for trainer in ("torch", "lightning", "trainer", "accelerate"):
            answer, output = convert(path, trainer, self.folder)
            self.assertEqual(answer.code, 3, answer.errors)
            self.assertIn("flat form", answer.errors)
            self.assertFalse(output.exists())

    def test_two_optimizers(self) -> None:
        model = Training().parts[0]
        halves = [[model.fc.weight, model.fc.bias], [model.back.weight, model.back.bias]]
        optimizers = [torch.optim.AdamW([(str(id(p)), p) for p in half]) for half in halves]
        names = {id(p): name for name, p in model.named_parameters()}
        for optimizer in optimizers:
            for group in optimizer.param_groups:
                group["param_names"] = [names[id(p)] for p in group["params"]]
        model.loss_of(0).backward()
        for optimizer in optimizers:
            optimizer.step()
        path = self.folder / "two.pt"
        torch.save({"model": model.state_dict(), "opt_g": optimizers[0].state_dict(), "opt_d": optimizers[1].state_dict(), "step": 1, "epoch": 0}, path)
        answer, output = convert(path, "torch", self.folder)
        self.assertEqual(answer.code, 0, answer.errors)
        for optimizer, saved in zip(optimizers, torch.load(output)["optimizer"]):
            for key, state in optimizer.state_dict()["state"].items():
                self.assertTrue(all(torch.equal(value, saved["state"][key][name]) for name, value in state.items()))
            self.assertEqual(saved["param_groups"], optimizer.state_dict()["param_groups"])
        answer, output = convert(path, "fsdp2", self.folder)
        self.assertEqual(answer.code, 0, answer.errors)
        merged = get_state_dict(model, optimizers)[1]
        with warnings.catch_warnings(action="ignore"):
            copied = get_state_dict(model, optimizers)[1]
            for state in copied["state"].values():
                state["exp_avg"] = torch.full_like(state["exp_avg"], -1)
            dcp.load({"optimizer": copied}, checkpoint_id=output, no_dist=True)
        for name, state in merged["state"].items():
            self.assertTrue(all(torch.equal(value, copied["state"][name][key]) for key, value in state.items()), name)
        self.assertEqual(convert(path, "lightning", self.folder)[0].code, 3)
        self.assertEqual(convert(path, "trainer", self.folder)[0].code, 3)
        self.assertEqual(convert(path, "accelerate", self.folder)[0].code, 0)

    def test_milestones_are_numbers(self) -> None:
        """DCP stores the keys of a dict as texts: a milestone that is one would never be reached."""
        training = Training("milestones", spare=False)
        source = self.save(training, "fsdp2")
        for trainer in ("torch", "lightning", "accelerate"):
            self.check(training, source, trainer)

    def test_tied_names_that_safetensors_left_out(self) -> None:
        training = Training()
        self.check(training, self.save(training, "accelerate"), "accelerate")

    def test_planned_steps_are_no_position(self) -> None:
        model, optimizer, _ = Training().parts
        path = self.folder / "planned.pt"
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "steps": 1000}, path)
        self.assertIn("position", {each["id"] for each in convert(path, "torch", self.folder)[0].json["training_state"]["lost"]})
        self.assertEqual(convert(path, "trainer", self.folder)[0].code, 1)

    def test_everything_in_the_state_dict_comes_along(self) -> None:
        model, optimizer, _ = Training().parts
        weights = dict(model.state_dict()) | {"ema.fc.weight": torch.ones(5, 4), "fc._extra_state": {"scale": [1.5, 2.5]}, "loss.best": torch.tensor(3.0)}
        path = self.folder / "more.pt"
        torch.save({"state_dict": weights, "optimizer": optimizer.state_dict(), "step": STEPS, "epoch": 0}, path)
        for trainer, key in (("torch", "model"), ("lightning", "state_dict")):
            answer, output = convert(path, trainer, self.folder)
            self.assertEqual(answer.code, 0, answer.errors)
            found = torch.load(output)[key]
            self.assertEqual(set(found), set(weights))
            for name, value in weights.items():
                self.assertTrue(same(found[name], value), name)


class Blocks(torch.Tensor):
    """Values and a scale, in a tensor of a class of its own."""

    @staticmethod
    def __new__(cls, values: torch.Tensor):
        return torch.Tensor._make_wrapper_subclass(cls, values.shape, dtype=values.dtype)

    def __init__(self, values: torch.Tensor) -> None:
        self.codes, self.scale = values.clone(), torch.ones(1)

    @classmethod
    def __torch_dispatch__(cls, function, types, *arguments):
        raise NotImplementedError


class Damage(Moves):
    """One thing wrong in a loop's file."""

    def save_changed(self, change, **options) -> Path:
        path = self.save(Training(**options), "torch")
        saved = torch.load(path, weights_only=True)
        change(saved)
        torch.save(saved, path)
        return path

    def refused(self, path: Path, trainer: str, text: str, *options: str, code: int = 1) -> None:
        answer, output = convert(path, trainer, self.folder, *options)
        self.assertEqual(answer.code, code, answer.text + answer.errors)
        self.assertIn(text, answer.errors)
        self.assertFalse(output.exists())

    def lost(self, path: Path, trainer: str = "torch") -> set[str]:
        answer, _ = convert(path, trainer, self.folder)
        self.assertEqual(answer.code, 0, answer.errors)
        return {each["id"] for each in answer.json["training_state"]["lost"]}

    def test_moments_of_a_class(self) -> None:
        """As torchao's 8-bit optimizers keep them: without their class, no optimizer takes them."""
        path = self.save(Training(spare=False), "torch")
        saved = torch.load(path, weights_only=True)
        state = saved["optimizer_state_dict"]["state"][0]
        state["exp_avg"] = Blocks(state["exp_avg"])
        torch.save(saved, path)
        self.refused(path, "torch", "of class test_resume.Blocks")
        self.refused(path, "torch", "of class test_resume.Blocks", "--force", "--require", "resumable")
        self.assertEqual(convert(path, "torch", self.folder, "--force")[0].code, 0)
        abilities = run("info", path, "--json").json["abilities"]
        lost = {each: {loss["id"] for loss in abilities[each]["lost"]} for each in ("resume", "resume_elsewhere")}
        self.assertNotIn("objects", lost["resume"])  # its own trainer has the class
        self.assertIn("objects", lost["resume_elsewhere"])

    def test_a_lost_moment(self) -> None:
        def change(saved: dict) -> None:
            del saved["optimizer_state_dict"]["state"][1]

        path = self.save_changed(change, spare=False)
        self.assertEqual(self.lost(path), {"moments"})
        answer, output = convert(path, "torch", self.folder)
        states = torch.load(output, weights_only=True)["optimizer"]["state"]
        self.assertNotIn(1, states)  # never zeros
        self.refused(path, "torch", "moments of 1 of 7 parameters: fc.weight", "--require", "resumable")

    def test_a_complete_state_is_resumable(self) -> None:
        path = self.save(Training(spare=False), "torch")
        answer, _ = convert(path, "torch", self.folder, "--require", "resumable")
        self.assertEqual(answer.code, 0, answer.errors)
        self.assertEqual(answer.json["training_state"]["lost"], [])

    def test_all_moments_are_lost(self) -> None:
        path = self.save_changed(lambda saved: saved["optimizer_state_dict"]["state"].clear())
        self.assertEqual(self.lost(path), {"optimizer"})
        self.assertFalse(run("info", path, "--json").json["abilities"]["resume"]["can"])

    def test_sgd_without_momentum_needs_no_moments(self) -> None:
        def change(saved: dict) -> None:
            saved["optimizer_state_dict"]["state"].clear()
            for group in saved["optimizer_state_dict"]["param_groups"]:
                group["momentum"] = 0

        self.assertEqual(self.lost(self.save_changed(change, kind="sgd")), set())

    def test_moments_of_another_shape(self) -> None:
        def change(saved: dict) -> None:
            saved["optimizer_state_dict"]["state"][0]["exp_avg"] = torch.zeros(3)
            saved["optimizer_state_dict"]["state"][0]["exp_avg_sq"] = torch.zeros(3)

        path = self.save_changed(change)
        for trainer in NAMES:
            self.refused(path, trainer, "The moments of emb.weight have the shape [3]")

    def test_a_parameter_that_the_model_lacks(self) -> None:
        path = self.save_changed(lambda saved: saved["optimizer_state_dict"]["param_groups"][0]["param_names"].__setitem__(0, "other.weight"))
        self.refused(path, "fsdp2", "other.weight")

    def test_groups_of_another_model(self) -> None:
        def change(saved: dict) -> None:
            group = saved["optimizer_state_dict"]["param_groups"][1]
            group["params"] = group["params"] + list(range(100, 120))

        self.refused(self.save_changed(change, named=False), "torch", "the groups list 29 parameters")

    def test_a_state_in_no_group(self) -> None:
        path = self.save_changed(lambda saved: saved["optimizer_state_dict"]["state"].update({77: {"step": 3}}))
        self.assertIn("foreign", self.lost(path))

    def test_moments_of_another_step(self) -> None:
        def change(saved: dict) -> None:
            saved["optimizer_state_dict"]["state"][0]["step"] = torch.tensor(5.0)

        answer, _ = convert(self.save_changed(change), "torch", self.folder)
        self.assertIn("The moments are of different steps: 5 to 8", {each["message"] for each in answer.json["problems"]})

    def test_integer_steps(self) -> None:
        def change(saved: dict) -> None:
            for state in saved["optimizer_state_dict"]["state"].values():
                state["step"] = 8

        answer, output = convert(self.save_changed(change), "torch", self.folder)
        self.assertEqual(answer.code, 0, answer.errors)
        self.assertEqual({state["step"] for state in torch.load(output)["optimizer"]["state"].values()}, {8})

    def test_a_lost_scheduler(self) -> None:
        self.assertIn("schedule", self.lost(self.save_changed(lambda saved: saved.pop("scheduler_state_dict"))))

    def test_no_position(self) -> None:
        def change(saved: dict) -> None:
            del saved["global_step"], saved["epoch"]

        path = self.save_changed(change)
        self.assertIn("position", self.lost(path))
        self.refused(path, "lightning", "records none")

    def test_short_parameters_without_masters(self) -> None:
        def change(saved: dict) -> None:
            for name, value in saved["model_state_dict"].items():
                saved["model_state_dict"][name] = value.bfloat16()

        self.assertIn("masters", self.lost(self.save_changed(change)))

    def test_no_optimizer(self) -> None:
        path = self.save_changed(lambda saved: saved.pop("optimizer_state_dict"))
        self.refused(path, "torch", "no state of a torch optimizer", code=3)

    def test_usage(self) -> None:
        path = self.save(Training(), "torch")
        self.refused(path, "torch", "--for excludes --names", "--names", "hf", code=2)
        self.refused(path, "torch", "not divided over ranks", "--ranks", "2", code=2)
        self.assertEqual(run("convert", path, "-o", self.folder / "x").code, 2)
        self.assertEqual(run("convert", path, "--for", "miracles", "-o", self.folder / "x").code, 2)
        self.assertEqual(run("convert", path, "--names", "hf", "--require", "resumable", "-o", self.folder / "x").code, 2)

    def test_several_models(self) -> None:
        def change(saved: dict) -> None:
            saved["netG"] = saved.pop("model_state_dict")
            saved["netD"] = {name: value.clone() for name, value in saved["netG"].items()}

        self.refused(self.save_changed(change), "torch", "several models", code=3)

    def test_an_object_in_the_scheduler(self) -> None:
        path = self.save(Training(), "torch")
        saved = torch.load(path, weights_only=True)
        saved["scheduler_state_dict"]["anneal"] = Annealing()
        torch.save(saved, path)
        self.refused(path, "torch", "test_resume.Annealing")
        self.assertEqual(convert(path, "torch", self.folder, "--force")[0].code, 0)

    def test_verify_and_plan(self) -> None:
        path = self.save(Training(), "torch")
        _, output = convert(path, "fsdp2", self.folder)
        self.assertEqual(run("verify", output, "--json").json["verified"], True)
        plan = run("plan", "convert", path, "--for", "fsdp2", "-o", self.folder / "planned", "--json")
        self.assertEqual(plan.json["training_state"]["with_moments"], 7)
        self.assertFalse((self.folder / "planned").exists())


class Annealing:
    pass


class Abilities(Moves):
    def of(self, path: Path) -> dict:
        return run("info", path, "--json").json["abilities"]

    def test_of_each_trainer(self) -> None:
        for trainer in NAMES:
            with self.subTest(trainer):
                found = self.of(self.save(Training(spare=False, tied=trainer not in UNTIED), trainer))
                self.assertTrue(found["serve"]["can"] and found["weights"]["can"], found)
                self.assertTrue(found["resume"]["can"] and found["resume_elsewhere"]["can"], found)
                verdicts = {"torch": "yes", "trainer": "yes", "accelerate": "yes, but not everything"}
                self.assertEqual(found["resume"]["verdict"], verdicts.get(trainer, "yes, with new random numbers"), found)
                self.assertEqual([each["id"] for each in found["resume"]["lost"]],
                                 {"torch": [], "trainer": [], "accelerate": ["position"]}.get(trainer, ["rng"]))

    def test_of_weights_alone(self) -> None:
        path = self.folder / "model.pt"
        torch.save(Training().parts[0].state_dict(), path)
        found = self.of(path)
        self.assertTrue(found["weights"]["can"])
        self.assertFalse(found["resume"]["can"])
        self.assertEqual(found["resume"]["why"], ["It contains no optimizer state of torch"])
