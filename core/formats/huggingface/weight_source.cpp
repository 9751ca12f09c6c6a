// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/weight_source.h"

#include "core/formats/huggingface/weight_names.h"
#include "core/model/names/shard_name.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace cairn::formats::huggingface {
namespace {

using Stems = std::span<const std::string_view>;

/// "model.fp16.safetensors" -> true for stem "model" and extension ".safetensors". False for a
/// single shard of a variant ("model.fp16-00001-of-00002.safetensors").
bool isVariant(std::string_view name, std::string_view stem, std::string_view extension) {
    return !splitShardName(name) && name.size() > stem.size() + 1 + extension.size() &&
           name.starts_with(stem) && name[stem.size()] == '.' && name.ends_with(extension) &&
           std::ranges::count(name, '.') == 2;
}

class Chooser {
public:
    explicit Chooser(std::span<const FolderEntry> entries) : m_entries(entries) {}

    /// A model has precedence over the adapter that was trained on it. FSDP's save of a model with
    /// an adapter contains that adapter as well.
    std::optional<WeightSource> choose() const {
        if (auto source = model()) {
            return source;
        }
        auto source = adapter();
        return source ? std::move(source) : last();
    }

    std::optional<WeightSource> model() const {
        // The order of transformers: one file, then an index; safetensors before pickles.
        for (const std::string_view extension : {".safetensors", ".bin"}) {
            for (const auto find : {&Chooser::single, &Chooser::indexed, &Chooser::variant,
                                    &Chooser::variantIndex, &Chooser::shards}) {
                if (auto source = (this->*find)(extension, kModelStems)) {
                    return source;
                }
            }
        }
        // Shards of Flax and TensorFlow, up to transformers 4. Their single files have readers of
        // their own.
        for (const std::string_view extension : {".msgpack", ".h5"}) {
            for (const auto find : {&Chooser::indexed, &Chooser::shards}) {
                if (auto source = (this->*find)(extension, kOtherModelStems)) {
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
        for (const std::string_view stem : stems) { // there may also be Mistral's index
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

    /// Shards without an index: the largest set with the same base and count. Files of Flax and
    /// HDF5 with such names may be anything else, unless they are called as transformers calls a
    /// model.
    std::optional<WeightSource> shards(std::string_view extension, Stems stems) const {
        std::map<std::pair<std::string, std::uint32_t>, std::vector<std::string>> sets;
        for (const FolderEntry& entry : m_entries) {
            const auto parts = splitShardName(entry.name);
            const bool mine = parts && parts->suffix == extension &&
                              !parts->base.starts_with("shard-") &&
                              (stems.data() != kOtherModelStems.data() ||
                               std::ranges::find(stems, parts->base) != stems.end());
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

} // namespace

std::optional<WeightSource> chooseWeights(std::span<const FolderEntry> entries) {
    return Chooser(entries).choose();
}

bool isAdapterSource(const WeightSource& weights) {
    return weights.index.empty() && isAdapterName(weights.files.front());
}

std::optional<WeightSource> adapterBeside(const WeightSource& weights,
                                          std::span<const FolderEntry> entries) {
    const Chooser chooser(entries);
    const bool ofModel = !isAdapterSource(weights) && chooser.model();
    return ofModel ? chooser.adapter() : std::nullopt;
}

} // namespace cairn::formats::huggingface
