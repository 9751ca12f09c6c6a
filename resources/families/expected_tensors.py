#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes expected_tensors.txt: the tensors that a published model of transformers has, with shapes as expressions of its config, for each
class of the model types below; and float32_modules.txt: the modules that classes keep in float32.

    expected_tensors.py FOLDER [TYPE ...]                    writes all, or only these types again
    expected_tensors.py FOLDER --check [I/N] [TYPE ...]      finds them again, and compares: hours of processor time for all, seconds to minutes for a type
    expected_tensors.py FOLDER --holds [I/N] [TYPE ...]      compares what is recorded with models of random configs: minutes for all

I/N takes one of N parts of the types, so that several processes share the work. Each type is reported when it is done.

Each class is built without memory (on torch's meta device) with many random configs. A size, the number of layers, and the condition under which a tensor
exists are the simplest expressions of the config's fields that hold for all of them, and for further configs that were not used to find them. A class for
which one of them is not found is left out and reported. What a field is if config.json lacks it is found in the same way.
"""
import contextlib
import copy
import inspect
import itertools
import os
import random
import re
import sys
import warnings

os.environ.setdefault("HF_HUB_OFFLINE", "1")
import numpy as np  # noqa: E402
import records  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from transformers import PreTrainedConfig, PreTrainedModel  # noqa: E402
from transformers.core_model_loading import revert_weight_conversion  # noqa: E402
from transformers.models.auto import modeling_auto as auto  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

warnings.filterwarnings("ignore")
transformers.logging.set_verbosity(transformers.logging.CRITICAL)

TYPES = """llama mistral mixtral qwen2 qwen3 qwen2_moe qwen3_moe deepseek_v3 gemma gemma2 gemma3_text gpt2 bert t5 whisper vit phi3 gpt_neox phi olmo olmo2
cohere granite glm4 glm4_moe smollm3 opt roberta distilbert bart deit deepseek_v2 starcoder2 gpt_oss glm qwen3_next olmo3 olmoe cohere2 xlm-roberta
electra modernbert clip siglip mbart stablelm bloom gptj mpt granitemoe mamba dinov2 ernie4_5 exaone4 minimax siglip_vision_model
clip_vision_model camembert mpnet albert gemma3 qwen2_5_vl llava qwen3_vl qwen2_vl mistral3 pixtral
gpt_bigcode mt5 pegasus nemotron paligemma wav2vec2 convnext falcon deberta-v2 marian mamba2 jamba hubert resnet siglip2 llama4_text apertus lfm2
m2m_100 qwen3_5_text qwen3_5 recurrent_gemma seed_oss minimax_m2 ernie4_5_moe granitemoeshared phimoe t5gemma segformer dinov3_vit
dinov2_with_registers convnextv2""".split()
TABLES = ["MODEL_MAPPING_NAMES", "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES", "MODEL_FOR_MASKED_LM_MAPPING_NAMES", "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES",
          "MODEL_FOR_SPEECH_SEQ_2_SEQ_MAPPING_NAMES", "MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES", "MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES",
          "MODEL_FOR_IMAGE_CLASSIFICATION_MAPPING_NAMES", "MODEL_FOR_PRETRAINING_MAPPING_NAMES",
          "MODEL_FOR_CTC_MAPPING_NAMES", "MODEL_FOR_AUDIO_CLASSIFICATION_MAPPING_NAMES", "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES",
          "MODEL_FOR_MULTIMODAL_LM_MAPPING_NAMES", "MODEL_FOR_OBJECT_DETECTION_MAPPING_NAMES", "MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES"]
SAMPLES, FURTHER, EFFORTS = 22, 8, (1, 4)
TEXT, TIE = "text_config", "tie_word_embeddings"
#: values that were in files of earlier versions, and that loaders pass over
OLD_BUFFERS = ["*rotary_emb.inv_freq", "*.attn.masked_bias", "*.attention.masked_bias", "*position_ids"]
OLD_MASKS = {"gpt2": ["*.attn.bias"], "gpt_neox": ["*.attention.bias"], "gptj": ["*.attn.bias"], "codegen": ["*.attn.causal_mask"], "gpt_neo": ["*.attn.attention.bias"]}
WORDS = {"feed_forward_proj": ["relu", "gated-gelu"], "num_ln_in_parallel_attn": [None, 1, 2], "position_buckets": [4, -1, 0, 6],
         "max_relative_positions": [24, -1, 0, 36], "norm_rel_ebd": ["none", "layer_norm"], "conv_kernel_size": [0, 3, 5],
         "type_vocab_size": [0, 2, 3, 4],
         "pos_att_type": [[], ["c2p"], ["p2c"], ["p2c", "c2p"], ["c2p", "p2c"]]}
#: fields that a config class wants to follow from others, by model type
FOLLOWS = {"mamba2": {"hidden_size": "num_heads * head_dim / expand"}}
#: what config.json has of a field that is set by another name
SAVED_AS = {"num_labels": "id2label.#"}
FIXED = re.compile(r"(_token_id$|^problem_type|^output_|^return_dict|^use_cache|^torchscript|^is_encoder_decoder|^is_decoder|^chunk_size|^num_experts_per_tok|"
                   r"topk|top_k|^moe_k$|^scale_|^use_flash|^initializer|capacity|conv_kernel|conv_stride|^conv_dim|_id$|^transformers_version|^n_group$|"
                   r"num_feat_extract|sliding_window|^is_gated_act|^time_step_(?!rank)|^num_adapter_layers|^apply_spec|^mask_|^share_encoder)")
RULES = [  # values of a field by its name; the first that matches
    (r"^num_labels$", lambda r: r.randint(3, 9)),
    (r"(key_value|kv)_heads$|^num_kv_heads$|linear_num_key_heads", lambda r: r.choice([1, 2])),
    (r"kernel_size|d_conv|conv_L_cache|conv_kernel", lambda r: r.choice([2, 3, 4])),
    (r"heads?$", lambda r: r.choice([2, 4, 6, 8])),
    (r"^(num_|n_)?(shared_experts)$", lambda r: r.randint(1, 3)),
    (r"experts$", lambda r: r.choice([4, 6, 8])),
    (r"(first_k_dense_replace|start_index|num_dense_layers)$", lambda r: r.randint(0, 3)),
    (r"_layer_offset$", lambda r: r.randint(0, 2)),
    (r"^(mamba_)?expand$", lambda r: r.choice([1, 2, 4])),
    (r"(sparse_step|layer_freq|interval|pattern|_step|period|frequency|offset)$", lambda r: r.choice([1, 2, 3])),
    (r"layers?$|^depth$", lambda r: r.randint(2, 5)),
    (r"^(head_dim|d_kv|v_head_dim|.*_head_dim|.*rank)$", lambda r: 2 * r.randint(3, 9)),
    (r"state_size|d_state|n_groups", lambda r: r.choice([2, 4])),
    (r"vocab", lambda r: r.randint(50, 150)),
    (r"inter|ffn|d_ff|n_inner|mlp_dim|ff_dim|expansion", lambda r: 2 * r.randint(10, 40)),
    (r"hidden_size|d_model|n_embd|embed_dim|^dim$|embedding_size|hidden_dim|n_state|classifier_proj_size|output_hidden|"
     r"pooler_output_size|word_embed_proj_dim", lambda r: 48 * r.randint(1, 5)),
    (r"projection_(dim|size)$", lambda r: 8 * r.randint(2, 9)),
    (r"patch_size|patch_stride", lambda r: r.choice([4, 8])),
    (r"image_size", lambda r: 8 * r.randint(2, 5)),
    (r"position|n_ctx|seq_len|max_length", lambda r: r.randint(20, 60)),
    (r"type_vocab", lambda r: r.choice([0, 2, 3, 4])),
    (r"channels|mel_bins|buckets|max_relative|num_register|groups", lambda r: r.randint(2, 6)),
]
START = {"num_experts_per_tok": 2, "moe_k": 2, "moe_topk": 2, "n_group": 2, "topk_group": 1, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2,
         "image_size": 32, "num_nextn_predict_layers": 0, "encoder_layerdrop": 0.0, "decoder_layerdrop": 0.0, "num_conv_pos_embeddings": 128,
         "num_conv_pos_embedding_groups": 16, "mamba_expand": 2, "expand": 2, "decoder_start_token_id": 2}
#: what null means where the config keeps it and the model computes the value
NULL_MEANS = {"head_dim": ["hidden_size / num_attention_heads"], "n_inner": ["4 * n_embd", "4 * hidden_size"], "num_key_value_heads": ["num_attention_heads"],
              "ffn_hidden_size": ["4 * hidden_size"], "num_kv_heads": ["num_attention_heads"],
              "num_ln_in_parallel_attn": ["2 * new_decoder_architecture"]}


def value_for(name, rng):
    name = name.rpartition(".")[2]
    for pattern, make in RULES:
        if re.search(pattern, name):
            return make(rng)
    return None


def is_flag(name, value):
    """Whether a field is set or not; one that an earlier version had may be absent."""
    return isinstance(value, bool) or (value is None and name.rpartition(".")[2] == TIE)


def under(part, name):
    """The name of a field of a part of the config: text_config.hidden_size."""
    return f"{part}.{name}" if part else name


def field_of(config, name):
    """A field of a config or of a part of it; None if there is none."""
    for word in name.split("."):
        config = config.get(word) if isinstance(config, dict) else getattr(config, word, None)
    return config


def changed(given, name, *value):
    """Arguments of a config with another value of a field; without one, if no value is given."""
    made = dict(given)
    part, _, rest = name.partition(".")
    if rest:
        made[part] = changed(made.get(part) or {}, rest, *value)
    elif value:
        made[name] = value[0]
    else:
        made.pop(name, None)
    return made


def completed(config_class, given):
    """Arguments of a config with the fields that must follow from others."""
    return given | {name: evaluate(text, given) for name, text in FOLLOWS.get(config_class.model_type, {}).items() if name in given}


def unlisted(cls, config_class, given):
    """Fields that the model reads with a default of its own, but which its config class does not list; by name, the default, or None if it is unclear."""
    pairs = re.findall(r'getattr\(\s*(?:self\.)?config,\s*"(\w+)",\s*([^()]*)\)', inspect.getsource(inspect.getmodule(cls)))
    found = {}
    for name, default in pairs:
        if name not in (*config_class().to_dict(), "head_dim", "num_labels"):
            found.setdefault(name, set()).add(default)
    known = {"True": True, "False": False} | {str(n): n for n in range(-1, 9)}
    made = {}
    for name, defaults in found.items():
        made[name] = None
        for default in sorted(defaults):
            value = known.get(default, default.strip('"') if re.fullmatch(r'"\w+"', default) else field_of(config_class(**given), default.removeprefix("config.")))
            with contextlib.suppress(Exception):  # not a value of it
                if value is not None and Sample(cls, config_class, given).tensors == Sample(cls, config_class, given | {name: value}).tensors:
                    made[name] = default.removeprefix("config.") if default.startswith("config.") else value
    return made


def parts_of(config):
    """The configs of a model's parts, by their fields."""
    return {name: value for name, value in vars(config).items() if isinstance(value, PreTrainedConfig) and not name.startswith("_")}


def flat(value, name=""):
    """As ModelConfig of core/families names the fields: lists and objects have their length as .#; null is absent."""
    fields = {}
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        fields[name + ".#"] = len(value)
        for key, inner in items:
            fields |= flat(inner, f"{name}.{key}" if name else str(key))
    elif value is not None:
        fields[name] = int(value) if isinstance(value, bool) else value
    return fields


@contextlib.contextmanager
def unfilled():
    """Models are built on the meta device, where there is nothing to initialise."""
    functions = {name: value for name, value in vars(torch.nn.init).items() if name.endswith("_") and not name.startswith("_")}
    for name in functions:
        setattr(torch.nn.init, name, lambda tensor, *_, **__: tensor)
    try:
        with torch.device("meta"):
            yield
    finally:
        for name, value in functions.items():
            setattr(torch.nn.init, name, value)


class Sample:
    def __init__(self, cls, config_class, given, varied=()):
        with unfilled():
            config = config_class(**copy.deepcopy(completed(config_class, given)))
            model = cls(config)
        self.config = config
        self.fields = flat(config.to_dict())
        self.fields.pop(".#", None)
        if TEXT in parts_of(config):
            for name in self.fields:  # as the file has it: the class may take it from either
                stated = field_of(given, name) if name.rpartition(".")[2] == TIE else None
                if isinstance(stated, bool):
                    self.fields[name] = int(stated)
            if TIE in self.fields:
                self.fields.setdefault(f"{TEXT}.{TIE}", 0)  # files of earlier versions have it there, where the class does not
        self.nulls = {}
        for name in varied:
            part, _, field = name.rpartition(".")
            if field in NULL_MEANS and name not in self.fields:
                for text in [re.sub(r"[a-z]\w*", lambda m: under(part, m[0]), each) for each in NULL_MEANS[field]]:
                    try:
                        self.fields[name] = evaluate(text, self.fields)
                        self.nulls[name] = text
                        break
                    except KeyError:
                        continue
        state = model.state_dict()
        self.optional = {key for key in model._keys_to_ignore_on_save or [] if key in state}  # they exist in memory, and are computed if absent
        ties = {k: v for k, v in (getattr(model, "all_tied_weights_keys", None) or {}).items() if k in state and v in state}
        published = {k: tuple(v.shape) for k, v in revert_weight_conversion(model, dict(state)).items()}
        self.tied = {}
        for name, source in ties.items():
            pair = [next(iter(revert_weight_conversion(model, {k: state[k]}))) for k in (name, source)]
            self.tied[pair[0]] = pair[1]
        self.tensors = published


# ---- expressions: texts that both Python and core/families/config/expression.h evaluate

def evaluate(text, fields):
    def field(match):
        word = match.group()
        return word if word in ("and", "or", "not", "min", "max", "has", "has_", "is_", "fields") else f"fields[{resolve(word, fields)!r}]"

    text = re.sub(r"is\(([\w.{}#]+), ([\w.\-]+)\)", lambda m: f"(fields.get({resolve(m[1], fields)!r})=={m[2]!r})", text)
    text = re.sub(r"has\(([\w.{}#]+)\)", lambda m: f"({resolve(m[1], fields)!r} in fields)", text)
    parts = re.split(r"('[^']*'|\bin fields\b|\bfields\.get)", text)
    parts[::2] = [re.sub(r"[A-Za-z_][\w.{}#]*", field, part) for part in parts[::2]]
    return int(eval("".join(parts).replace("/", "//"), {"fields": fields}))  # noqa: S307: texts of this script


def resolve(name, fields):
    return re.sub(r"\{(\w)\}", lambda m: str(fields.get(m[1], m[0])), name)


def monomials(columns, limit):
    """Products of fields with a small factor, the simplest first: (text, vector)."""
    names = list(columns)
    for f in names:
        yield f, columns[f]
    for c in (2, 3, 4, 6, 8):
        for f in names:
            yield f"{c} * {f}", c * columns[f]
    for c in (2, 4, 3):
        for f in names:
            if not (columns[f] % c).any():
                yield f"{f} / {c}", columns[f] // c
    for f, g in itertools.combinations_with_replacement(names, 2):
        yield f"{f} * {g}", columns[f] * columns[g]
    for f, g in itertools.permutations(names, 2):
        if columns[g].all() and not (columns[f] % columns[g]).any():
            yield f"{f} / {g}", columns[f] // columns[g]
    if limit < 2:
        return
    for f, g in itertools.permutations(names, 2):
        if columns[g].all() and not (columns[f] % columns[g]).any():
            yield f"2 * {f} / {g}", 2 * (columns[f] // columns[g])
    for c in (2, 3, 4):
        for f, g in itertools.combinations_with_replacement(names, 2):
            yield f"{c} * {f} * {g}", c * columns[f] * columns[g]
    for f, g in itertools.permutations(names, 2):
        yield f"{f} * {f} * {g}", columns[f] * columns[f] * columns[g]
    for f, g in itertools.combinations_with_replacement(names, 2):
        for h in names:
            if h not in (f, g) and columns[h].all() and not ((columns[f] * columns[g]) % columns[h]).any():
                for c in (1, 2):
                    yield (f"{c} * " if c > 1 else "") + f"{f} * {g} / {h}", c * columns[f] * columns[g] // columns[h]
    for f, g in itertools.permutations(names, 2):
        if columns[g].all() and not ((columns[f] // 1) % columns[g]).any():
            square = (columns[f] // columns[g]) ** 2
            yield f"{f} / {g} * ({f} / {g})", square
            yield f"{f} / {g} * ({f} / {g}) + 1", square + 1
    for c in (12, 16, 24, 32):
        for f in names:
            yield f"{c} * {f}", c * columns[f]


def solve(values, columns, limits=(1, 2), three=True):
    """The simplest expression of the columns with these values; None if there is none."""
    values = np.array(values, dtype=np.int64)
    if (values == values[0]).all():
        return str(values[0])
    for limit in limits:
        known = {}
        terms = []
        for text, vector in monomials(columns, limit):
            key = vector.tobytes()
            if key not in known:
                known[key] = text
                terms.append((text, vector))
        if values.tobytes() in known:
            return known[values.tobytes()]
        for c in (1, 2, -1, 3, -2):
            rest = (values - c).tobytes()
            if rest in known:
                return known[rest] + (f" + {c}" if c > 0 else f" - {-c}")
        for text, vector in terms:
            rest = (values - vector).tobytes()
            if rest in known:
                return f"{text} + {known[rest]}"
        for text, vector in terms:
            rest = (vector - values).tobytes()
            if rest in known:
                return f"{text} - ({known[rest]})" if re.search("[-+]", known[rest]) else f"{text} - {known[rest]}"
        if len(terms) < 700 and three:
            for (a, first), (b, second) in itertools.combinations(terms, 2):
                rest = (values - first - second).tobytes()
                if rest in known:
                    return f"{a} + {b} + {known[rest]}"
    return None


def atoms(observed, letter):
    """Conditions that a tensor's existence may depend on. observed: fields, each with the number of the letter."""
    names = {}
    for fields in observed:
        for name, value in fields.items():
            names.setdefault(name, set()).add(value)
    everywhere = len(observed)
    result = []

    def add(text):
        try:
            vector = tuple(bool(evaluate(text, fields)) for fields in observed)
        except (KeyError, ZeroDivisionError, TypeError):
            return
        if 0 < sum(vector) < everywhere:
            result.append((text, vector))

    numbers = [n for n, v in names.items() if n != letter and all(isinstance(x, int) for x in v) and (len(v) > 1 or sum(n in f for f in observed) < everywhere)
               and not re.search(r"\.\d+$", n)]
    for name in numbers:
        if names[name] <= {0, 1}:
            add(name)
            add(f"not {name}")
        if sum(name in fields for fields in observed) < everywhere:
            add(f"has({name})")
            add(f"not has({name})")
        elif 0 in names[name] and not names[name] <= {0, 1}:
            add(f"{name} > 0")
            add(f"{name} == 0")
        for number in [n for n in WORDS.get(name.rpartition(".")[2], ()) if isinstance(n, int)]:
            add(f"{name} == {number}")
            add(f"{name} != {number}")
    for name, values in names.items():
        if not re.search(r"\.\d+$", name) and any(isinstance(v, str) for v in values) and len(values) > 1:
            for word in sorted(v for v in values if isinstance(v, str) and re.fullmatch(r"[\w.\-]+", v)):
                add(f"is({name}, {word})")
    for name, words in WORDS.items():
        for word in dict.fromkeys(itertools.chain(*(each for each in words if isinstance(each, list)))):
            if f"{name}.#" in names:
                add("(" + " or ".join(f"is({name}.{i}, {word})" for i in range(max(map(len, words)))) + ")")
    for a, b in itertools.combinations(numbers, 2):
        if not names[a] <= {0, 1} and not names[b] <= {0, 1} and re.search("size|dim|heads|width", a) and re.search("size|dim|heads|width", b):
            add(f"{a} != {b}")
            add(f"{a} == {b}")
    if letter:
        add(f"{letter} == 0")
        add(f"{letter} > 0")
        lists = sorted({name.rsplit(".", 1)[0] for name in names if re.search(r"\.\d+$", name)})
        for name in lists:
            words = sorted({v for n, values in names.items() if n.startswith(name + ".") and not n.endswith("#") for v in values}, key=str)
            for word in words:
                if isinstance(word, str):
                    add(f"is({name}.{{{letter}}}, {word})")
                    add(f"not is({name}.{{{letter}}}, {word})")
            if words and all(isinstance(w, int) for w in words):
                add(f"{name}.{{{letter}}} > 0")
                add(f"{name}.{{{letter}}} == 0")
        for name in numbers:
            if names[name] <= {0, 1} and len(names[name]) == 2:
                continue
            for text in (f"{letter} >= {name}", f"{letter} < {name}", f"{letter} % {name} == 0", f"({letter} + 1) % {name} == 0", f"{letter} == {name}",
                         f"{letter} % {name} != 0", f"({letter} + 1) % {name} != 0", f"{letter} < {name} - 1", f"{letter} == {name} - 1"):
                add(text)
        for a, b in itertools.permutations([n for n in numbers if re.search("offset|period", n)], 2):
            add(f"{letter} % {a} == {b}")
            add(f"{letter} % {a} != {b}")
    return result


def condition(observed, present, letter):
    """The simplest condition with which the tensor is present; "" if always, None if none is found."""
    if all(present):
        return ""
    present = tuple(present)
    known = {}
    for text, vector in atoms(observed, letter):
        known.setdefault(vector, text)
    if present in known:
        return known[present]
    array = np.array(present)
    every = [(text, np.array(vector)) for vector, text in known.items()]
    wide = [(t, v) for t, v in every if v[array].all()]        # true where it is present: parts of a conjunction
    for (a, x), (b, y) in itertools.combinations(wide, 2):
        if ((x & y) == array).all():
            return f"{a} and {b}"
    narrow = [(t, v) for t, v in every if not v[~array].any()]  # false where it is absent: parts of a disjunction
    for (a, x), (b, y) in itertools.combinations(narrow, 2):
        if ((x | y) == array).all():
            return f"{a} or {b}"
    for (a, x), (b, y), (c, z) in itertools.combinations(wide[:60], 3):
        if ((x & y & z) == array).all():
            return f"{a} and {b} and {c}"
    for (a, x), (b, y) in itertools.combinations(every[:120], 2):
        both = x | y
        if both[array].all():
            for c, z in wide:
                if ((both & z) == array).all():
                    return f"({a} or {b}) and {c}"
    return None


# ---- names

NUMBER = re.compile(r"(?<![A-Za-z0-9_])\d+(?![A-Za-z0-9_])")


def fixed_numbers(samples):
    """Places of numbers ("encoder.block.#.layer.#": the last one) that are the same in all samples: they stay in the name."""
    seen = {}
    for sample in samples:
        here = {}
        for name in sample.tensors:
            for match in NUMBER.finditer(name):
                here.setdefault(NUMBER.sub("#", name[:match.end()]), set()).add(match.group())
        for place, numbers in here.items():
            seen.setdefault(place, []).append(frozenset(numbers))
    return {place for place, sets in seen.items() if len(set(sets)) == 1}


def pattern_of(name, fixed):
    letters = iter("iejkl")
    numbers = {}

    def letter(match):
        if NUMBER.sub("#", name[:match.end()]) in fixed:
            return match.group()
        word = next(letters)
        numbers[word] = int(match.group())
        return "{" + word + "}"

    return NUMBER.sub(letter, name), numbers


class Failure(Exception):
    pass


def columns_of(observed, own):
    """Numeric fields that all have, those that were varied first."""
    names = [n for n in observed[0] if all(isinstance(f.get(n), int) for f in observed) and len({f[n] for f in observed}) > 1 and not re.search(r"\.\d+$", n)]
    names.sort(key=lambda n: (n not in own and n != "id2label.#", n.endswith(".#")))
    chosen = [n for n in names if n in own or n == "id2label.#"] or names
    derived = [n for n in names if n not in chosen]
    return [{n: np.array([f[n] for f in observed], dtype=np.int64) for n in group} for group in ([chosen, chosen + derived] if derived else [chosen])]


def solved(values, observed, own, three=True):
    every = columns_of(observed, own)
    parts = sorted({name.rpartition(".")[0] for name in every[0] if not name.endswith("#")} - {""})
    for part in parts:  # most tensors of a part depend on its own config
        text = solve(values, {name: column for name, column in every[0].items() if name.rpartition(".")[0] in (part, "")}, (1,), False)
        if text is not None:
            return text
    for columns in every:
        text = solve(values, columns, three=three)
        if text is not None:
            return text
    return None


class Row:
    """One line of the data."""

    def __init__(self, pattern, dims, ranges, when, tied, optional=False):
        self.pattern, self.dims, self.ranges, self.when, self.tied, self.optional = pattern, dims, ranges, when, tied, optional

    @staticmethod
    def parse(line):
        optional = line.startswith("optional ")
        line, _, tied = line.removeprefix("optional ").partition(" tied ")
        line, _, when = line.partition(" when ")
        line, _, ranges = line.partition(" for ")
        pattern, _, dims = line.removesuffix("]").partition(" [")
        target, _, if_ = tied.partition(" if ")
        return Row(pattern, dims.split(", ") if dims else [], [tuple(each.split(" < ")) for each in ranges.split(", ")] if ranges else [], when,
                   (target, if_) if target else None, optional)

    def text(self):
        line = ("optional " if self.optional else "") + f"{self.pattern} [{', '.join(self.dims)}]"
        if self.ranges:
            line += " for " + ", ".join(f"{letter} < {count}" for letter, count in self.ranges)
        if self.when:
            line += f" when {self.when}"
        if self.tied:
            line += f" tied {self.tied[0]}" + (f" if {self.tied[1]}" if self.tied[1] else "")
        return line

    def under(self, prefix):
        return Row(prefix + self.pattern, self.dims, self.ranges, self.when, self.tied and (prefix + self.tied[0], self.tied[1]), self.optional)

    def words(self):
        return set(re.findall(r"[A-Za-z_][\w.{}#]*", " ".join([*self.dims, *(c for _, c in self.ranges), self.when, self.tied[1] if self.tied else ""])))

    def expected(self, fields, found):
        """Adds the names with shape, what they are tied to, and whether they are optional."""
        def each(place, numbers):
            if place == len(self.ranges):
                now = fields | numbers
                if self.when and not evaluate(self.when, now):
                    return
                shape = tuple(evaluate(d, now) for d in self.dims)
                tied = bool(self.tied) and (not self.tied[1] or bool(evaluate(self.tied[1], now)))
                found[name_of(self.pattern, numbers)] = (shape, name_of(self.tied[0], numbers) if tied else None, self.optional)
                return
            letter, count = self.ranges[place]
            for number in range(evaluate(count, fields | numbers)):
                each(place + 1, numbers | {letter: number})
        each(0, {})


def name_of(pattern, numbers):
    return re.sub(r"\{(\w)\}", lambda m: str(numbers.get(m[1], m[0])), pattern)


def rows_of(samples, own):
    fixed = fixed_numbers(samples)
    tables = []
    order = {}
    for sample in samples:
        table = {}
        for name, shape in sample.tensors.items():
            pattern, numbers = pattern_of(name, fixed)
            table.setdefault(pattern, {})[tuple(numbers.values())] = (shape, sample.tied.get(name))
            order.setdefault(pattern, (len(order), list(numbers)))
        tables.append(table)
    counts = {}

    def count_of(start):
        """The number of values of the letter behind a start of a pattern."""
        if start not in counts:
            observed, values = [], []
            for sample, table in zip(samples, tables):
                seen = {}
                for pattern, entries in table.items():
                    if pattern.startswith(start + "{"):
                        depth = start.count("{")
                        for numbers in entries:
                            seen.setdefault(numbers[:depth], set()).add(numbers[depth])
                for numbers in seen.values():
                    if numbers != set(range(max(numbers) + 1)):
                        raise Failure(f"{start}: the numbers have gaps")
                    observed.append(sample.fields)
                    values.append(max(numbers) + 1)
            counts[start] = solved(values, observed, own)
            if counts[start] is None:
                raise Failure(f"{start}: the number of parts is unclear")
        return counts[start]

    rows = []
    for pattern, (_, letters) in sorted(order.items(), key=lambda item: item[1][0]):
        ranges = [(letter, count_of(pattern[:pattern.index("{" + letter + "}")])) for letter in letters]
        first = letters[0] if letters else ""
        observed, present, values, places, ties = [], [], [], [], []
        for sample, table in zip(samples, tables):
            entries = table.get(pattern, {})
            for number in range(evaluate(ranges[0][1], sample.fields)) if first else [None]:
                fields = sample.fields | ({first: number} if first else {})
                observed.append(fields)
                here = [value for numbers, value in entries.items() if not first or numbers[0] == number]
                present.append(bool(here))
                if here:
                    if len({shape for shape, _ in here}) > 1:
                        raise Failure(f"{pattern}: the shape differs between parts")
                    places.append(fields)
                    values.append(here[0][0])
                    ties.append(here[0][1])
        when = condition(observed, present, first)
        if when is None:
            raise Failure(f"{pattern}: the condition is unclear")
        if len({len(shape) for shape in values}) != 1:
            raise Failure(f"{pattern}: the rank differs")
        cases = shapes_of(values, places, own | ({first} if first else set()), first, pattern)
        tied = None
        if any(ties):
            targets = {pattern_of(t, fixed)[0] for t in ties if t}
            if len(targets) > 1:
                raise Failure(f"{pattern}: tied to several")
            if_ = condition(places, [t is not None for t in ties], "")
            if if_ is None:
                raise Failure(f"{pattern}: the tie is unclear")
            if not if_ and pattern == "lm_head.weight" and all("tie_word_embeddings" in f for f in places):
                if_ = "tie_word_embeddings"  # forced in the model's config; the file's may differ
            tied = (targets.pop(), if_)
        for dims, case in cases:
            both = f"({when}) and {case}" if when and case and " or " in when else " and ".join(each for each in (when, case) if each)
            rows.append(Row(pattern, dims, ranges, both, tied, any(name_of(pattern, {}) in sample.optional for sample in samples)))
    return rows


def shapes_of(values, places, own, letter, pattern="", depth=2):
    """The expressions of a shape, each with the condition under which it holds; several only if no single one explains all."""
    dims = [solved([shape[d] for shape in values], places, own, depth == 2) for d in range(len(values[0]))]
    if None not in dims:
        return [(dims, "")]
    unclear = f"{pattern}: dimension {dims.index(None)} is unclear: {[s[dims.index(None)] for s in values][:6]}"
    fewest = 5  # places that decide an expression
    for text, vector in atoms(places, letter) if depth else ():
        if text.startswith("not ") or re.search(" (!=|==|<|>=|%) ", text) or not fewest <= sum(vector) <= len(vector) - fewest:
            continue
        halves = []
        for side in (True, False):
            chosen = [i for i, met in enumerate(vector) if met == side]
            try:
                halves.append(shapes_of([values[i] for i in chosen], [places[i] for i in chosen], own, letter, pattern, depth - 1))
            except Failure:
                break
        if len(halves) == 2:
            return [(dims, " and ".join(each for each in (condition, case) if each))
                    for condition, half in ((text, halves[0]), (f"not {text}", halves[1])) for dims, case in half]
    raise Failure(unclear)


def differs(rows, sample):
    """What the rows give for another config and the model does not have, or the other way round; "" if nothing."""
    found = {}
    for row in rows:
        row.expected(sample.fields, found)
    real = {name: (shape, sample.tied.get(name), name in sample.optional) for name, shape in sample.tensors.items()}
    if found == real:
        return ""
    name = sorted(set(found.items()) ^ set(real.items()), key=str)[0][0]
    return f"{name}: {found.get(name)} instead of {real.get(name)}"


# ---- configs

def names_of_fields(config_class, config):
    names = dict.fromkeys([*(n for n in config.to_dict() if not FIXED.search(n)), "num_labels", "head_dim"])
    names = [n for n in names if n not in (getattr(config_class, "attribute_map", None) or {})]
    for part, inner in parts_of(config).items():
        names.remove(part)
        names += [f"{part}.{name}" for name in names_of_fields(type(inner), inner) if name != "num_labels"]
        if part == TEXT and is_flag(TIE, field_of(config.to_dict(), TIE)) and f"{part}.{TIE}" not in names:
            names.append(f"{part}.{TIE}")
    return names


def start_of(config_class, rng):
    config = config_class()
    given = {}
    for name, value in config.to_dict().items():
        part = parts_of(config).get(name)
        if part is not None:
            given[name] = {"model_type": part.model_type} | start_of(type(part), rng)
        if isinstance(value, dict) or isinstance(value, str):
            continue
        if name in START:
            given[name] = START[name]
        elif not FIXED.search(name) and not isinstance(value, (bool, list, float)) and (value is not None or name == "num_key_value_heads"):
            made = value_for(name, rng)
            if made is not None:
                given[name] = made
    return given


def alternatives(name, config, rng):
    value = field_of(config, name)
    if name in WORDS:
        return WORDS[name]
    if is_flag(name, value):
        return [not value]
    if isinstance(value, list) and value and all(isinstance(v, str) for v in value) and name.endswith(("layer_types", "block_type", "layers_block_type")):
        return []
    made = [value_for(name, rng) for _ in range(12)] if not isinstance(value, (str, dict, list, float)) else []
    made = list(dict.fromkeys(m for m in made if m is not None and m != value))[:3]
    if name.endswith("q_lora_rank") and value is not None:
        made.append(None)
    return made


def kinds_of(config):
    """Lists with one word for each layer, and their words."""
    layers = getattr(config, "num_hidden_layers", None)
    found = {f"{part}.{name}": words for part, inner in parts_of(config).items() for name, words in kinds_of(inner).items()}
    for name, value in config.to_dict().items():
        if isinstance(value, list) and len(value) == layers and value and all(isinstance(v, str) for v in value):
            longer = type(config)().to_dict().get(name) or value
            found[name] = sorted(set(longer) | set(value))
    return found


#: fields of each config that never decide about tensors
NO_FIELDS = {"architectures", "transformers_version", "dtype", "torch_dtype", "id2label", "label2id", "problem_type", "chunk_size_feed_forward", "use_cache",
             "return_dict", "output_hidden_states", "output_attentions", "bos_token_id", "eos_token_id", "pad_token_id", "sep_token_id", "initializer_range",
             "decoder_start_token_id", "task_specific_params", "num_labels"}
WORDS_TO_TRY = """relu gelu silu xielu prelu learned rope alibi relative_key layer_norm layernorm rms_norm rmsnorm batch_norm group layer conv linear mlp mean
first bilinear none full swish absolute rotary add concat""".split()


def leaves(value, parts, start=""):
    found = {}
    for name, inner in value.items():
        if isinstance(inner, dict):
            if name in parts:
                found |= leaves(inner, parts_of(parts[name]), under(start, name) + ".")
        else:
            found[(start.removesuffix(".") + "." if start else "") + name] = inner
    return found


def others_of(value):
    """Other values of a field that nothing else is known of."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, 2 * value, value + 2, 0]
    if isinstance(value, float):
        return [2 * value, value / 2, value + 1]
    if isinstance(value, str):
        return [word for word in WORDS_TO_TRY if word != value]
    if isinstance(value, list):
        if all(isinstance(each, int) for each in value):
            return [[2 * each for each in value], [*value, *value[-1:]], value[:-1], *([[2 * value[0], *value[1:]]] if value else [])]
        return [value[:-1], [*value, *value[-1:]]] if value else []
    return [2, 8, True, 0.5, "relu"] if value is None else []


class Family:
    """A config class: which of its fields matter, and random configs."""

    def __init__(self, config_class, cls, seed, base=None, quick=False, effort=1):
        self.rng, self.effort = random.Random(seed), effort
        self.config_class, self.cls = config_class, cls
        self.varied, self.settled = set(), []
        if base is not None:
            self.start, self.kinds, self.relevant, self.unlisted = base.start, base.kinds, dict(base.relevant), base.unlisted
            self.base = Sample(cls, config_class, self.start)
            self.probe([n for n in names_of_fields(config_class, self.base.config) if n not in self.relevant
                        and (isinstance(field_of(self.base.config, n), bool) or re.search("label|classif|pool|head|proj|summary|embedding|vocab", n))])
            # the whole is tied if a part is: what it is by default shows only if the part's flag has both values
            self.relevant |= {n: True for n in sorted(self.varied) if n.endswith(".tie_word_embeddings")}
            if f"{TEXT}.{TIE}" in self.varied and TIE in self.varied:
                self.relevant[TIE] = True  # idle where the part's flag is set
            return
        for _ in range(20):
            self.start = start_of(config_class, self.rng)
            try:
                self.unlisted = unlisted(cls, config_class, self.start)
                for name, default in self.unlisted.items():
                    if default is not None:
                        self.start[name] = field_of(config_class(**self.start), default) if f"{default}" in self.start else default
                self.base = Sample(cls, config_class, self.start)
                break
            except Exception as error:  # noqa: BLE001: tried again
                last = error
        else:
            raise Failure(f"cannot be built: {type(last).__name__}: {str(last).splitlines()[0][:150] if str(last) else ''}")
        self.kinds = kinds_of(self.base.config)
        self.relevant = {}
        self.probe(names_of_fields(config_class, self.base.config), quick)
        self.relevant |= dict.fromkeys(FOLLOWS.get(config_class.model_type, {}), True)
        if not quick:
            self.settled = self.not_varied()

    def probe(self, names, quick=False):
        """Adds the fields on which the tensors depend. A field may matter only together with others, so that several configs are tried."""
        known = dict(self.relevant)
        variable = {}
        for name in names:
            for value in alternatives(name, self.base.config, self.rng):
                other = self.built(changed(self.start, name, value))
                if other:
                    variable[name] = True
                    break
        self.relevant = known | variable
        self.varied |= set(variable)
        if quick:
            return  # all that can be varied
        bases = [(given, self.built(given)) for given in (self.given() for _ in range(8 * self.effort))]
        bases = [(given, sample) for given, sample in bases if sample][:3 * self.effort]
        found = {}
        for name in variable:
            for given, sample in bases:
                others = [self.built(changed(given, name, value)) for value in alternatives(name, sample.config, self.rng)[:2]]
                if any(other and (other.tensors, other.tied) != (sample.tensors, sample.tied) for other in others):
                    found[name] = True
                    break
        self.relevant = known | found

    def not_varied(self):
        """Fields on which the tensors depend, but that have one value in all configs here: of other values nothing is known."""
        lines = []
        for name in self.unlisted.keys() - self.start.keys():
            others = [self.built(changed(self.start, name, value)) for value in others_of(None)]
            if any(other and other.tensors != self.base.tensors for other in others):
                lines.append(f"require not has({name})")
        for name in sorted(self.relevant):
            words = WORDS.get(name, [])
            if words and isinstance(words[0], list):
                lines.append(f"require not has({name})")  # as one text
            elif name in self.unlisted and words and isinstance(words[0], str):
                lines.append(f"require not has({name}) or " + " or ".join(f"is({name}, {word})" for word in words))
        defaults = self.config_class().to_dict()
        random_state = self.rng.getstate()
        bases = [(given, sample) for given in (self.start, self.given()) if (sample := self.built(given))]
        self.rng.setstate(random_state)
        for name, value in leaves(self.base.config.to_dict(), parts_of(self.base.config)).items():
            word = name.rpartition(".")[2]
            if name in self.varied or name in self.kinds or word in NO_FIELDS or word.startswith("_"):
                continue
            if word == "model_type":
                if "." in name:
                    lines.append(f"only {name} = {value}")
                continue
            behind = self.word_behind(name)
            if behind:  # the flag is known for these words only
                lines.append(f"require has({name}) or not has({behind}) or " + " or ".join(f"is({behind}, {each})" for each in WORDS[behind]))
                continue
            matter, idle = [], []
            for each in others_of(value):
                made = [(self.built(changed(given, name, each)), sample) for given, sample in bases]
                if any(other and (other.tensors, other.tied) != (sample.tensors, sample.tied) for other, sample in made):
                    matter.append(each)
                elif all(other for other, _ in made):
                    idle.append(each)
                if matter and not isinstance(value, str):
                    break
            if not matter:
                continue
            if isinstance(value, str) and idle:
                lines += [f"require not is({name}, {each})" for each in matter]
                continue
            if field_of(defaults, name) != value and name not in self.unlisted:
                lines.append(f"require has({name}{'.#' if isinstance(value, list) else ''})")
            if isinstance(value, list):
                lines += [f"only {name}.# = {len(value)}", *(f"only {name}.{i} = {each}" for i, each in enumerate(value))]
            else:
                lines.append(f"only {name} = {'null' if value is None else int(value) if isinstance(value, bool) else value}")
        return lines

    def word_behind(self, name):
        """The field with the word from which the config computes a flag; "" if there is none."""
        for field, words in WORDS.items():
            if any(isinstance(word, list) for word in words):
                continue
            built = {word: self.built(changed(self.start, field, word)) for word in words if field in self.relevant}
            values = {word: field_of(sample.config, name) for word, sample in built.items() if sample}
            if len(values) == 2 and all(isinstance(value, bool) for value in values.values()) and len(set(values.values())) == 2:
                return field
        return ""

    def built(self, given):
        for name in self.kinds:
            words = field_of(given, name)
            if words:  # as long as there are layers
                layers = field_of(given, under(name.rpartition(".")[0], "num_hidden_layers"))
                given = changed(given, name, (words * 8)[:len(words) if layers is None else layers])
        try:
            return Sample(self.cls, self.config_class, given)
        except Exception:  # noqa: BLE001: these values do not go together
            return None

    def given(self):
        made = dict(self.start)
        for name in self.relevant:
            value = field_of(self.base.config, name)
            if name in WORDS:
                made = changed(made, name, self.rng.choice(WORDS[name]))
            elif is_flag(name, value):
                made = changed(made, name, self.rng.random() < 0.5)
            else:
                drawn = value_for(name, self.rng)
                if drawn is not None:
                    made = changed(made, name, drawn)
                rank = name.endswith("q_lora_rank")
                if self.rng.random() < (0.5 if rank else 0.3) and (value is None or rank):
                    made = changed(made, name, None)
        for name, words in self.kinds.items():
            count = under(name.rpartition(".")[0], "num_hidden_layers")
            layers = field_of(made, count)
            layers = (field_of(self.base.config, count) or 0) if layers is None else layers
            made = changed(made, name, [self.rng.choice(words) for _ in range(layers)])
        return made

    def samples(self, cls, count):
        found = []
        for _ in range(8 * count):
            given = self.given()
            try:
                found.append(Sample(cls, self.config_class, given, self.relevant))
                found[-1].given = given
            except Exception as error:  # noqa: BLE001: these values do not go together
                self.last = error
            if len(found) == count:
                return found
        raise Failure(f"too few configs can be built: {len(found)}; {type(self.last).__name__}: {str(self.last)[:120]}")

    def samples_of_all(self, cls, count):
        """Configs in which also those fields vary that seemed to be idle."""
        state, relevant = self.rng.getstate(), self.relevant
        self.relevant = relevant | dict.fromkeys(sorted(self.varied), True)
        try:
            return self.samples(cls, count)
        finally:
            self.rng.setstate(state)
            self.relevant = relevant

    def around(self, cls):
        """The first config, and those in which one flag differs: a tensor may need several flags as they are by default."""
        flags = [name for name in self.relevant if isinstance(field_of(self.base.config, name), bool)]
        found = []
        for given in (self.start, *(changed(self.start, name, not field_of(self.base.config, name)) for name in flags)):
            with contextlib.suppress(Exception):  # these values do not go together
                found.append(Sample(cls, self.config_class, given, self.relevant))
                found[-1].given = given
        return found


def aliases_of(config):
    """Other names of fields."""
    found = dict(getattr(type(config), "attribute_map", None) or {})
    for part, inner in parts_of(config).items():
        found |= {f"{part}.{alias}": f"{part}.{native}" for alias, native in aliases_of(inner).items()}
    return found


def value_of(family, drawn, name, change):
    """What a field is in configs that are given without it, or with null; None if it is not a number and not an expression of others."""
    if name in FOLLOWS.get(family.config_class.model_type, {}):
        return None
    aliases = aliases_of(family.base.config)
    values, observed = [], []
    for sample in drawn:
        given = sample.given
        for each in [name, *(alias for alias, native in aliases.items() if native == name)]:
            given = changed(given, each)
        given = changed(given, name, *change)
        try:
            config = family.config_class(**completed(family.config_class, given))
        except Exception:  # noqa: BLE001: it is needed, or null is not allowed
            return None
        value = field_of(config.to_dict(), name)
        value = False if value is None and name == f"{TEXT}.{TIE}" else value
        if not isinstance(value, (bool, int)):
            return None
        values.append(int(value))
        observed.append({k: v for k, v in flat(config.to_dict()).items() if k != name and k not in aliases})
    text = solved(values, observed, set(family.relevant) - {name})
    return text or (condition(observed, [bool(v) for v in values], "") if set(values) <= {0, 1} else None)


def defaults_of(family, fields, cls):
    """What a field is if config.json lacks it (`default`), has null (`null`), or either (`let`)."""
    lines = []
    aliases = aliases_of(family.base.config)
    parts = parts_of(family.base.config)
    drawn = family.samples(cls, 8)
    for name in sorted(fields):
        if name in family.unlisted and name in family.start:
            default = family.unlisted[name]
            if not isinstance(default, str) or default in family.start:  # of a word, one that is absent is none of the known
                lines.append(f"default {name} = {int(default) if isinstance(default, bool) else default}")
            continue
        if name == "id2label.#":
            lines.append("let id2label.# = 2")
            continue
        if "." in name and (name.partition(".")[0] not in parts or re.search(r"[{#]", name)):
            continue
        lines += [f"let {name} = {alias}" for alias, native in sorted(aliases.items()) if native == name]
        without = None
        if name.rpartition(".")[2] in NULL_MEANS:
            for sample in drawn:  # a model may set it where it has needs of its own
                with contextlib.suppress(Exception):  # it is needed
                    without = Sample(cls, family.config_class, changed(sample.given, name), family.relevant)
                if without is None or name in without.nulls:
                    break
        if without is not None and name in without.nulls:
            null = without.nulls[name]
        else:
            null = value_of(family, drawn, name, [None])
        absent = value_of(family, drawn, name, [])
        if null is not None and (absent is None or absent == null):
            lines.append(f"let {name} = {null}")
        else:
            lines += [f"{word} {name} = {text}" for word, text in (("default", absent), ("null", null)) if text is not None]
    empty = [name for name, value in drawn[0].config.to_dict().items() if value == [] and name not in ("pruned_heads",)]
    return [*lines, *(f"require not has({name}.0)" for name in empty), *(f"require has({part}.#)" for part in parts), *family.settled]


def classes_of(model_type):
    found = []
    for table in TABLES:
        names = getattr(auto, table, {}).get(model_type, [])
        for name in [names] if isinstance(names, str) else names:
            if name not in found and hasattr(transformers, name):
                found.append(name)
    return found


def globs_of(cls):
    """The names that the class passes over when it loads, as globs; what cannot be said as one is left out."""
    globs = []
    for pattern in getattr(cls, "_keys_to_ignore_on_load_unexpected", None) or []:
        text = pattern.removeprefix("^").removesuffix("$").replace(r"\.", ".").replace(".*", "*").replace(r"\d+", "*").replace("(*)", "*")
        if re.fullmatch(r"[\w.*]+", text):
            globs.append(text if pattern.startswith("^") else "*" + text + ("" if pattern.endswith("$") else "*"))
    return [re.sub(r"\*+", "*", g) for g in globs]


def ignored_of(cls, model_type):
    return list(dict.fromkeys(OLD_BUFFERS + OLD_MASKS.get(model_type, []) + globs_of(cls)))


class Entry:
    def __init__(self, name, model_type, lines, prefix, base, lets, ignored):
        self.name, self.model_type, self.lines, self.prefix, self.base, self.lets, self.ignored = name, model_type, lines, prefix, base, lets, ignored

    def text(self):
        return "\n".join(self.lines)


def inherited_rows(samples, base, start):
    """The rows that a class shares with its base, and those that it lacks; None if they do not fit."""
    kept, lacking = [], []
    for row in [each.under(start) for each in base.all]:
        fits = seen = 0
        for sample in samples:
            found = {}
            row.expected(sample.fields, found)
            seen += any(name in sample.tensors for name in found)
            fits += all((sample.tensors.get(name), sample.tied.get(name), row.optional) == value for name, value in found.items())
        if any(name_of(row.pattern, {}) in sample.optional for sample in samples):
            lacking.append(row)  # which the class has as an optional one
        elif fits == len(samples):
            kept.append(row)
        elif not seen:
            lacking.append(row)
        else:
            return None
    return (kept, lacking) if 3 * len(lacking) < len(kept) else None


def shared_rows(samples, base, cls):
    for start in dict.fromkeys((cls.base_model_prefix + ".", "")) if base is not None else ():
        shared = inherited_rows(samples, base, start)
        if shared and shared[0]:
            return *shared, start
    return [], [], ""


def without(sample, rows):
    found = {}
    for row in rows:
        row.expected(sample.fields, found)
    rest = copy.copy(sample)
    rest.tensors = {name: shape for name, shape in sample.tensors.items() if name not in found}
    return rest


def edges_of(family, cls, rows):
    """Requirements: the small values of numbers at which the model has other tensors than the rows say."""
    lines = []
    bases = [family.start, *(family.given() for _ in range(3))]
    for name in family.relevant:
        if isinstance(field_of(family.base.config, name), bool) or not isinstance(field_of(family.base.config, name), int):
            continue
        for edge in (1, 0):
            samples = []
            for given in bases:
                with contextlib.suppress(Exception):  # these values do not go together
                    samples.append(Sample(cls, family.config_class, changed(given, name, edge), family.relevant))
            try:
                wrong = any(differs(rows, sample) for sample in samples)
            except (KeyError, ZeroDivisionError):
                wrong = True
            if wrong:
                lines.append(f"require {SAVED_AS.get(name, name)} > {edge}")
                break
    return [*lines, *(f"require {name} == {text}" for name, text in FOLLOWS.get(family.config_class.model_type, {}).items())]


def entry_of(name, model_type, base, effort=1):
    """effort: how many times as many configs as usual are tried."""
    cls = getattr(transformers, name)
    family = None
    if base is not None:
        try:
            family = Family(CONFIG_MAPPING[model_type], cls, name, base.family, effort=effort)
        except Exception:  # noqa: BLE001: it has needs of its own
            base = None
    family = family or Family(CONFIG_MAPPING[model_type], cls, name, effort=effort)
    samples = family.samples(cls, SAMPLES * effort)
    further = family.samples(cls, FURTHER * effort) + family.around(cls)
    for _ in range(6):
        kept, lacking, start = shared_rows(samples, base, cls)
        rows = rows_of([without(sample, kept) for sample in samples], set(family.relevant))
        wrong = [(sample, differs(kept + rows, sample)) for sample in [*samples, *further]]
        wrong = [(sample, why) for sample, why in wrong if why]
        if not wrong:
            break
        samples += [sample for sample, _ in wrong]  # found too few of a kind: these decide
        further = family.samples(cls, FURTHER * effort) + family.around(cls)
    else:
        raise Failure("further configs: " + wrong[0][1])
    base = base if kept else None
    every = kept + rows
    for sample in family.samples_of_all(cls, 4 * FURTHER):
        why = differs(every, sample)
        if why:
            raise Failure("a field that seemed to be idle matters: " + why)
    used = set().union(*(row.words() for row in every))
    used |= set().union(*(re.findall(r"[a-z_]+", text) for text in FOLLOWS.get(model_type, {}).values()))
    used = {w for w in used if any(w in s.fields for s in samples)}
    lets = defaults_of(family, used, cls) + edges_of(family, cls, every)
    if base is not None:
        lets = [line for line in lets if line not in base.lets]
    lines = [*lets, *(f"without {row.pattern}" for row in lacking), *(row.text() for row in rows)]
    entry = Entry(name, model_type, lines, start, base.name if base is not None else "", lets, ignored_of(cls, model_type))
    entry.family, entry.all = family, every
    return entry


def entries_of(model_type, report):
    made, base = [], None
    for name in classes_of(model_type):
        for effort in EFFORTS:
            try:
                made.append(entry_of(name, model_type, base, effort))
                base = base or made[-1]
                break
            except Failure as error:
                why = str(error)
            except Exception as error:  # noqa: BLE001: reported
                why = f"{type(error).__name__}: {error}"
        else:
            report(name, why)
    return made


HEADING = f"Written by resources/families/expected_tensors.py from transformers {transformers.__version__}; not by hand."
FIELDS = ("class", "type", "base", "prefix", "ignored")


def text_of(entry):
    return records.block(dict(zip(FIELDS, (entry.name, entry.model_type, entry.base, entry.prefix, " ".join(entry.ignored)))), entry.text())


def recorded_texts(path):
    """The recorded classes by model type."""
    found = {}
    for fields, text in records.read(path, FIELDS):
        found.setdefault(fields["type"], []).append(records.block(fields, text))
    return found


def float32_text():
    """The modules that classes keep in float32, by model type."""
    found = {}
    for table in sorted(name for name in dir(auto) if name.startswith("MODEL_") and name.endswith("MAPPING_NAMES")):
        for model_type, names in getattr(auto, table).items():
            for name in [names] if isinstance(names, str) else names:
                cls = getattr(transformers, name, None)
                if not isinstance(cls, type) or not issubclass(cls, PreTrainedModel):
                    continue
                for key, strict in (("_keep_in_fp32_modules", False), ("_keep_in_fp32_modules_strict", True)):
                    for module in getattr(cls, key, None) or ():
                        found.setdefault((model_type, strict), set()).add(module)
    grouped = {}
    for (model_type, strict), modules in found.items():
        grouped.setdefault((tuple(sorted(modules)), strict), []).append(model_type)
    return records.joined(HEADING, [records.block({"types": " ".join(sorted(types)), "modules": " ".join(modules), "strict": "yes" if strict else ""})
                                    for (modules, strict), types in sorted(grouped.items())])


def check(types, recorded):
    """Finds the records of the types again; those that differ."""
    for model_type in types:
        texts = [text_of(entry) for entry in entries_of(model_type, left_out)]
        yield model_type, "" if texts == recorded.get(model_type, []) else "its records are others"


def recorded_rows(path):
    """Of each recorded class: its type, the names that it passes over, its rows and those of its base."""
    known = {fields["class"]: (fields, text) for fields, text in records.read(path, FIELDS)}

    def rows(name):
        fields, text = known[name]
        made = [row.under(fields.get("prefix", "")) for row in rows(fields["base"])] if fields.get("base") else []
        for line in text.split("\n"):
            if line.startswith("without "):
                made = [row for row in made if row.pattern != line.removeprefix("without ")]
            elif not line.startswith(("let ", "default ", "null ", "require ", "only ")):
                made.append(Row.parse(line))
        return made

    return {name: (fields["type"], fields.get("ignored", ""), rows(name)) for name, (fields, _) in known.items()}


def holds(types, path, count=8):
    """Compares the recorded tensors of each class with those of models with random configs."""
    classes = {}
    for name, (model_type, ignored, rows) in recorded_rows(path).items():
        classes.setdefault(model_type, []).append((name, ignored, rows))
    for model_type in types:
        wrong = []
        for name, ignored, rows in classes.get(model_type, []):
            if ignored != " ".join(ignored_of(getattr(transformers, name), model_type)):
                wrong.append(f"{name}: other names are passed over")
            for quick in (True, False):  # the fields that matter alone, if too few configs can be built otherwise
                try:
                    family = Family(CONFIG_MAPPING[model_type], getattr(transformers, name), f"{name} {transformers.__version__}", quick=quick)
                    wrong += [f"{name}: {why}" for sample in family.samples(family.cls, count) if (why := differs(rows, sample))][:1]
                    break
                except Exception as error:  # noqa: BLE001: reported
                    wrong += [] if quick else [f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}"]
        yield model_type, "; ".join(wrong)


def left_out(name, why):
    print(f"left out: {name}: {why}", file=sys.stderr, flush=True)


def compare(folder, flag, types):
    """Reports each type as it is done; exits with 1 if one differs."""
    path = os.path.join(folder, "expected_tensors.txt")
    wrong = []
    for model_type, why in check(types, recorded_texts(path)) if flag == "--check" else holds(types, path):
        print(f"{model_type}: {why or 'same'}", flush=True)
        wrong += [model_type] if why else []
    with open(path) as text:
        if text.readline() != f"# {HEADING}\n":
            wrong.append("the heading")
    with open(os.path.join(folder, "float32_modules.txt")) as text:
        if text.read() != float32_text():
            wrong.append("float32_modules.txt")
    if wrong:
        sys.exit(f"{path} is not what transformers {transformers.__version__} gives: {' '.join(wrong)}")


def main():
    folder, arguments = sys.argv[1], sys.argv[2:]
    part = next((re.fullmatch(r"(\d+)/(\d+)", a) for a in arguments if "/" in a), None)
    flags = [a for a in arguments if a.startswith("-")]
    only = {a for a in arguments if a not in flags and "/" not in a}
    unknown = only - set(TYPES)
    if unknown or not set(flags) <= {"--check", "--holds"} or len(flags) > 1 or (part and not flags):
        sys.exit(__doc__)
    types = [model_type for model_type in TYPES if not only or model_type in only]
    if flags:
        return compare(folder, flags[0], types[int(part[1]) - 1::int(part[2])] if part else types)
    path = os.path.join(folder, "expected_tensors.txt")
    if only:  # of one release only, which the heading names
        with open(path) as text:
            if text.readline() != f"# {HEADING}\n":
                sys.exit(f"The other types are of another release than transformers {transformers.__version__}: write all of them")
    recorded = recorded_texts(path) if only else {}
    texts = []
    for model_type in TYPES:
        texts += [text_of(entry) for entry in entries_of(model_type, left_out)] if model_type in types else recorded.get(model_type, [])
    for name, text in (("expected_tensors.txt", records.joined(HEADING, texts)), ("float32_modules.txt", float32_text())):
        with open(os.path.join(folder, name), "w") as out:
            out.write(text)


if __name__ == "__main__":
    main()
