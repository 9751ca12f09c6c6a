# SPDX-License-Identifier: Apache-2.0
"""Lightning checkpoints: the single file of a Trainer, and the sharded folders (DCP with `meta.pt`) of Trainer and Fabric.

`python lightning_runs.py trainer|fabric FOLDER` runs one of the two ranks of a sharded run, as `torchrun` would.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import torch

from dcp_folders import load_dcp
from oracle import Oracle
from registry import case
from tiny_models import TinyTransformer

RANKS = 2


def load_sharded(path: Path, oracle: Oracle) -> None:
    load_dcp(path, oracle)
    oracle.add("", torch.load(path / "meta.pt", weights_only=False))


def module_of(tied: bool = False):
    import lightning

    class TinyModule(lightning.LightningModule):
        def __init__(self, lr: float = 0.01, width: int = 16, note: str = "tiny", sizes: tuple = (1, 2)) -> None:
            super().__init__()
            self.save_hyperparameters()
            self.net = TinyTransformer(width=width, tied=tied)

        def training_step(self, batch, index):
            logits = self.net(batch[:, :-1])
            loss = torch.nn.functional.cross_entropy(logits.reshape(-1, 24), batch[:, 1:].reshape(-1))
            self.log("train_loss", loss)
            return loss

        def validation_step(self, batch, index):
            self.log("val_loss", self.net(batch).mean())

        def configure_model(self):
            mesh = getattr(self, "_device_mesh", None)
            if mesh is not None:
                from torch.distributed.fsdp import fully_shard

                for layer in self.net.layers:
                    fully_shard(layer, mesh=mesh["data_parallel"])
                fully_shard(self.net, mesh=mesh["data_parallel"])

        def configure_optimizers(self):
            optimizer = torch.optim.AdamW(self.parameters(), lr=self.hparams.lr)
            return {"optimizer": optimizer, "lr_scheduler": torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)}

    return TinyModule()


def loader():
    data = torch.randint(0, 24, (16, 9), generator=torch.Generator().manual_seed(2))
    return torch.utils.data.DataLoader(data, batch_size=4)


def trainer(folder: Path, callbacks=(), **options):
    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint
    from lightning.pytorch.loggers import CSVLogger

    lightning.seed_everything(3, verbose=False)
    keep = ModelCheckpoint(monitor="train_loss", save_top_k=1, save_last=True, auto_insert_metric_name=True)
    return lightning.Trainer(max_epochs=2, accelerator="cpu", logger=CSVLogger(folder), log_every_n_steps=1, callbacks=[*callbacks, keep],
                             enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0, **options)


@case("lightning_ckpt", "torch|lightning", epoch=1, step=8, weights="state_dict.")
def single_file(folder: Path) -> Path:
    runner = trainer(folder)
    runner.fit(module_of(), loader(), loader())
    return next((folder / "lightning_logs" / "version_0" / "checkpoints").glob("last.ckpt"))


@case("lightning_ema_ckpt", "torch|lightning", epoch=1, step=8, weights="state_dict.",
      roles={"state_dict.": "model", "current_model_state.": "training_state", "averaging_state.": "training_state",
             "optimizer_states.": "optimizer", "callbacks.": "training_state"})
def averaged(folder: Path) -> Path:
    """The average is in `state_dict`, the trained model next to it."""
    from lightning.pytorch.callbacks import EMAWeightAveraging

    runner = trainer(folder, [EMAWeightAveraging(decay=0.9)])
    runner.fit(module_of(), loader(), loader())
    return next((folder / "lightning_logs" / "version_0" / "checkpoints").glob("last.ckpt"))


def run_ranks(kind: str, folder: Path) -> None:
    port = 20000 + os.getpid() % 20000
    environment = os.environ | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": str(RANKS),
                                "LOCAL_WORLD_SIZE": str(RANKS), "GROUP_RANK": "0", "TORCHELASTIC_RUN_ID": "interop"}
    ranks = [subprocess.Popen([sys.executable, __file__, kind, str(folder)],
                              env=environment | {"RANK": str(rank), "LOCAL_RANK": str(rank)}) for rank in range(RANKS)]
    if any([rank.wait(300) for rank in ranks]):
        raise RuntimeError(f"a rank of the {kind} run failed")


@case("lightning_sharded", "dcp|lightning", load_sharded, epoch=1, step=8, weights="state_dict.")
def sharded(folder: Path) -> Path:
    run_ranks("trainer", folder)
    return folder / "lightning_logs" / "version_0" / "checkpoints" / "epoch=1-step=8.ckpt"


@case("fabric_sharded", "dcp|lightning", load_sharded, epoch=2, step=17, weights="model.")
def fabric_sharded(folder: Path) -> Path:
    run_ranks("fabric", folder)
    return folder / "fabric.ckpt"


def trainer_rank(folder: Path) -> None:
    """The only thing that ModelParallelStrategy needs and a CPU lacks is a device index, which its sampler setup does not use."""
    from lightning.pytorch.strategies import ModelParallelStrategy

    runner = trainer(folder, devices=RANKS, strategy=ModelParallelStrategy(process_group_backend="gloo"),
                     use_distributed_sampler=False)
    runner.fit(module_of(), loader())


def fabric_rank(folder: Path) -> None:
    import lightning
    from lightning.fabric.strategies import ModelParallelStrategy
    from torch.distributed.fsdp import fully_shard

    def shard(model, mesh):
        return fully_shard(model, mesh=mesh["data_parallel"])

    fabric = lightning.Fabric(accelerator="cpu", devices=RANKS,
                              strategy=ModelParallelStrategy(shard, process_group_backend="gloo"))
    fabric.launch()
    torch.manual_seed(5)
    model = fabric.setup_module(TinyTransformer())
    optimizer = fabric.setup_optimizers(torch.optim.AdamW(model.parameters(), lr=0.01))
    tokens = next(iter(loader()))
    loss = model(tokens).square().mean()
    fabric.backward(loss)
    optimizer.step()
    fabric.save(folder / "fabric.ckpt", {"model": model, "optimizer": optimizer, "step": 17, "epoch": 2, "hparams": {"lr": 0.01}})


if __name__ == "__main__":
    {"trainer": trainer_rank, "fabric": fabric_rank}[sys.argv[1]](Path(sys.argv[2]))
