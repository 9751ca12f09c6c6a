// SPDX-License-Identifier: Apache-2.0
#include "core/plan/request_fields.h"

#include "core/base/quantity.h"
#include "core/base/split_text.h"
#include "core/plan/trainers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace cairn {
namespace {

using enum JobKind;

constexpr JobKinds kAll(Consolidate, Fold, Convert, Reshard, Export, Cast, Rename, Average, Pack,
                        Unpack);
/// Those that write a checkpoint in a format of the user's choice.
constexpr JobKinds kConversions(Consolidate, Fold, Convert, Reshard, Cast, Rename, Average, Unpack);
constexpr JobKinds kSelecting(Consolidate, Reshard, Cast, Rename, Average, Unpack);
constexpr JobKinds kCasting(Consolidate, Fold, Reshard, Cast, Rename, Average);
constexpr JobKinds kChanging(Consolidate, Reshard, Cast, Rename, Average);
constexpr JobKinds kNaming(Consolidate, Fold, Convert, Cast, Rename, Average);
constexpr JobKinds kSigned(Consolidate, Fold, Convert, Reshard, Cast, Rename);

/// The shortest text that reads back as the same number.
std::string numberText(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end.ptr};
}

std::string sizeText(std::uint64_t bytes) {
    constexpr std::uint64_t kGigabyte = 1'000'000'000;
    constexpr std::uint64_t kMegabyte = 1'000'000;
    if (bytes % kGigabyte == 0) {
        return std::to_string(bytes / kGigabyte) + "GB";
    }
    return bytes % kMegabyte == 0 ? std::to_string(bytes / kMegabyte) + "MB"
                                  : std::to_string(bytes);
}

std::string switchText(bool on) {
    return on ? "true" : "";
}

template <class Range, class Text>
std::string joined(const Range& range, std::string_view separator, const Text& text) {
    std::string all;
    for (const auto& each : range) {
        all += (all.empty() ? std::string() : std::string(separator)) + text(each);
    }
    return all;
}

Result<void> setLevel(JobRequest& request, std::string_view text) {
    constexpr int kHighestLevel = 19;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), request.level);
    if (error != std::errc() || end != text.data() + text.size() || request.level < 1 ||
        request.level > kHighestLevel) {
        return fail(ErrorCode::InvalidArgument, "Invalid compression level")
            .butFound(verbatim(std::string(text)))
            .expecting(sentence("1 to %1", kHighestLevel));
    }
    return {};
}

std::string ranksText(const JobRequest& request) {
    return joined(request.sharding.axes, "x",
                  [](const ShardAxis& axis) { return std::to_string(axis.ranks); });
}

bool hasGrid(const JobRequest& request) {
    return request.sharding.axes.size() > 1;
}

/// --ranks, --grid and --dim describe the axes together, and are set in this order: each is read
/// with what is known of the others.
Result<void> setAxes(JobRequest& request, std::string_view ranks, std::string_view grid,
                     std::string_view dim) {
    CAIRN_TRY(request.sharding.axes, parseShardAxes(ranks, grid, dim));
    return {};
}

template <bool JobRequest::*kMember> std::string getSwitch(const JobRequest& request) {
    return switchText(request.*kMember);
}
template <bool JobRequest::*kMember>
Result<void> setSwitch(JobRequest& request, std::string_view /*text*/) {
    request.*kMember = true;
    return {};
}
template <std::string JobRequest::*kMember> std::string getText(const JobRequest& request) {
    return request.*kMember;
}
template <std::string JobRequest::*kMember>
Result<void> setText(JobRequest& request, std::string_view text) {
    request.*kMember = text;
    return {};
}
template <Location JobRequest::*kMember> std::string getPlace(const JobRequest& request) {
    return (request.*kMember).path().string();
}
template <Location JobRequest::*kMember>
Result<void> setPlace(JobRequest& request, std::string_view text) {
    request.*kMember = std::string(text);
    return {};
}
/// The same of a text that has a word for its default.
template <std::string JobRequest::*kMember>
std::string getTextUnlessDefault(const JobRequest& request) {
    return request.*kMember == JobRequest().*kMember ? std::string() : request.*kMember;
}

Result<void> setSelection(JobRequest& request, std::string_view text) {
    Selection selection = Selection::parse(text);
    request.only.kind = selection.kind;
    request.only.glob = std::move(selection.glob);
    return {};
}

constexpr auto kFields = std::to_array<RequestField>({
    {.name = "output",
     .letter = 'o',
     .value = FieldValue::Place,
     .placeholder = "OUT",
     .help = "Output file or folder; must not exist",
     .record = FieldRecord::Never,
     .kinds = kAll,
     .required = kAll,
     .get = getPlace<&JobRequest::output>,
     .set = setPlace<&JobRequest::output>},
    {.name = "to",
     .value = FieldValue::Format,
     .placeholder = "FORMAT",
     .help = "Format of the output, as `cairn-cli formats` lists them; default: safetensors; dcp "
             "for --ranks; gguf for its dtypes; the source's for cast and rename; by the ending of "
             "OUT for unpack",
     .byDefault = "safetensors",
     .record = FieldRecord::Always,
     .kinds = kConversions,
     .get = getText<&JobRequest::to>,
     .set = setText<&JobRequest::to>},
    {.name = "only",
     .placeholder = "WHAT",
     .help = "weights, all, or a GLOB of full names; default: weights; all for reshard, cast, "
             "rename and unpack, and with --strip",
     .choices = "weights all",
     .byDefault = "weights",
     .record = FieldRecord::Always,
     .kinds = kSelecting,
     .get =
         [](const JobRequest& request) {
             return request.only.kind == Selection::Kind::Auto ? std::string()
                                                               : request.only.text();
         },
     .set = setSelection},
    {.name = "tensor",
     .letter = 't',
     .placeholder = "GLOB",
     .help = "Full names of tensors (*, ?, {a,b}); default: all",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Export),
     .get =
         [](const JobRequest& request) {
             return request.only.kind == Selection::Kind::Glob ? request.only.glob : std::string();
         },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         request.only.kind = Selection::Kind::Glob;
         request.only.glob = text;
         return {};
     }},
    {.name = "dtype",
     .value = FieldValue::Dtype,
     .placeholder = "DTYPE",
     .help = "keep (default), cast floats to bf16, fp16, fp32, float64, float8_e4m3fn, "
             "float8_e5m2, …, or quantise matrices with scales: q8_0, q4_0 (GGUF), fp8, "
             "fp8_tensor, fp8_block (as vLLM reads them); `plan` shows the error that this causes, "
             "also of q4_k and int8",
     .choices = "keep bf16 fp16 fp32 float64 float8_e4m3fn float8_e5m2 fp8 fp8_tensor fp8_block "
                "q8_0 q4_0",
     .byDefault = "keep",
     .record = FieldRecord::Always,
     .kinds = kCasting,
     .required = JobKinds(Cast),
     .get = getTextUnlessDefault<&JobRequest::dtype>,
     .set = setText<&JobRequest::dtype>},
    {.name = "keep-fp32",
     .placeholder = "GLOB",
     .help = "Full names of floats to write as float32; repeatable",
     .join = ';',
     .kinds = kCasting,
     .get =
         [](const JobRequest& request) {
             return joined(request.keepFp32, ";", [](const std::string& glob) { return glob; });
         },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         request.keepFp32 = splitText(text, ';');
         return {};
     }},
    {.name = "strip",
     .placeholder = "ROLES",
     .help = "Roles to leave out: optimizer,ema,scheduler,rng,training_state",
     .choices = "optimizer ema scheduler rng training_state",
     .join = ',',
     .kinds = kSelecting,
     .get = [](const JobRequest& request) { return rolesText(request.only.without); },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         CAIRN_TRY(request.only.without, parseRoles(text));
         return {};
     }},
    {.name = "force",
     .value = FieldValue::Switch,
     .help =
         "Write even if refused as doubtful: parts of different saves, shards that could not "
         "be merged, damaged values (left out), a bundle that its library would not load. Never "
         "replaces an existing file",
     .kinds =
         JobKinds(Consolidate, Fold, Convert, Reshard, Export, Cast, Rename, Average, Pack, Unpack),
     .get = getSwitch<&JobRequest::force>,
     .set = setSwitch<&JobRequest::force>},
    {.name = "require",
     .value = FieldValue::Choice,
     .placeholder = "WHAT",
     .help = "loadable: write only what is known to load, the tensors of the class that "
             "config.json names; resumable, with --for: only a state from which training continues "
             "exactly, apart from random numbers and the order of the data",
     .choices = "loadable", // resumable is of convert alone; the window has a box for one choice
     .kinds = JobKinds(Consolidate, Fold, Convert, Cast, Rename),
     .get =
         [](const JobRequest& request) {
             return std::string(request.mustResume ? "resumable"
                                : request.mustLoad ? "loadable"
                                                   : "");
         },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         if (text != "loadable" && text != "resumable") {
             return fail(ErrorCode::InvalidArgument, "Unknown requirement")
                 .butFound(verbatim(std::string(text)))
                 .expecting("loadable, or resumable");
         }
         request.mustLoad = text == "loadable";
         request.mustResume = text == "resumable";
         return {};
     }},
    {.name = "bundle",
     .value = FieldValue::Switch,
     .help = "Write a folder with config and tokenizer files beside the weights",
     .kinds = JobKinds(Consolidate, Average),
     .get = getSwitch<&JobRequest::bundle>,
     .set = setSwitch<&JobRequest::bundle>},
    {.name = "cast-all",
     .value = FieldValue::Switch,
     .help = "Also cast norms, buffers and training state",
     .kinds = kChanging,
     .get = getSwitch<&JobRequest::castAll>,
     .set = setSwitch<&JobRequest::castAll>},
    {.name = "dequantize",
     .value = FieldValue::Switch,
     .help = "Compute quantised weights from codes and scales: in the dtype of --dtype, else in "
             "that of their library (bf16 where it has none)",
     .kinds = kCasting,
     .get = getSwitch<&JobRequest::dequantize>,
     .set = setSwitch<&JobRequest::dequantize>},
    {.name = "rename",
     .placeholder = "RULES",
     .help = "FROM=TO;…, a file of such lines, or strip-prefixes; FROM is a prefix of a name or a "
             "regular expression ($1 or \\1 in TO); repeatable",
     .join = '\n',
     .kinds = kChanging,
     .required = JobKinds(Rename),
     .get = [](const JobRequest& request) { return request.rename.text(); },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         CAIRN_TRY(request.rename, NameRules::parse(text));
         return {};
     }},
    {.name = "adapter",
     .value = FieldValue::Place,
     .placeholder = "PATH[=SCALE]",
     .help = "Fold this adapter (PEFT's LoRA) into the weights, its changes times SCALE; "
             "repeatable, in order",
     .join = '\n',
     .kinds = JobKinds(Consolidate, Fold),
     .get =
         [](const JobRequest& request) {
             return joined(request.adapters, "\n", [](const RequestAdapter& adapter) {
                 return adapter.place.path().string() + "=" + numberText(adapter.scale);
             });
         },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         request.adapters.clear();
         std::ranges::transform(splitText(text, '\n'), std::back_inserter(request.adapters),
                                adapterOf);
         return {};
     }},
    {.name = "round-changes",
     .value = FieldValue::Switch,
     .help = "Round an adapter's changes to the weights' dtype before adding them, as PEFT's "
             "safe_merge",
     .kinds = JobKinds(Consolidate, Fold),
     .get = getSwitch<&JobRequest::roundsChanges>,
     .set = setSwitch<&JobRequest::roundsChanges>},
    {.name = "names",
     .value = FieldValue::Choice,
     .placeholder = "NAMES",
     .help = "Names and layout of a model family: hf (default with --bundle: as save_pretrained "
             "writes them), gguf (default with --to gguf: llama.cpp's, with metadata and "
             "tokenizer), megatron, native, torchtune, litgpt, or keep",
     .choices = "hf gguf megatron native torchtune litgpt keep",
     .kinds = kNaming,
     .get = getTextUnlessDefault<&JobRequest::names>,
     .set = setText<&JobRequest::names>},
    {.name = "for",
     .value = FieldValue::Choice,
     .placeholder = "TRAINER",
     .help =
         "Write the complete training state as this trainer keeps it: torch (one file), fsdp2 "
         "and torchtitan (DCP folders), lightning (one .ckpt), lightning-fsdp (its folder with "
         "meta.pt), trainer (a checkpoint-N folder of transformers), accelerate (the folder of "
         "save_state), deepspeed (a universal checkpoint), megatron (Megatron-core's torch_dist, "
         "of models of the GPT-2 and Llama families), orbax (a step folder of "
         "CheckpointManager), flax (one file), tensorflow (a checkpoint with its object graph, "
         "from one of TensorFlow or with --like, else loaded by name), keras (a .weights.h5 of "
         "Keras 3)",
     .choices = kTrainerChoices,
     .kinds = JobKinds(Convert),
     .get = getText<&JobRequest::trainer>,
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         if (findTrainer(text) == nullptr) {
             return fail(ErrorCode::InvalidArgument, "Unknown trainer")
                 .inField("--for")
                 .butFound(verbatim(std::string(text)))
                 .expecting(fixedText(kTrainerChoices));
         }
         request.trainer = text;
         return {};
     }},
    {.name = "like",
     .value = FieldValue::Place,
     .placeholder = "FOLDER",
     .help =
         "Take config, tokenizer, vocabulary and generation settings from the folder of a base "
         "model or an earlier export, before those around SRC; implies --bundle. With --for keras "
         "and --for tensorflow: a checkpoint of that kind that the same program saved, whose "
         "names are used",
     .kinds = JobKinds(Consolidate, Fold, Convert, Reshard, Cast, Rename, Average),
     .get = getPlace<&JobRequest::like>,
     .set = setPlace<&JobRequest::like>},
    {.name = "family",
     .placeholder = "NAME",
     .help = "Model family for --names, if no config names it: llama, qwen3, mixtral, …",
     .kinds = kNaming,
     .get = getText<&JobRequest::family>,
     .set = setText<&JobRequest::family>},
    {.name = "weights",
     .placeholder = "W,W,…",
     .help = "The weight of each checkpoint; default: equal weights",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Average),
     .get = [](const JobRequest& request) { return joined(request.weights, ",", numberText); },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         CAIRN_TRY(request.weights, parseWeights(text));
         return {};
     }},
    {.name = "ranks",
     .placeholder = "N",
     .help = "Split every tensor over this many ranks (dcp), or write this many files",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Convert, Reshard),
     .get =
         [](const JobRequest& request) {
             return hasGrid(request) ? std::string() : ranksText(request);
         },
     .set = [](JobRequest& request,
               std::string_view text) { return setAxes(request, text, "", ""); }},
    {.name = "grid",
     .placeholder = "RxC",
     .help = "A grid of ranks: 4x2 splits dimension 0 into 4 and dimension 1 into 2",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Reshard),
     .get =
         [](const JobRequest& request) {
             return hasGrid(request) ? ranksText(request) : std::string();
         },
     .set = [](JobRequest& request,
               std::string_view text) { return setAxes(request, ranksText(request), text, ""); }},
    {.name = "dim",
     .placeholder = "D",
     .help = "The dimension to split: 0 (default), -1, or 0,1 for the axes of a grid",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Reshard),
     .get =
         [](const JobRequest& request) {
             return joined(request.sharding.axes, ",",
                           [](const ShardAxis& axis) { return std::to_string(axis.dim); });
         },
     .set =
         [](JobRequest& request, std::string_view text) {
             const std::string ranks = ranksText(request);
             return hasGrid(request) ? setAxes(request, "", ranks, text)
                                     : setAxes(request, ranks, "", text);
         }},
    {.name = "per-layer",
     .value = FieldValue::Switch,
     .help = "Write one file per layer (safetensors)",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Reshard),
     .get = [](const JobRequest& request) { return switchText(request.sharding.perLayer); },
     .set = [](JobRequest& request, std::string_view /*text*/) -> Result<void> {
         request.sharding.perLayer = true;
         return {};
     }},
    {.name = "max-shard-size",
     .placeholder = "SIZE",
     .help = "Maximum size of a shard: 5GB, 500MB",
     .record = FieldRecord::Never,
     .kinds = kConversions,
     .get =
         [](const JobRequest& request) {
             return request.maxShardBytes == 0 ? std::string() : sizeText(request.maxShardBytes);
         },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         CAIRN_TRY(request.maxShardBytes, parseSize(text));
         return {};
     }},
    {.name = "device",
     .value = FieldValue::Choice,
     .placeholder = "DEVICE",
     .help = "Device for computing: auto (default), cpu or cuda:0",
     .choices = "auto cpu cuda:0",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Consolidate, Convert, Reshard, Cast, Rename, Average),
     .get = getTextUnlessDefault<&JobRequest::device>,
     .set = setText<&JobRequest::device>},
    {.name = "level",
     .placeholder = "N",
     .help = "Compression level: 1 (default, fast) to 19 (slow)",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Pack),
     .get =
         [](const JobRequest& request) {
             return request.level == JobRequest().level ? std::string()
                                                        : std::to_string(request.level);
         },
     .set = setLevel},
    {.name = "delta",
     .value = FieldValue::Place,
     .placeholder = "EARLIER",
     .help = "Store only the difference to this checkpoint, which must remain in place",
     .record = FieldRecord::Never,
     .kinds = JobKinds(Pack),
     .get = getPlace<&JobRequest::earlier>,
     .set = setPlace<&JobRequest::earlier>},
    {.name = "sign",
     .value = FieldValue::Place,
     .placeholder = "KEY",
     .help = "Sign the output with this private key (P-256, P-384 or P-521, PEM): writes model.sig",
     .record = FieldRecord::Never,
     .kinds = kSigned,
     .get = [](const JobRequest& request) { return request.trust.signKey.path().string(); },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         request.trust.signKey = std::string(text);
         return {};
     }},
    {.name = "sign-cert",
     .value = FieldValue::Place,
     .placeholder = "CHAIN",
     .help = "With --sign: PEM file with the key's certificate and its issuers",
     .record = FieldRecord::Never,
     .kinds = kSigned,
     .get = [](const JobRequest& request) { return request.trust.certificate.path().string(); },
     .set = [](JobRequest& request, std::string_view text) -> Result<void> {
         request.trust.certificate = std::string(text);
         return {};
     }},
    {.name = "provenance",
     .value = FieldValue::Switch,
     .help = "Write provenance.json (SLSA v1) with the SHA-256 of every source file; reads the "
             "source again",
     .record = FieldRecord::Never,
     .kinds = kSigned,
     .get = [](const JobRequest& request) { return switchText(request.trust.provenance); },
     .set = [](JobRequest& request, std::string_view /*text*/) -> Result<void> {
         request.trust.provenance = true;
         return {};
     }},
    {.name = "bom",
     .value = FieldValue::Switch,
     .help = "Write bom.cdx.json: a bill of materials of the model (CycloneDX 1.6)",
     .record = FieldRecord::Never,
     .kinds = kSigned,
     .get = [](const JobRequest& request) { return switchText(request.trust.bom); },
     .set = [](JobRequest& request, std::string_view /*text*/) -> Result<void> {
         request.trust.bom = true;
         return {};
     }},
});

} // namespace

std::vector<std::string> RequestField::values(const JobRequest& request) const {
    const std::string text = get(request);
    return join == '\n'   ? splitText(text, join)
           : text.empty() ? std::vector<std::string>()
                          : std::vector<std::string>{text};
}

std::span<const RequestField> requestFields() {
    return kFields;
}

const RequestField* findRequestField(std::string_view name) {
    const auto found = std::ranges::find(kFields, name, &RequestField::name);
    return found == kFields.end() ? nullptr : found;
}

Result<void> setField(JobRequest& request, std::string_view name, std::string_view text) {
    const RequestField* field = findRequestField(name);
    if (field == nullptr || !field->kinds.contains(request.kind)) {
        return fail(ErrorCode::InvalidArgument, "The job does not have this option")
            .inField("--" + std::string(name))
            .butFound(verbatim(std::string(jobKindName(request.kind))));
    }
    return field->set(request, text);
}

} // namespace cairn
