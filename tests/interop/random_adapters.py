# SPDX-License-Identifier: Apache-2.0
"""Random LoRA adapters that PEFT trains nothing of, but saves: of any causal, masked or classifying model that transformers can
build small, with any combination of settings that PEFT accepts; and what PEFT itself computes with them."""

from __future__ import annotations

import copy
import random
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import torch
import transformers as hf
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import load_file, save_file

import family_data  # noqa: F401  finds published_names
import published_names

warnings.filterwarnings("ignore")
hf.logging.set_verbosity(hf.logging.CRITICAL)
hf.utils.logging.disable_progress_bar()

# With experts as stacks of matrices in memory.
MOE = """qwen2_moe qwen3_moe mixtral olmoe deepseek_v2 deepseek_v3 glm4_moe minimax minimax_m2 phimoe gpt_oss granitemoe granitemoehybrid
granitemoeshared jamba qwen3_next flex_olmo ernie4_5_moe hunyuan_v1_moe dots1 lfm2_moe glm4_moe_lite exaone_moe solar_open afmoe jetmoe
doge nemotron_h cohere2_moe mimo_v2_flash kimi_linear laguna hy_v3 qwen3_5_moe_text llama4_text gemma4_text glm_moe_dsa mistral4 axk1""".split()
DENSE = """llama mistral qwen2 qwen3 gemma gemma2 gemma3_text gpt2 gpt_neox opt phi phi3 starcoder2 bloom falcon gpt_bigcode olmo2 stablelm cohere
smollm3 mamba lfm2 bert roberta modernbert distilbert albert deberta-v2 vit t5""".split()
ENDINGS = ("ForCausalLM", "LMHeadModel", "ForMaskedLM", "ForSequenceClassification", "ForImageClassification", "ForConditionalGeneration")


def class_of(model_type: str, rng: random.Random) -> str | None:
    names = [name for each, name in published_names.classes() if each == model_type and name.endswith(ENDINGS)]
    names = [name for name in names if not name.endswith("SequenceClassification") or rng.random() < 0.3] or names
    return rng.choice(names) if names else None


@dataclass
class Sample:
    """folder/base, folder/adapter; merged: what PEFT's merge publishes."""

    label: str
    folder: Path
    settings: dict
    tied: bool = False  # embedding and head, and the adapter changes one of them
    kind: type = None
    dtype: torch.dtype = torch.float32
    notes: list[str] = field(default_factory=list)


def drawn(model: torch.nn.Module, rng: random.Random, moe: bool) -> dict:
    """Settings of LoRA; PEFT may refuse them."""
    linear = sorted({name.rpartition(".")[2] for name, module in model.named_modules()
                     if isinstance(module, (torch.nn.Linear, hf.pytorch_utils.Conv1D)) and "." in name})
    linear = [name for name in linear if not name.isdigit()] or linear
    embeddings = sorted({name.rpartition(".")[2] for name, module in model.named_modules() if isinstance(module, torch.nn.Embedding)})
    output = model.get_output_embeddings() if hasattr(model, "get_output_embeddings") else None
    heads = [name.rpartition(".")[2] for name, module in model.named_modules() if output is not None and module is output]
    stacks = sorted({name for name, each in model.named_parameters() if each.dim() == 3})
    settings: dict = {"r": rng.choice([1, 2, 4, 6, 8]), "lora_alpha": rng.choice([1, 4, 8, 12, 16, 32])}
    pick = [name for name in linear if name not in heads]
    targets = rng.sample(pick, rng.randint(1, min(4, len(pick)))) if pick else list(heads)
    roll = rng.random()
    if roll < 0.15:
        targets = "all-linear"
    elif roll < 0.22 and pick:
        targets = rf".*\.(?:{'|'.join(map(re.escape, targets))})"
    elif roll < 0.30 and embeddings:
        targets = [*targets, rng.choice(embeddings)]
    elif roll < 0.36 and heads:
        targets = [*targets, *heads]
    if moe and stacks and rng.random() < 0.7:
        form = rng.random()
        leaves = sorted({name.rpartition(".")[2] for name in stacks})
        if form < 0.5:
            settings["target_parameters"] = leaves if rng.random() < 0.7 else [rng.choice(leaves)]
        elif form < 0.9:
            settings["target_parameters"] = sorted({".".join(name.split(".")[-2 if rng.random() < 0.5 else -3:]) for name in stacks})
        else:
            settings["target_parameters"] = [rng.choice(stacks)]
        if rng.random() < 0.3:
            targets = []
    elif moe and rng.random() < 0.6:
        targets = ["q_proj", "gate_proj", "up_proj", "down_proj"] if rng.random() < 0.8 else ["w1", "w2", "w3"]
    settings["target_modules"] = targets
    maybe = rng.random
    if maybe() < 0.25:
        settings["use_rslora"] = True
    if maybe() < 0.15 and not settings.get("target_parameters"):
        settings["use_dora"] = True
    if maybe() < 0.15:
        settings["lora_bias"] = True
    if maybe() < 0.2:
        settings["bias"] = rng.choice(["all", "lora_only"])
    if maybe() < 0.3 and isinstance(targets, list) and targets:
        settings["rank_pattern"] = {rng.choice(targets): rng.choice([1, 3, 5])}
        if maybe() < 0.3 and settings.get("target_parameters"):
            settings["rank_pattern"] = {rng.choice(settings["target_parameters"]).rpartition(".")[2]: rng.choice([1, 3])}
    if maybe() < 0.3 and isinstance(targets, list) and targets:
        settings["alpha_pattern"] = {rng.choice([*targets, *settings.get("target_parameters", [])]): rng.choice([1, 3, 20])}
        if maybe() < 0.3:
            settings["alpha_pattern"] = {rf".*\.1\..*{re.escape(rng.choice(targets))}": 5}
    if maybe() < 0.2:
        choices = [*heads, "classifier", "score", *embeddings[:1], *[n for n in ("norm", "final_layer_norm") if any(m.endswith(n) for m, _ in model.named_modules())]]
        chosen = rng.choice(choices)
        if any(name.rpartition(".")[2] == chosen for name, _ in model.named_modules()) and chosen not in (targets if isinstance(targets, list) else []):
            settings["modules_to_save"] = [chosen]
    if maybe() < 0.08 and embeddings:
        settings["trainable_token_indices"] = {rng.choice(embeddings): sorted(rng.sample(range(8, 60), 3))} if maybe() < 0.5 else sorted(rng.sample(range(8, 60), 3))
    if maybe() < 0.1:
        settings["layers_to_transform"] = rng.choice([[0], [1], 0])
    if maybe() < 0.1 and isinstance(targets, list) and len(targets) > 1:
        settings["exclude_modules"] = [targets[-1]]
    if maybe() < 0.1:
        settings["ensure_weight_tying"] = True
    return settings


def randomised(model: torch.nn.Module, seed: int, amount: float = 0.05) -> torch.nn.Module:
    """No tensor is zero or constant: what is not folded shows."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.is_floating_point():
                parameter.add_(torch.randn(parameter.shape, generator=generator).to(parameter.dtype) * amount)
    return model


def adapted(base: torch.nn.Module, settings: dict, seed: int) -> PeftModel:
    torch.manual_seed(seed)
    model = get_peft_model(copy.deepcopy(base), LoraConfig(init_lora_weights=False, **settings))
    generator = torch.Generator().manual_seed(seed + 1)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.requires_grad or "lora_" in name:
                parameter.add_(torch.randn(parameter.shape, generator=generator).to(parameter.dtype) * 0.1)
    return model


def changes_tied(model: PeftModel, base: torch.nn.Module) -> bool:
    """Whether one of several tied tensors is changed: PEFT's merge then changes what its forward does not."""
    tied = getattr(base, "all_tied_weights_keys", None) or {}
    modules = {name.rpartition(".")[0] for pair in tied.items() for name in pair}
    return any("lora_" in name or "modules_to_save" in name for name, parameter in model.named_parameters() if parameter.requires_grad
               and any(f".{module}." in name for module in modules))


def generate(folder: Path, count: int, seed: int, bases: dict | None = None):
    """Yields `count` samples that PEFT could save and load; `bases`: models by type and class, kept."""
    bases = {} if bases is None else bases
    made = 0
    for i in range(20 * count):
        if made == count:
            return
        rng = random.Random(f"{seed} {i}")
        moe = rng.random() < 0.5
        model_type = rng.choice(MOE if moe else DENSE)
        name, tied = class_of(model_type, rng), rng.random() < 0.5
        if name is None:
            continue
        tied = tied or model_type == "t5"  # whose config is saved as one that ties
        dtype = rng.choice([torch.float32, torch.float32, torch.bfloat16])
        here = folder / f"{i}-{model_type}"
        try:
            key = (name, tied)
            if key not in bases:
                torch.manual_seed(5)
                bases[key] = randomised(published_names.build(model_type, name, tied=tied), 5)
            model = copy.deepcopy(bases[key]).to(dtype)
            settings = drawn(model, rng, moe)
            peft_model = adapted(model, settings, 100 + i)
            model.save_pretrained(here / "base")
            peft_model.base_model.peft_config["default"].base_model_name_or_path = str(here / "base")
            bare = rng.random() < 0.1
            peft_model.save_pretrained(here / "adapter", safe_serialization=not bare, save_embedding_layers=rng.choice(["auto", False]))
            if bare:
                tensors = load_file(here / "adapter" / "adapter_model.safetensors") if (here / "adapter" / "adapter_model.safetensors").exists() else None
                if tensors is not None:
                    torch.save(tensors, here / "adapter" / "adapter_model.bin")
                    (here / "adapter" / "adapter_model.safetensors").unlink()
            elif rng.random() < 0.2:  # trained in another dtype than the base
                file = here / "adapter" / "adapter_model.safetensors"
                save_file({key: value.bfloat16() for key, value in load_file(file).items()}, file, metadata={"format": "pt"})
        except Exception as error:  # noqa: BLE001: PEFT or transformers refuse it
            bases.setdefault("refused", []).append(f"{name} {type(error).__name__} {str(error)[:90]}")
            continue
        made += 1
        yield Sample(f"{name} {settings}", here, settings, changes_tied(peft_model, model), type(model), dtype)


def members(folder: Path, count: int, seed: int, bases: dict | None = None):
    """Yields samples with one or two further adapters of the same base, and their folders' names: with the same settings but
    another rank, alpha or scaling, or with settings of their own."""
    made = 0
    for sample in generate(folder, 3 * count, seed, bases):
        if made == count:
            return
        rng = random.Random(f"{seed} {sample.label}")
        names = []
        try:
            model = sample.kind.from_pretrained(sample.folder / "base", dtype=sample.dtype)
            for i in range(rng.choice([1, 1, 2])):
                settings = dict(sample.settings)
                for key, values in (("r", [1, 3, 5, 8]), ("lora_alpha", [2, 8, 24]), ("use_rslora", [True, False])):
                    if rng.random() < 0.5:
                        settings[key] = rng.choice(values)
                if rng.random() < 0.3 and isinstance(settings["target_modules"], list) and len(settings["target_modules"]) > 1:
                    settings["target_modules"] = settings["target_modules"][:-1]
                if rng.random() < 0.15:
                    settings = drawn(model, rng, bool(settings.get("target_parameters")))
                other = adapted(model, settings, 900 + 10 * made + i)
                other.base_model.peft_config["default"].base_model_name_or_path = str(sample.folder / "base")
                other.save_pretrained(sample.folder / f"other-{i}", save_embedding_layers=False)
                names.append(f"other-{i}")
        except Exception:  # noqa: BLE001: PEFT refuses the settings
            continue
        made += 1
        yield sample, names


def with_adapter(sample: Sample, adapter: str = "adapter") -> PeftModel:
    return PeftModel.from_pretrained(sample.kind.from_pretrained(sample.folder / "base", dtype=sample.dtype), sample.folder / adapter).eval()


def tensors(folder: Path) -> dict[str, torch.Tensor]:
    return {name: tensor for file in sorted(folder.glob("*.safetensors")) for name, tensor in load_file(file).items()}


def furthest(found: torch.Tensor, expected: torch.Tensor, base: torch.Tensor | None) -> float:
    """The largest difference, in last bits of the largest number that the merge of an element has met."""
    wide, other = found.double(), expected.double()
    size = torch.maximum(other.abs(), torch.zeros_like(other))
    if base is not None and base.shape == expected.shape:
        change = (other - base.double()).abs()
        size = torch.maximum(size, torch.maximum(base.double().abs(), change.mean().expand_as(change)))
    return float(((wide - other).abs() / (size.clamp(min=1e-8) * torch.finfo(expected.dtype).eps)).max())


def logits(model: torch.nn.Module) -> torch.Tensor:
    torch.manual_seed(0)
    tokens = torch.arange(10, 22).reshape(1, -1)
    with torch.no_grad():
        if model.main_input_name == "pixel_values":
            size = model.config.image_size
            return model(pixel_values=torch.rand(1, 3, size, size).to(model.dtype)).logits
        more = {"decoder_input_ids": tokens} if model.config.is_encoder_decoder else {}
        return model(input_ids=tokens, **more).logits
