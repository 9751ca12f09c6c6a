// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/members.h"

#include "core/model/names/role_words.h"
#include "core/model/names/shard_name.h"
#include "core/model/names/tokens.h"
#include "core/model/names/vocabulary.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace cairn::formats::huggingface {
namespace {

using Stems = std::span<const std::string_view>;

/// Stems of files that hold a complete model, the most usual first; and of those that hold an
/// adapter.
constexpr auto kModelStems =
    std::to_array<std::string_view>({"model", "pytorch_model", "diffusion_pytorch_model"});
constexpr auto kAdapterStems =
    std::to_array<std::string_view>({"adapter_model", "pytorch_lora_weights"});
constexpr std::string_view kAdapterConfig = "adapter_config.json";

bool isOneOf(Stems stems, std::string_view stem) {
    return std::ranges::find(stems, stem) != stems.end();
}

constexpr auto kPrecisions = std::to_array<std::string_view>(
    {"fp32", "fp16", "bf16", "fp8", "f32", "f16", "float32", "float16", "bfloat16", "half", "int8",
     "int4", "8bit", "4bit"});

struct KnownState {
    std::string_view stem; ///< also with "_<number>" after it
    Role role;
};
constexpr auto kKnownStates = std::to_array<KnownState>({
    {"optimizer", Role::Optimizer},
    {"scheduler", Role::Scheduler},
    {"lr_scheduler", Role::Scheduler},
    {"rng_state", Role::Rng},
    {"random_states", Role::Rng},
    {"scaler", Role::TrainingState},
    {"training_args", Role::TrainingState},
    {"sampler", Role::TrainingState},
    {"dl_state_dict", Role::TrainingState},
    {"custom_checkpoint", Role::Other},
    {"model", Role::Weight}, // accelerate's second model: model_1.safetensors
    {"pytorch_model", Role::Weight},
    {"adapter_model", Role::Weight},
});

std::string_view extensionOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

const KnownState* knownState(std::string_view stem) {
    const auto found =
        std::ranges::find(kKnownStates, names::withoutNumber(stem), &KnownState::stem);
    return found == kKnownStates.end() ? nullptr : &*found;
}

bool isPickleName(std::string_view name) {
    const std::string_view extension = extensionOf(name);
    return extension == ".pt" || extension == ".pth" || extension == ".bin" || extension == ".pkl";
}

bool isAverageStem(std::string_view stem) {
    const std::string_view word = stem.substr(stem.rfind('.') + 1);
    return word != "non_ema" && (names::roleOfKey(word) == Role::Ema || names::isAverageKey(word));
}

bool hasEntry(std::span<const FolderEntry> entries, std::string_view name) {
    return std::ranges::any_of(entries,
                               [&](const FolderEntry& entry) { return entry.name == name; });
}

/// What accelerate's save_state leaves, also where a hook of the program saved the models by
/// itself. With DeepSpeed or Megatron after it, it is a folder of theirs.
bool isSavedState(std::span<const FolderEntry> entries) {
    return hasEntry(entries, "random_states_0.pkl") && !hasEntry(entries, "latest") &&
           !hasEntry(entries, "latest_checkpointed_iteration.txt");
}

/// "step_100", "checkpoint-5", "epoch3": a checkpoint of a run, not a part of one.
bool hasPositionInName(std::string_view name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits == name.size()) {
        return name.starts_with("checkpoint-"); // "checkpoint-best"
    }
    const std::string word = names::wordBefore(name, digits);
    return names::means(word, names::Meaning::Position) ||
           names::means(word, names::Meaning::Epoch);
}

/// "run_3_b" -> "run_#_b".
std::string withoutNumbers(std::string_view name) {
    std::string like;
    for (const char c : name) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit || !like.ends_with('#')) {
            like += digit ? '#' : c;
        }
    }
    return like;
}

/// "2_Dense": a module of a sentence-transformers model that has weights of its own.
bool isNumberedModule(std::string_view name) {
    const std::size_t digits = name.find_first_not_of("0123456789");
    return digits != std::string_view::npos && digits > 0 && name[digits] == '_';
}

bool isFolderOfFsdpWeights(const FolderEntry& entry) {
    return entry.kind == EntryKind::Folder && entry.name.starts_with("pytorch_model_fsdp_");
}

/// "model.fp16.safetensors" -> true for stem "model" and extension ".safetensors"; one shard of a
/// variant ("model.fp16-00001-of-00002.safetensors") is not the whole of it.
bool isVariant(std::string_view name, std::string_view stem, std::string_view extension) {
    return !splitShardName(name) && name.size() > stem.size() + 1 + extension.size() &&
           name.starts_with(stem) && name[stem.size()] == '.' && name.ends_with(extension) &&
           std::ranges::count(name, '.') == 2;
}

class Chooser {
public:
    explicit Chooser(std::span<const FolderEntry> entries) : m_entries(entries) {}

    /// A model comes before the adapter that was trained on it. FSDP's save of a model with an
    /// adapter holds that adapter once more.
    std::optional<WeightSource> choose() const {
        if (auto source = model()) {
            return source;
        }
        auto source = adapter();
        return source ? std::move(source) : last();
    }

    std::optional<WeightSource> model() const {
        // transformers looks in this order, too: one file, then an index, safetensors before
        // pickles.
        for (const std::string_view extension : {".safetensors", ".bin"}) {
            for (const auto find : {&Chooser::single, &Chooser::indexed, &Chooser::variant,
                                    &Chooser::variantIndex, &Chooser::shards}) {
                if (auto source = (this->*find)(extension, kModelStems)) {
                    return source;
                }
            }
        }
        return std::nullopt;
    }

    std::optional<WeightSource> adapter() const {
        for (const std::string_view extension : {".safetensors", ".bin"}) {
            for (const auto find : {&Chooser::single, &Chooser::variant}) {
                if (auto source = (this->*find)(extension, kAdapterStems)) {
                    return source;
                }
            }
        }
        return std::nullopt;
    }

private:
    std::optional<WeightSource> last() const {
        for (const FolderEntry& entry : m_entries) {
            if (entry.name == "consolidated.safetensors" ||
                entry.name == "pytorch_model_fsdp.bin" || entry.name == "pytorch_model_fsdp_0") {
                return WeightSource{{}, {entry.name}, {}};
            }
        }
        return std::nullopt;
    }

    template <class Test> const FolderEntry* first(Test test) const {
        const auto found = std::ranges::find_if(m_entries, [&](const FolderEntry& entry) {
            return entry.kind != EntryKind::Folder && test(entry.name);
        });
        return found == m_entries.end() ? nullptr : &*found;
    }

    std::optional<WeightSource> single(std::string_view extension, Stems stems) const {
        for (const std::string_view stem : stems) {
            const std::string name = std::string(stem) + std::string(extension);
            if (first([&](const std::string& entry) { return entry == name; }) != nullptr) {
                return WeightSource{{}, {name}, {}};
            }
        }
        return std::nullopt;
    }
    std::optional<WeightSource> indexed(std::string_view extension, Stems stems) const {
        const std::string ending = std::string(extension) + ".index.json";
        const FolderEntry* entry = nullptr;
        for (const std::string_view stem : stems) { // Mistral's own index may be beside it
            entry = entry != nullptr ? entry : first([&](const std::string& name) {
                return name == std::string(stem) + ending;
            });
        }
        if (entry == nullptr) {
            entry = first([&](const std::string& name) { return name.ends_with(ending); });
        }
        return entry == nullptr ? std::nullopt : std::optional(WeightSource{entry->name, {}, {}});
    }
    std::optional<WeightSource> variant(std::string_view extension, Stems stems) const {
        for (const std::string_view stem : stems) {
            const FolderEntry* entry =
                first([&](const std::string& name) { return isVariant(name, stem, extension); });
            if (entry != nullptr) {
                return WeightSource{{}, {entry->name}, {}};
            }
        }
        return std::nullopt;
    }
    std::optional<WeightSource> variantIndex(std::string_view extension, Stems /*stems*/) const {
        const std::string part = std::string(extension) + ".index.";
        const FolderEntry* entry = first([&](const std::string& name) {
            return name.find(part) != std::string::npos && name.ends_with(".json");
        });
        return entry == nullptr ? std::nullopt : std::optional(WeightSource{entry->name, {}, {}});
    }

    /// Shards whose index is missing: the largest set of one base and count.
    std::optional<WeightSource> shards(std::string_view extension, Stems /*stems*/) const {
        std::map<std::pair<std::string, std::uint32_t>, std::vector<std::string>> sets;
        for (const FolderEntry& entry : m_entries) {
            const auto parts = splitShardName(entry.name);
            const bool mine =
                parts && parts->suffix == extension && !parts->base.starts_with("shard-");
            if (mine && entry.kind != EntryKind::Folder) {
                sets[{std::string(parts->base), parts->count}].push_back(entry.name);
            }
        }
        if (sets.empty()) {
            return std::nullopt;
        }
        const auto largest =
            std::ranges::max_element(sets, {}, [](const auto& set) { return set.second.size(); });
        return WeightSource{
            {}, largest->second, largest->first.first + std::string(extension) + ".index.json"};
    }

    std::span<const FolderEntry> m_entries;
};

/// Weights that the chosen ones make superfluous.
bool looksLikeWeights(std::string_view name) {
    const auto parts = splitShardName(name);
    const std::string_view extension = extensionOf(name);
    if (extension == ".safetensors" || name.ends_with(".h5") || name.ends_with(".msgpack")) {
        return true;
    }
    const std::string_view stem = name.substr(0, name.find('.'));
    const bool whole = isOneOf(kModelStems, stem) || isOneOf(kAdapterStems, stem);
    if (extension != ".bin" && extension != ".pth") {
        return extension == ".pt" && whole;
    }
    return whole || parts.has_value() || stem == "consolidated" || stem == "pytorch_model_fsdp";
}

bool isDocument(std::string_view name) {
    return name == "config.json" || name == "trainer_state.json" || name == "model_index.json" ||
           (name.ends_with("_config.json") && name != "tokenizer_config.json");
}

void sortFolder(Members& members, const FolderEntry& entry) {
    const KnownState* known = knownState(entry.name);
    if (isFolderOfFsdpWeights(entry)) {
        members.states.push_back({entry.name, entry.name, Role::Weight, true, false, true});
    } else if (known != nullptr && known->role == Role::Optimizer) {
        members.states.push_back({entry.name, entry.name, Role::Optimizer, true, false, true});
    } else if (entry.name.starts_with("global_step")) {
        members.unread.push_back(entry.name);
    } else if (members.pipeline || (members.savedState && !members.weights) ||
               (members.modules && isNumberedModule(entry.name))) {
        const Role role = isAverageStem(entry.name) ? Role::Ema : Role::Weight;
        members.states.push_back({entry.name, entry.name, role, true, true, false});
    } else if (!hasPositionInName(entry.name) && !entry.name.starts_with('.')) {
        members.folders.push_back(entry.name);
    }
}

/// The weights that were chosen are an adapter's: what is beside them may be the model.
bool areAdapter(const WeightSource& weights) {
    return weights.index.empty() &&
           isOneOf(kAdapterStems, weights.files.front().substr(0, weights.files.front().find('.')));
}

/// True for one whole file whose tensors may be others than the chosen ones. What is a copy by
/// its name alone (a shard, another framework's, Mistral's and FSDP's own) is not opened.
bool mayHoldOthers(const Members& members, std::string_view name) {
    const bool known = name.starts_with("consolidated") || name.starts_with("pytorch_model_fsdp");
    const bool beside = members.weights && !areAdapter(*members.weights);
    return !members.pipeline && !splitShardName(name) && !name.ends_with(".h5") &&
           !name.ends_with(".msgpack") && !(known && beside);
}

void sortFile(Members& members, const FolderEntry& entry) {
    const std::string stem = stemOf(entry.name);
    const KnownState* known = knownState(stem);
    const bool second = known != nullptr && names::withoutNumber(stem) != stem;
    const bool state = known != nullptr && (second || known->role != Role::Weight);
    const bool adapter = members.adapter || (members.weights && areAdapter(*members.weights));
    members.trainer = members.trainer || entry.name == "trainer_state.json";
    if (isDocument(entry.name)) {
        members.documents.push_back(entry.name);
    } else if (stem == "adapter_model" && adapter && isPickleName(entry.name)) {
        members.copies.push_back(entry.name); // the same adapter in another format
    } else if (looksLikeWeights(entry.name) && !state) {
        const bool loose = mayHoldOthers(members, entry.name);
        (loose ? members.loose : members.copies).push_back(entry.name);
    } else if (isPickleName(entry.name) || extensionOf(entry.name) == ".safetensors") {
        const Role role = known != nullptr      ? known->role
                          : isAverageStem(stem) ? Role::Ema
                                                : Role::Other;
        members.states.push_back({entry.name, stem, role, false, false, known != nullptr});
        if (known != nullptr && role == Role::Rng && second) {
            ++members.ranks;
        }
    }
}

} // namespace

std::string stemOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
}

bool isIndexName(std::string_view name) {
    return name.ends_with(".json") && (name.find(".safetensors.index.") != std::string_view::npos ||
                                       name.find(".bin.index.") != std::string_view::npos);
}

bool isHuggingFaceFolder(std::span<const FolderEntry> entries) {
    const auto has = [&](std::string_view name) { return hasEntry(entries, name); };
    if (has(".metadata")) {
        return false; // a distributed checkpoint with a model's configuration beside it
    }
    if (has("trainer_state.json") || has("model_index.json") ||
        has("config_sentence_transformers.json") || isSavedState(entries) ||
        std::ranges::any_of(entries, isFolderOfFsdpWeights) ||
        std::ranges::any_of(entries,
                            [](const FolderEntry& entry) { return isIndexName(entry.name); })) {
        return true;
    }
    const auto weights = Chooser(entries).choose();
    // Bare shards are the safetensors reader's, unless a model's configuration is beside them;
    // pickled ones are nobody's, and one of them alone looks whole.
    return weights && (weights->expectedIndex.empty() || has("config.json") ||
                       (isPickleName(weights->files.front()) &&
                        isModelName(splitShardName(weights->files.front())->base)));
}

std::optional<std::string> pickledShard(std::span<const FolderEntry> entries) {
    const auto weights = Chooser(entries).choose();
    const bool bare = weights && !weights->expectedIndex.empty();
    return bare && isPickleName(weights->files.front()) ? std::optional(weights->files.front())
                                                        : std::nullopt;
}

bool isAdapterFolder(std::span<const FolderEntry> entries) {
    return hasEntry(entries, kAdapterConfig) &&
           std::ranges::all_of(entries, [](const FolderEntry& entry) {
               return entry.name.starts_with('.') ||
                      (entry.kind != EntryKind::Folder && entry.name.starts_with("adapter_"));
           });
}

bool mayHoldAdaptersOnly(std::span<const FolderEntry> entries) {
    std::size_t folders = 0;
    std::set<std::string> patterns;
    for (const FolderEntry& entry : entries) {
        if (entry.kind == EntryKind::Folder && !entry.name.starts_with('.')) {
            ++folders;
            if (hasPositionInName(entry.name)) {
                return false;
            }
            patterns.insert(withoutNumbers(entry.name));
        } else if (entry.name != "README.md" && !entry.name.starts_with('.')) {
            return false;
        }
    }
    return folders > 0 && (folders == 1 || patterns.size() > 1);
}

bool isModelName(std::string_view name) {
    return isOneOf(kModelStems, name.substr(0, name.find('.')));
}

WeightName weightNameOf(std::string_view name) {
    const std::string stem = stemOf(name);
    if (isAverageStem(stem)) {
        return WeightName::Average;
    }
    std::string_view base = std::string_view(stem).substr(0, stem.find('.'));
    const std::string_view variant = std::string_view(stem).substr(base.size());
    if (const std::size_t cut = base.find_last_of("-_"); cut != std::string_view::npos) {
        base = isOneOf(kPrecisions, base.substr(cut + 1)) ? base.substr(0, cut) : base;
    }
    const bool whole = isOneOf(kModelStems, base) || isOneOf(kAdapterStems, base) ||
                       base.starts_with("consolidated") || base.starts_with("pytorch_model_fsdp");
    if (!whole) {
        return WeightName::Own;
    }
    return variant.empty() || isOneOf(kPrecisions, variant.substr(1)) ? WeightName::Same
                                                                      : WeightName::Variant;
}

Members sortMembers(std::span<const FolderEntry> entries) {
    Members members;
    const Chooser chooser(entries);
    members.weights = chooser.choose();
    if (members.weights && !areAdapter(*members.weights) && chooser.model()) {
        members.adapter = chooser.adapter();
    }
    members.pipeline = hasEntry(entries, "model_index.json");
    members.modules = hasEntry(entries, "modules.json");
    members.savedState = isSavedState(entries);
    const auto& weights = members.weights;
    for (const FolderEntry& entry : entries) {
        const auto chosen = [&](const std::optional<WeightSource>& source) {
            return source && (source->index == entry.name ||
                              std::ranges::find(source->files, entry.name) != source->files.end());
        };
        if (chosen(weights) || chosen(members.adapter) || isIndexName(entry.name)) {
            continue;
        }
        if (entry.kind == EntryKind::Folder) {
            sortFolder(members, entry);
        } else {
            sortFile(members, entry);
        }
    }
    return members;
}

} // namespace cairn::formats::huggingface
