# SPDX-License-Identifier: Apache-2.0
"""`prune` on saves of the frameworks: only complete checkpoints that a later one of the run supersedes are removed."""

from __future__ import annotations

import os
import tempfile
import time
import unittest
from pathlib import Path

import support


def model(seed: int = 0):
    import torch

    torch.manual_seed(seed)
    return torch.nn.Linear(8, 8)


def state(step: int, optimizer: str = "AdamW") -> dict:
    import torch

    net = model()
    chosen = getattr(torch.optim, optimizer)(net.parameters(), lr=1e-3)
    net(torch.ones(2, 8)).sum().backward()
    chosen.step()
    return {"model": net.state_dict(), "optimizer": chosen.state_dict(), "step": step}


def age(path: Path, seconds: float) -> None:
    when = time.time() - seconds
    for each in [path, *path.rglob("*")] if path.is_dir() else [path]:
        os.utime(each, (when, when))


class Prune(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cairn-prune-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name) / "run"
        self.folder.mkdir()

    def saved(self, steps, write) -> None:
        """Writes the checkpoints one after another, with times in the past."""
        for i, step in enumerate(steps):
            path = write(step)
            age(path, 100_000 - 1000 * i)

    def torch_file(self, step: int) -> Path:
        import torch

        path = self.folder / f"ckpt_{step}.pt"
        torch.save(state(step), path)
        return path

    def prune(self, *options: object) -> dict[str, dict[str, str]]:
        plan = support.run("prune", self.folder, *(options or ("--keep-last", 1)), "--json").json
        return {part: {os.path.relpath(entry["path"], self.folder): entry["why"] for entry in plan[part]}
                for part in ("keep", "remove", "refused")}

    def test_foreign_files_beside_a_run(self) -> None:
        import torch

        self.saved((100, 200, 300), self.torch_file)
        for name, content in (("base_model_512.pt", model().state_dict()), ("eval_step_5000_preds.pt", torch.zeros(9)),
                              ("pretrained_model_1000.pt", model(1).state_dict()), ("best.pt", state(200)), ("last.pt", state(300))):
            torch.save(content, self.folder / name)
            age(self.folder / name, 100_000)
        plan = self.prune()
        self.assertEqual(set(plan["remove"]), {"ckpt_100.pt"}, plan)
        self.assertIn("ckpt_300.pt", plan["keep"])
        self.assertIn("ckpt_200.pt", plan["keep"], "saved with best.pt")
        self.assertIn("eval_step_5000_preds.pt", plan["refused"])

    def test_weights_alone_do_not_supersede(self) -> None:
        import torch

        for optimizer in ("AdamW", "SGD"):  # SGD without momentum keeps no tensors
            def write(step: int) -> Path:
                path = self.folder / f"ckpt_{step}.pt"
                whole = state(step, optimizer)
                torch.save(whole if step < 300 else {"model": whole["model"], "step": step}, path)
                return path

            self.saved((100, 200, 300, 400), write)
            plan = self.prune()
            self.assertEqual(set(plan["remove"]), {"ckpt_100.pt", "ckpt_300.pt"}, plan)
            self.assertEqual(plan["keep"]["ckpt_200.pt"], "newest from which training can continue")

    def test_a_save_that_lacks_a_rank(self) -> None:
        import torch

        def write(step: int) -> Path:
            path = self.folder / f"step_{step}"
            path.mkdir()
            for rank in range(4):
                torch.save(state(step), path / f"rank_{rank}.pt")
            return path

        self.saved((100, 200, 300, 400), write)
        (self.folder / "step_400/rank_3.pt").unlink()
        for seconds in (0, 5, -7200):  # -7200: from a clock that is ahead
            age(self.folder / "step_400", seconds)
            plan = self.prune()
            self.assertEqual(set(plan["remove"]), {"step_100", "step_200"}, plan)
        age(self.folder / "step_400", 90_000)
        plan = self.prune()
        self.assertFalse({"step_300", "step_400"} & set(plan["remove"]), plan)
        self.assertIn("files like rank_#.pt", plan["refused"].get("step_300", "files like rank_#.pt"))

    def test_a_halved_shard_is_not_complete(self) -> None:
        import torch.distributed.checkpoint as dcp

        def write(step: int) -> Path:
            path = self.folder / f"step_{step}"
            dcp.save(state(step), checkpoint_id=str(path))
            return path

        self.saved((100, 200, 300), write)
        self.assertEqual(set(self.prune()["remove"]), {"step_100", "step_200"})
        shard = next((self.folder / "step_300").glob("*.distcp"))
        os.truncate(shard, shard.stat().st_size // 2)
        age(self.folder / "step_300", 90_000)
        plan = self.prune()
        self.assertEqual(set(plan["remove"]), {"step_100"}, plan)
        self.assertTrue(plan["refused"]["step_300"].startswith("incomplete"), plan)
        (self.folder / "step_300/.metadata").rename(self.folder / "step_300/.metadata.tmp")
        self.assertEqual(set(self.prune()["remove"]), {"step_100"})

    def test_a_run_that_went_back(self) -> None:
        self.saved((500, 1000, 600, 700), self.torch_file)
        plan = self.prune()
        self.assertEqual(set(plan["remove"]), {"ckpt_500.pt"}, plan)
        self.assertEqual(set(plan["refused"]), {"ckpt_600.pt", "ckpt_700.pt"}, plan)

    def test_the_trainer_folder(self) -> None:
        import torch
        import transformers

        class Rows(torch.utils.data.Dataset):
            def __len__(self) -> int:
                return 12

            def __getitem__(self, index: int) -> dict:
                return {"input_ids": torch.arange(8) % 16, "labels": torch.arange(8) % 16}

        net = transformers.LlamaForCausalLM(transformers.LlamaConfig(
            vocab_size=16, hidden_size=8, intermediate_size=8, num_hidden_layers=1, num_attention_heads=2))
        arguments = transformers.TrainingArguments(
            output_dir=str(self.folder), save_steps=2, max_steps=8, per_device_train_batch_size=2, report_to=[], use_cpu=True,
            eval_strategy="steps", eval_steps=2, load_best_model_at_end=True, disable_tqdm=True, logging_steps=2)
        trainer = transformers.Trainer(model=net, args=arguments, train_dataset=Rows(), eval_dataset=Rows())
        trainer.train()
        self.assertEqual(self.prune()["remove"], {}, "written this minute")
        for i, step in enumerate((2, 4, 6, 8)):
            age(self.folder / f"checkpoint-{step}", 100_000 - i)
        best = Path(trainer.state.best_model_checkpoint).name
        gone = {f"checkpoint-{step}" for step in (2, 4, 6)} - {best}
        self.assertEqual(set(self.prune()["remove"]), gone)
        trainer.save_model(str(self.folder))  # the final model in the same folder is not one of them
        self.assertEqual(set(self.prune()["remove"]), gone)
        (self.folder.parent / "best").symlink_to(self.folder / "checkpoint-2")
        (self.folder.parent / "latest").write_text("run/checkpoint-4\n")
        self.assertEqual(set(self.prune()["remove"]), gone - {"checkpoint-2", "checkpoint-4"})
        (self.folder / "checkpoint-8/optimizer.pt").unlink()
        self.assertNotIn("checkpoint-6", self.prune()["remove"])


if __name__ == "__main__":
    unittest.main()
