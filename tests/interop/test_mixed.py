# SPDX-License-Identifier: Apache-2.0
"""Folders with two saves, or with part of one: results of `check`, `consolidate`, `hash` and `pack`.

Every file is one that the framework wrote; the cases only move files between two saves, or omit one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import run

PARTS: dict[str, Path] = {}
KEEP = []
ROWS: list[dict] = []


def setUpModule() -> None:
    import torch
    import torch.distributed.checkpoint as dcp
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

    keep = tempfile.TemporaryDirectory()
    KEEP.append(keep)
    root = Path(keep.name)
    torch.manual_seed(0)
    model = GPT2LMHeadModel(GPT2Config(n_layer=2, n_head=2, n_embd=32, vocab_size=64, n_positions=32))
    ROWS.extend({"input_ids": row, "labels": row} for row in torch.randint(0, 64, (32, 16)))
    model.save_pretrained(root / "before")
    model.save_pretrained(root / "before_sharded", max_shard_size="60KB")
    settings = TrainingArguments(str(root / "run"), max_steps=20, save_steps=10, learning_rate=1e-2, report_to=[], use_cpu=True,
                                 per_device_train_batch_size=2, disable_tqdm=True, logging_steps=10)
    Trainer(model, settings, train_dataset=ROWS).train()
    model.save_pretrained(root / "after")
    model.save_pretrained(root / "sharded", max_shard_size="40KB")
    torch.save(model.state_dict(), root / "after.bin")
    torch.save(GPT2LMHeadModel.from_pretrained(root / "before").state_dict(), root / "before.bin")
    for step in (10, 20):
        state = {"model": {f"w{i}": torch.full((4, 4), float(step + i)) for i in range(4)},
                 "optimizer": {"state": {f"w{i}": {"step": torch.tensor(float(step)), "exp_avg": torch.ones(4, 4)} for i in range(4)},
                               "param_groups": [{"lr": 0.1}]}}
        dcp.save(state, storage_writer=dcp.FileSystemWriter(str(root / f"dcp{step}"), thread_count=2))
    for name in ("before", "before_sharded", "after", "sharded", "dcp10", "dcp20"):
        PARTS[name] = root / name
    for step in (10, 20):
        PARTS[f"step{step}"] = root / "run" / f"checkpoint-{step}"
    PARTS["after.bin"], PARTS["before.bin"] = root / "after.bin", root / "before.bin"


def tearDownModule() -> None:
    for keep in KEEP:
        keep.cleanup()


class Folder(unittest.TestCase):
    def setUp(self) -> None:
        keep = tempfile.TemporaryDirectory()
        self.addCleanup(keep.cleanup)
        self.root = Path(keep.name)

    def copy(self, part: str, name: str | None = None) -> Path:
        return Path(shutil.copytree(PARTS[part], self.root / (name or PARTS[part].name)))

    def add(self, folder: Path, part: str, *names: str) -> None:
        for name in names or [entry.name for entry in PARTS[part].iterdir()]:
            shutil.copy2(PARTS[part] / name, folder / name)

    def judged(self, path: Path, verdict: str, *codes: str, exits: int | None = None) -> dict:
        answer = run("check", path, "--json")
        self.assertEqual(answer.json["verdict"], verdict, answer.said())
        failed = int(verdict not in ("healthy", "warnings"))
        self.assertEqual(answer.code, failed if exits is None else exits, answer.said())
        worst = {"healthy": "info", "warnings": "warning"}.get(verdict, "error")
        self.assertEqual(run("check", path, "--strict").code, int(verdict != "healthy"))
        found = {finding["code"] for finding in answer.json["findings"] if finding["severity"] == worst}
        self.assertTrue(set(codes) <= found, answer.said())
        return answer.json

    def refused(self, path: Path, code: str) -> None:
        output = self.root / "out.safetensors"
        answer = run("consolidate", path, "-o", output, "--json")
        self.assertIn(answer.code, (3, 5), answer.said())
        self.assertEqual(answer.json["error"]["code"], code, answer.said())
        self.assertFalse(output.exists())
        forced = run("plan", "consolidate", path, "-o", output, "--force", "--json")
        self.assertTrue([each for each in forced.json["problems"]
                         if each["code"] == code and each["message"].startswith("Forced: ")], forced.said())
        self.assertEqual(run("consolidate", path, "-o", output, "--force").code, 0)
        self.assertTrue(output.exists())


class Steps(Folder):
    def test_one_save_is_healthy(self) -> None:
        self.judged(self.copy("step20"), "healthy")

    def test_a_renamed_save_is_healthy(self) -> None:
        self.judged(self.copy("step20", "best"), "healthy")
        self.judged(self.copy("step20", "checkpoint-999"), "healthy")

    def test_training_state_of_another_step(self) -> None:
        for files in (["optimizer.pt"], ["scheduler.pt"], ["trainer_state.json"], ["optimizer.pt", "scheduler.pt"]):
            with self.subTest(files):
                folder = self.copy("step20")
                self.add(folder, "step10", *files)
                self.judged(folder, "mixed", "mixed-steps")
                self.refused(folder, "mixed-steps")
                notices = run("ls", folder, "--json").json["notices"]
                self.assertIn(files[0], [each["where"]["file"] for each in notices if each["code"] == "mixed-steps"])
                shutil.rmtree(folder)
                for output in self.root.glob("out*"):
                    output.unlink()

    def test_an_optimizer_that_counts_no_steps(self) -> None:
        from transformers import GPT2LMHeadModel, Trainer, TrainingArguments

        settings = TrainingArguments(str(self.root), max_steps=20, save_steps=10, learning_rate=1e-2, report_to=[], use_cpu=True, optim="sgd",
                                     per_device_train_batch_size=2, disable_tqdm=True)
        Trainer(GPT2LMHeadModel.from_pretrained(PARTS["before"]), settings, train_dataset=ROWS).train()
        early, late = self.root / "checkpoint-10", self.root / "checkpoint-20"
        self.judged(late, "healthy")
        shutil.copy2(early / "optimizer.pt", late)
        self.judged(late, "mixed", "mixed-steps")

    def test_training_that_went_on_from_weights_alone(self) -> None:
        from transformers import GPT2LMHeadModel, Trainer, TrainingArguments

        for logged in (10, 4):
            with self.subTest(logged):
                folder = self.copy("step10")
                for name in ("optimizer.pt", "scheduler.pt"):
                    (folder / name).unlink()
                settings = TrainingArguments(str(self.root), max_steps=20, save_steps=10, learning_rate=1e-2, report_to=[], use_cpu=True,
                                             per_device_train_batch_size=2, disable_tqdm=True, logging_steps=logged)
                Trainer(GPT2LMHeadModel.from_pretrained(folder), settings, train_dataset=ROWS).train(resume_from_checkpoint=str(folder))
                self.judged(self.root / "checkpoint-20", "healthy")
                for name in ("checkpoint-10", "checkpoint-20"):
                    shutil.rmtree(self.root / name)

    def test_a_fp16_run_skips_updates(self) -> None:
        import torch

        folder = self.copy("step20")
        self.add(folder, "step10", "optimizer.pt", "scheduler.pt")
        torch.save({"scale": 1024.0, "growth_factor": 2.0}, folder / "scaler.pt")
        self.judged(folder, "healthy")

    def test_shards_of_two_distributed_saves(self) -> None:
        folder = self.copy("dcp20")
        self.judged(folder, "healthy")
        names = sorted(name.name for name in folder.glob("*.distcp"))
        self.assertEqual(len(names), 2)
        self.add(folder, "dcp10", names[1])
        self.judged(folder, "mixed", "mixed-steps")
        self.refused(folder, "mixed-steps")

    def test_a_shard_of_another_save_that_has_all_biases(self) -> None:
        """Savers balance the counts over the files: here the weights' are in one, the biases' in the other."""
        import torch
        import torch.distributed.checkpoint as dcp
        from torch.distributed.checkpoint.state_dict import get_state_dict

        model = torch.nn.Sequential(*[each for _ in range(4) for each in (torch.nn.Linear(16, 16), torch.nn.ReLU())])
        optimizer = torch.optim.Adam(model.parameters())
        saves = [self.root / "mlp1", self.root / "mlp2"]
        for save in saves:
            model(torch.ones(2, 16)).sum().backward()
            optimizer.step()
            weights, states = get_state_dict(model, optimizer)
            dcp.save({"model": weights, "optimizer": states}, storage_writer=dcp.FileSystemWriter(str(save), thread_count=2))
            self.judged(save, "healthy")
        for name in sorted(each.name for each in saves[1].glob("*.distcp")):
            folder = Path(shutil.copytree(saves[1], self.root / f"mixed-{name}"))
            shutil.copy2(saves[0] / name, folder / name)
            codes = {each["code"] for each in run("ls", folder, "--json").json["notices"]}
            self.assertTrue(codes & {"unequal-steps", "mixed-steps"}, name)
            self.assertIn(run("check", folder, "--json").json["verdict"], ("warnings", "mixed"), name)

    def test_an_encoder_and_a_decoder_of_two_saves(self) -> None:
        import torch
        import torch.distributed.checkpoint as dcp

        names = [f"{part}.block.{i}.weight" for i in range(4) for part in ("encoder", "decoder")]
        for step in (10, 20):
            state = {"model": {name: torch.ones(4, 4) for name in names},
                     "optimizer": {"state": {name: {"step": torch.tensor(float(step)), "exp_avg": torch.ones(4, 4)} for name in names},
                                   "param_groups": [{"lr": 0.1}]}}
            dcp.save(state, storage_writer=dcp.FileSystemWriter(str(self.root / f"parts{step}"), thread_count=2))
        folder = self.root / "parts20"
        self.judged(folder, "healthy")
        name = sorted(each.name for each in folder.glob("*.distcp"))[1]
        shutil.copy2(self.root / "parts10" / name, folder / name)
        self.judged(folder, "mixed", "mixed-steps")

    def test_an_unfinished_later_save(self) -> None:
        folder = self.copy("dcp20")
        (folder / ".metadata.tmp").write_bytes(b"")
        self.judged(folder, "incomplete", "being-written")
        self.refused(folder, "being-written")

    def test_times_alone_are_a_warning(self) -> None:
        folder = self.copy("dcp20")
        os.utime(folder / ".metadata", (1e9, 1e9))
        self.judged(folder, "warnings", "newer-than-index")


class Ranks(Folder):
    @classmethod
    def setUpClass(cls) -> None:
        keep = tempfile.TemporaryDirectory()
        KEEP.append(keep)
        subprocess.run([sys.executable, Path(__file__).with_name("rank_saves.py"), keep.name], check=True)
        PARTS.update({folder.name: folder for folder in Path(keep.name).iterdir()})

    def test_one_save_is_healthy(self) -> None:
        for name in ("verl10", "verl20", "ranks10", "ranks20"):
            self.judged(self.copy(name), "healthy")

    def test_files_of_two_steps(self) -> None:
        folder = self.copy("ranks20")
        self.add(folder, "ranks10", "rank1.pt")
        self.judged(folder, "mixed", "mixed-steps")
        self.refused(folder, "mixed-steps")

    def test_optimizers_and_schedulers_of_two_steps(self) -> None:
        for files in (["optim", 1], ["extra_state", 1], ["optim", 0, 1], ["extra_state", 0, 1]):
            with self.subTest(files):
                folder = self.copy("verl20")
                self.add(folder, "verl10", *(f"{files[0]}_world_size_2_rank_{rank}.pt" for rank in files[1:]))
                self.judged(folder, "mixed", "mixed-steps")
                shutil.rmtree(folder)


class RankCounts(Folder):
    """Plain saves of two ranks: counts that all ranks share, and those that a rank keeps for itself."""

    def save(self, first: dict, second: dict) -> Path:
        import torch

        folder = Path(tempfile.mkdtemp(dir=self.root))
        for rank, state in enumerate((first, second)):
            torch.save({"model": {f"w{rank}": torch.ones(3)}, **state}, folder / f"rank{rank}.pt")
        return folder

    def test_counts_that_all_ranks_share(self) -> None:
        import torch

        for field, first, second in (
            ("epoch", {"epoch": 1}, {"epoch": 2}),
            ("trainer.progress.step", {"trainer": {"progress": {"step": 20}}}, {"trainer": {"progress": {"step": 30}}}),
            ("train_progress.iteration", {"train_progress": {"iteration": torch.tensor(20)}}, {"train_progress": {"iteration": torch.tensor(30)}}),
            ("meta.iteration", {"meta": {"iteration": 20}}, {"meta": {"iteration": 30}}),
            ("dataloader.global_step", {"dataloader": {"global_step": 20, "_num_yielded": 4}}, {"dataloader": {"global_step": 30, "_num_yielded": 4}}),
            ("progress.epochs_run", {"step": 20, "progress": {"epochs_run": 1}}, {"step": 20, "progress": {"epochs_run": 2}}),
            ("state.num_updates", {"state": {"num_updates": 20.0}}, {"state": {"num_updates": 30.0}}),
        ):
            with self.subTest(field):
                folder = self.save(first, second)
                self.judged(folder, "mixed", "mixed-steps")
                where = [each["where"] for each in run("ls", folder, "--json").json["notices"] if each["code"] == "mixed-steps"]
                self.assertEqual([each["file"] for each in where], ["rank1.pt"], where)
                self.assertIn(where[0]["field"], (field, field.split(".")[-1]))
        self.refused(folder, "mixed-steps")

    def test_counts_of_one_rank(self) -> None:
        import torch

        own = ({"step": 20, "epoch": 1, "dataloader": {"_num_yielded": rank, "epoch": rank, "step": 40 + rank}, "sampler": {"epoch": rank, "iteration": rank},
                "rng": {"step": rank, "state": torch.get_rng_state()}, "env": {"step": rank}, "best": {"epoch": rank, "loss": 0.5 + rank},
                "eval": {"iteration": rank}, "progress": {"epoch": 1.25 + rank / 1000, "tokens_seen": rank}, "history": [{"step": rank}],
                "scheduler": {"last_epoch": 20}, "time": 1.5 + rank} for rank in range(2))  # fmt: skip
        self.judged(self.save(*own), "healthy")
        folder = self.save({"step": 20}, {"step": 20})
        for rank in range(2):  # of other lengths
            torch.save({"step": 40 + rank, "epoch": rank}, folder / f"dataloader_rank{rank}.pt")
        self.assertNotIn("mixed-steps", [each["code"] for each in run("ls", folder, "--json").json["notices"]])

    def test_progress_of_ranks_in_a_distributed_checkpoint(self) -> None:
        import torch
        import torch.distributed.checkpoint as dcp

        def saved(first: dict, second: dict) -> Path:
            folder = Path(tempfile.mkdtemp(dir=self.root))
            dcp.save({"w": torch.ones(3), "progress": {"rank_0": first, "rank_1": second}}, checkpoint_id=folder)
            return folder

        self.judged(saved({"step": 20, "epoch": 1}, {"step": 20, "epoch": 1}), "healthy")
        self.judged(saved({"step": 20, "epoch": 1}, {"step": 20, "epoch": 2}), "mixed", "mixed-steps")
        self.judged(saved({"step": 20, "state": {"iteration": 1}}, {"step": 20, "state": {"iteration": 2}}), "mixed", "mixed-steps")
        self.judged(saved({"state": {"step": 20}}, {"state": {"step": 30}}), "mixed", "mixed-steps")
        self.judged(saved({"step": 20, "optimizerState": {"step": 1}}, {"step": 20, "optimizerState": {"step": 2}}), "healthy")
        self.judged(saved({"step": 20, "dataloader": {"epoch": 1, "step": 3}}, {"step": 20, "dataloader": {"epoch": 2, "step": 4}}), "healthy")


class Files(Folder):
    """A training loop's save in several files."""

    def save(self, steps: int) -> Path:
        import torch

        model = torch.nn.Linear(8, 8)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
        for _ in range(steps):
            model(torch.randn(2, 8)).sum().backward()
            optimizer.step()
            scheduler.step()
        folder = self.root / f"files{steps}"
        folder.mkdir()
        for name, part in (("model", model), ("optimizer", optimizer), ("scheduler", scheduler)):
            torch.save(part.state_dict(), folder / f"{name}.pt")
        return folder

    def test_an_optimizer_of_an_earlier_step(self) -> None:
        early, late = self.save(10), self.save(20)
        self.judged(late, "healthy")
        shutil.copy2(early / "optimizer.pt", late)
        self.judged(late, "mixed", "mixed-steps")
        self.refused(late, "mixed-steps")


class Pointers(Folder):
    def test_pointers_that_lead_nowhere(self) -> None:
        for text in ("global_step30", "", "x" * 10000, "../elsewhere"):
            with self.subTest(text[:20]):
                folder = self.copy("step20", "checkpoint-20")
                (folder / "global_step20").mkdir()
                (folder / "latest").write_text(text)
                self.judged(folder, "incomplete", "dangling-pointer")
                shutil.rmtree(folder)
        folder = self.copy("step20")
        (folder / "latest").write_text("global_step20")
        self.judged(folder, "incomplete", "dangling-pointer")


class SecondSaves(Folder):
    def test_the_same_weights_in_another_format(self) -> None:
        folder = self.copy("after")
        shutil.copy(PARTS["after.bin"], folder / "pytorch_model.bin")
        self.judged(folder, "healthy")

    def test_other_weights_in_another_format(self) -> None:
        folder = self.copy("after")
        shutil.copy(PARTS["before.bin"], folder / "pytorch_model.bin")
        found = self.judged(folder, "warnings", "conflicting-saves")
        self.assertIn("pytorch_model.bin", json.dumps(found))
        self.refused(folder, "conflicting-saves")

    def test_a_file_beside_shards(self) -> None:
        folder = self.copy("sharded")
        self.add(folder, "after", "model.safetensors")
        self.judged(folder, "warnings", "second-save")
        self.add(folder, "before", "model.safetensors")
        self.judged(folder, "warnings", "conflicting-saves")
        self.refused(folder, "conflicting-saves")

    def test_two_sets_of_shards(self) -> None:
        folder = self.copy("sharded")
        for file in PARTS["before_sharded"].glob("model-*.safetensors"):
            shutil.copy(file, folder)
        found = self.judged(folder, "warnings", "conflicting-saves")
        named = [each["where"]["file"] for each in found["findings"] if each["code"] == "conflicting-saves"]
        self.assertEqual(sorted(named), sorted(file.name for file in PARTS["before_sharded"].glob("model-*.safetensors")))

    def test_an_index_of_another_save(self) -> None:
        folder = self.copy("sharded")
        self.add(folder, "before_sharded", "model.safetensors.index.json")
        self.judged(folder, "incomplete", "missing-shard")
        single = self.copy("after")
        self.add(single, "sharded", "model.safetensors.index.json")
        self.judged(single, "warnings", "second-save")

    def test_a_missing_index(self) -> None:
        from transformers import GPT2LMHeadModel

        folder = self.copy("sharded")
        (folder / "model.safetensors.index.json").unlink()
        with self.assertRaises(OSError):
            GPT2LMHeadModel.from_pretrained(folder)
        self.judged(folder, "incomplete", "missing-index")
        self.assertEqual(run("consolidate", folder, "-o", self.root / "out.safetensors").code, 0)

    def test_an_adapter_in_the_base_s_folder(self) -> None:
        import torch
        from safetensors.torch import save_file

        folder = self.copy("after")
        save_file({"base_model.model.transformer.h.0.attn.c_attn.lora_A.weight": torch.ones(4, 32),
                   "base_model.model.transformer.h.0.attn.c_attn.lora_B.weight": torch.ones(96, 4)}, folder / "adapter_model.safetensors")
        (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "base_model_name_or_path": "gpt2", "r": 4}))
        self.judged(folder, "warnings", "second-save")


class Refusals(Folder):
    def test_bytes_behind_the_tensors(self) -> None:
        from safetensors import SafetensorError, safe_open

        file = self.copy("after") / "model.safetensors"
        with file.open("ab") as out:
            out.write(b"\0" * 16)
        with self.assertRaises(SafetensorError):
            safe_open(file, "pt")
        self.judged(file, "damaged", "safetensors-trailing-bytes")

    def test_unusual_numbers(self) -> None:
        import torch

        file = self.root / "model.pt"
        mask = torch.full((4, 4), float("-inf")).triu(1)
        torch.save({"weight": torch.ones(3, 3), "attn.mask": mask, "best_score": torch.tensor(float("inf"))}, file)
        self.judged(file, "healthy")
        torch.save({"weight": torch.tensor([1.0, float("inf"), 2.0])}, file)
        self.judged(file, "damaged", "non-finite")
        torch.save({"weight": torch.tensor([1.0, float("nan"), 2.0])}, file)
        self.judged(file, "damaged", "non-finite")


class Incomplete(Folder):
    def test_the_answer_does_not_cover_everything(self) -> None:
        folder = self.copy("sharded")
        (folder / "model-00002-of-00004.safetensors").unlink()
        self.judged(folder, "incomplete", "missing-shard")
        for verb in ("hash", "stats"):
            answer = run(verb, folder, "--json")
            self.assertEqual((answer.code, answer.json["complete"]), (1, "incomplete"), answer.said())
            self.assertIn("incomplete", answer.errors)
        answer = run("diff", folder, folder, "--values", "--json")
        self.assertEqual((answer.code, answer.json["left_complete"]), (1, "incomplete"), answer.said())
        self.assertEqual(run("hash", folder, "--tensor", "transformer.h.0.ln_1.weight").code, 0)

    def test_a_folder_without_weights_has_no_fingerprint(self) -> None:
        folder = self.copy("sharded")
        for file in folder.glob("*.safetensors"):
            file.unlink()
        for verb in ("hash", "stats"):
            answer = run(verb, folder, "--json")
            self.assertEqual((answer.code, answer.json["error"]["code"]), (3, "missing-shard"), answer.said())

    def test_an_archive_is_as_complete_as_its_source(self) -> None:
        whole = self.root / "whole.cairnz"
        self.assertEqual(run("pack", self.copy("after"), "-o", whole).code, 0)
        self.assertEqual(run("info", whole, "--json").json["complete"], "complete")
        folder = self.copy("step20")
        self.add(folder, "step10", "optimizer.pt")
        packed = self.root / "mixed.cairnz"
        self.assertEqual(run("pack", folder, "-o", packed).code, 0)
        told = run("info", packed, "--json").json
        self.assertEqual((told["complete"], told["why"]), ("incomplete", run("info", folder, "--json").json["why"]))
        self.judged(packed, "mixed", "mixed-steps")


if __name__ == "__main__":
    unittest.main()
