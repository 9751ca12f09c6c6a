# SPDX-License-Identifier: Apache-2.0
"""safetensors files, Hugging Face folders, a Trainer's `checkpoint-N` and an accelerate state folder."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

import torch_files
from oracle import Oracle
from registry import case
from tiny_models import TinyTransformer, trained


def llama(tied: bool):
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(21)
    return LlamaForCausalLM(LlamaConfig(vocab_size=50, hidden_size=16, intermediate_size=24, num_hidden_layers=2,
                                        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=32,
                                        pad_token_id=0, tie_word_embeddings=tied))


def gpt2(**options):
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(22)
    return GPT2LMHeadModel(GPT2Config(vocab_size=50, n_positions=32, n_embd=16, n_layer=2, n_head=2, bos_token_id=1,
                                      eos_token_id=2, **options))


def add_safetensors(path: Path, oracle: Oracle) -> None:
    with safe_open(path, framework="pt") as file:
        for name in file.keys():
            oracle.add(name, file.get_tensor(name))


def load_safetensors(path: Path, oracle: Oracle) -> None:
    add_safetensors(path, oracle)


def load_folder(path: Path, oracle: Oracle) -> None:
    """Weights under their own names, everything else with its file's stem as prefix."""
    for file in sorted(path.iterdir()):
        if file.suffix == ".safetensors":
            add_safetensors(file, oracle)
        elif file.name.startswith("pytorch_model") and file.suffix == ".bin":
            oracle.add("", torch.load(file, weights_only=True))
        elif file.name in ("config.json", "generation_config.json", "trainer_state.json"):
            oracle.add(file.stem, json.loads(file.read_text()))
        elif file.name == "training_args.bin":
            oracle.opaque.append(file.stem)
        elif file.suffix in (".pt", ".pth", ".bin", ".pkl"):
            oracle.add(file.stem, torch.load(file, weights_only=False))


def save_logits(folder: Path, model) -> None:
    """The model's logits, to be compared with those of a consolidated copy."""
    tokens = torch.arange(1, 21).reshape(2, 10)
    with torch.no_grad():
        torch.save({"tokens": tokens, "logits": model.eval()(tokens).logits}, folder / "logits.pt")


@case("safetensors_dtypes", "safetensors", load_safetensors, weights="")
def safetensors_dtypes(folder: Path) -> Path:
    kept = [dtype for dtype in torch_files.PLAIN + torch_files.NARROW if dtype not in (torch.complex128, torch.complex32)]
    state = {torch_files.name_of(dtype): torch_files.random((3, 4), dtype) for dtype in kept}
    state |= {"scalar": torch.tensor(2.5), "empty": torch.empty(0, 5), "é.weight": torch.ones(2)}
    save_file(state, folder / "dtypes.safetensors", metadata={"format": "pt", "note": "all dtypes"})
    return folder / "dtypes.safetensors"


@case("safetensors_bare", "safetensors", load_safetensors, weights="")
def safetensors_bare(folder: Path) -> Path:
    save_file({"odd": torch.arange(3, dtype=torch.int8), "w": torch.arange(6.0).reshape(2, 3)}, folder / "bare.safetensors")
    return folder / "bare.safetensors"


def register_models() -> None:
    def saved(name: str, build, size: str, **options) -> None:
        @case(name, "safetensors|hf|hugging", load_folder, weights=None, from_pretrained=True)
        def write(folder: Path) -> Path:
            model = build()
            model.save_pretrained(folder / "model", max_shard_size=size, **options)
            save_logits(folder, model)
            return folder / "model"

    saved("hf_llama_untied", lambda: llama(False), "6KB")
    saved("hf_llama_tied", lambda: llama(True), "6KB")
    saved("hf_gpt2_tied", gpt2, "8KB")
    saved("hf_gpt2_one_file", lambda: gpt2(tie_word_embeddings=False), "5GB")
    saved("hf_llama_bf16", lambda: llama(False).bfloat16(), "5KB")
    saved("hf_llama_variant", lambda: llama(False).half(), "5KB", variant="fp16")


register_models()


@case("hf_bin_shards", "torch|hf|hugging|bin", load_folder, weights=None, from_pretrained=True)
def bin_shards(folder: Path) -> Path:
    """transformers no longer writes `pytorch_model-*.bin`; the layout is the one its older writers used and it still reads."""
    model = gpt2()
    path = folder / "model"
    model.save_pretrained(path)
    (path / "model.safetensors").unlink()
    state = {name: tensor for name, tensor in model.state_dict().items()}
    names, shards = list(state), 3
    weight_map = {name: f"pytorch_model-{1 + i * shards // len(names):05}-of-{shards:05}.bin" for i, name in enumerate(names)}
    weight_map["lm_head.weight"] = weight_map["transformer.wte.weight"]  # tied: one storage, one file
    for file in sorted(set(weight_map.values())):
        torch.save({name: state[name] for name in names if weight_map[name] == file}, path / file)
    size = sum(tensor.numel() * tensor.element_size() for tensor in state.values())
    index = {"metadata": {"total_size": size}, "weight_map": weight_map}
    (path / "pytorch_model.bin.index.json").write_text(json.dumps(index, indent=2))
    save_logits(folder, model)
    return path


@case("trainer_checkpoint", "trainer|hf|hugging|safetensors", load_folder, step=6, epoch=1.5, weights=None, from_pretrained=True)
def trainer_checkpoint(folder: Path) -> Path:
    from transformers import Trainer, TrainingArguments

    class Lines(torch.utils.data.Dataset):
        def __len__(self) -> int:
            return 16

        def __getitem__(self, index: int) -> dict:
            tokens = torch.randint(3, 50, (12,), generator=torch.Generator().manual_seed(index))
            return {"input_ids": tokens, "labels": tokens}

    model = gpt2()
    arguments = TrainingArguments(output_dir=str(folder / "run"), max_steps=6, save_steps=2, logging_steps=1, use_cpu=True,
                                  per_device_train_batch_size=4, report_to=[], learning_rate=1e-2, disable_tqdm=True,
                                  eval_strategy="steps", eval_steps=2, seed=1)
    Trainer(model=model, args=arguments, train_dataset=Lines(), eval_dataset=Lines()).train()
    for step in (2, 4):  # the history needs their state; their weights are deleted to save space
        for file in (folder / "run" / f"checkpoint-{step}").glob("*.pt"):
            file.unlink()
    save_logits(folder, model)
    return folder / "run" / "checkpoint-6"


@case("accelerate_state", "accelerate|safetensors|hf|hugging", load_folder, weights=None)
def accelerate_state(folder: Path) -> Path:
    from accelerate import Accelerator

    torch.manual_seed(4)
    random.seed(4)
    numpy.random.seed(4)
    accelerator = Accelerator(cpu=True)
    model, optimizer, scheduler, _ = trained(TinyTransformer(), 2)
    model, optimizer, scheduler = accelerator.prepare(model, optimizer, scheduler)
    accelerator.register_for_checkpointing(torch.nn.Linear(2, 3))
    accelerator.save_state(str(folder / "state"))
    return folder / "state"


def load_components(path: Path, oracle: Oracle) -> None:
    """Models in separate folders, with the folder's name as prefix."""
    load_folder(path, oracle)
    for folder in sorted(path.iterdir()):
        if not folder.is_dir() or folder.name.startswith("checkpoint-"):
            continue
        for file in folder.glob("*.safetensors"):
            oracle.add(folder.name, load_file(file))
            if (folder / "config.json").exists():
                oracle.add(f"{folder.name}.config", json.loads((folder / "config.json").read_text()))


def save_hooked(folder: Path, write) -> Path:
    """accelerate's save_state in a program that saves its models itself, like the trainers of diffusers."""
    from accelerate import Accelerator

    torch.manual_seed(4)
    accelerator = Accelerator(cpu=True)
    model, optimizer, scheduler, _ = trained(TinyTransformer(), 2)
    model, optimizer, scheduler = accelerator.prepare(model, optimizer, scheduler)

    def hook(models, weights, output):
        write(Path(output))
        weights.clear()

    accelerator.register_save_state_pre_hook(hook)
    accelerator.save_state(str(folder / "checkpoint-500"))
    return folder / "checkpoint-500"


@case("accelerate_components", "hf|hugging", load_components, weights=None)
def accelerate_components(folder: Path) -> Path:
    def write(output: Path) -> None:
        llama(False).save_pretrained(output / "transformer")
        llama(False).half().save_pretrained(output / "transformer_ema")

    return save_hooked(folder, write)


@case("accelerate_lora", "hf|hugging", load_folder, weights=None)
def accelerate_lora(folder: Path) -> Path:
    pair = {"transformer.to_q.lora_A.weight": torch.ones(2, 6), "transformer.to_q.lora_B.weight": torch.arange(12.0).reshape(6, 2)}
    return save_hooked(folder, lambda output: save_file(pair, output / "pytorch_lora_weights.safetensors"))


@case("sentence_transformers", "hf|hugging", load_components, weights=None)
def sentence_transformers(folder: Path) -> Path:
    """The files of sentence-transformers: the first module at the top, the others in numbered folders."""
    model, path = llama(False), folder / "model"
    model.save_pretrained(path)
    kinds = ("Transformer", "Pooling", "Dense")
    modules = [{"idx": i, "name": str(i), "path": f"{i}_{kind}" if i else "", "type": f"sentence_transformers.models.{kind}"}
               for i, kind in enumerate(kinds)]
    (path / "modules.json").write_text(json.dumps(modules))
    (path / "config_sentence_transformers.json").write_text('{"model_type": "SentenceTransformer"}')
    for name, config in (("1_Pooling", {"embedding_dimension": 16}), ("2_Dense", {"in_features": 16, "out_features": 4})):
        (path / name).mkdir()
        (path / name / "config.json").write_text(json.dumps(config))
    save_file({"linear.weight": torch.randn(4, 16), "linear.bias": torch.zeros(4)}, path / "2_Dense" / "model.safetensors")
    (path / "checkpoint-5").mkdir()
    shutil.copy(path / "2_Dense" / "model.safetensors", path / "checkpoint-5")  # not a module: another save of a trainer
    return path


@case("hf_extra_files", "safetensors|hf|hugging", load_folder, weights=None, from_pretrained=True)
def extra_files(folder: Path) -> Path:
    """A downloaded model folder: licence, readme, a tokenizer, a hidden cache."""
    model = llama(False)
    path = folder / "model"
    model.save_pretrained(path, max_shard_size="9KB")
    (path / "README.md").write_text("# model\n")
    (path / ".cache").mkdir()
    (path / ".cache" / "leftover.lock").write_text("")
    shutil.copy(path / "config.json", path / "special_tokens_map.json")
    save_logits(folder, model)
    return path


@case("hf_value_head", "hf|hugging", load_folder, weights=None)
def value_head(folder: Path) -> Path:
    """A model and, in a file of an older format, a head added by reinforcement learning, which is not a copy."""
    path = folder / "model"
    llama(False).save_pretrained(path)
    torch.save({"v_head.summary.weight": torch.randn(1, 16), "v_head.summary.bias": torch.zeros(1)}, path / "pytorch_model.bin")
    return path
