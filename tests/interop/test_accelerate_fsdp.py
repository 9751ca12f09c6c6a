# SPDX-License-Identifier: Apache-2.0
"""What accelerate's own save_fsdp_model writes of models under FSDP2 on two gloo ranks, in each form, becomes a bundle that loads as it was trained."""

from __future__ import annotations

import types
import unittest
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from test_expected import Case, built

from support import temporary

CLASSES = ("Qwen2ForCausalLM", "MixtralForCausalLM", "GemmaForCausalLM")
FORMS = {"sharded": ("SHARDED_STATE_DICT", True), "files": ("SHARDED_STATE_DICT", False), "full": ("FULL_STATE_DICT", True)}


def save(rank: int, folder: str) -> None:
    from accelerate import PartialState
    from accelerate.utils import FullyShardedDataParallelPlugin
    from accelerate.utils.fsdp_utils import save_fsdp_model
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    dist.init_process_group("gloo", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=2)
    PartialState._shared_state |= {"_cpu": True, "backend": "gloo", "num_processes": 2, "process_index": rank, "local_process_index": rank}  # for its log
    try:
        for name in CLASSES:
            model = built(name)
            mesh = init_device_mesh("cpu", (2,))
            for layer in model.get_submodule("model.layers"):
                fully_shard(layer, mesh=mesh)
            fully_shard(model, mesh=mesh)
            for form, (kind, use_dcp) in FORMS.items():
                step = Path(folder, name, form, "checkpoint-3")
                step.mkdir(parents=True, exist_ok=True)
                plugin = FullyShardedDataParallelPlugin(fsdp_version=2, state_dict_type=kind)
                accelerator = types.SimpleNamespace(num_processes=2, process_index=rank, is_main_process=rank == 0)
                save_fsdp_model(plugin, accelerator, model, str(step), use_dcp=use_dcp)
                if rank == 0:
                    model.config.architectures = None
                    model.config.save_pretrained(step.parent)
            dist.barrier()
    finally:
        dist.destroy_process_group()


class AccelerateFsdp(Case):
    def test_every_form(self) -> None:
        with temporary() as folder:
            mp.spawn(save, (str(folder),), nprocs=2)
            for name in CLASSES:
                model = built(name)
                for form in FORMS:
                    with self.subTest(name=name, form=form):
                        self.assertTrue(self.check(model, Path(folder, name, form, "checkpoint-3")), getattr(self, "refusal", ""))


if __name__ == "__main__":
    unittest.main()
