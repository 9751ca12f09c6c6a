// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_keys.h"

#include "core/families/adapters/adapter.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

/// Trained with the adapter, and saved in another file of its folder.
constexpr std::string_view kBesideAdapter = "non_lora_trainables.";
constexpr std::string_view kUnsaved = "default"; ///< the adapter's name, which saving leaves out

using Parts = std::vector<std::string_view>;

Parts partsOf(std::string_view name) {
    Parts parts;
    while (true) {
        const std::size_t dot = name.find('.');
        parts.push_back(name.substr(0, dot));
        if (dot == std::string_view::npos) {
            return parts;
        }
        name.remove_prefix(dot + 1);
    }
}

std::string joined(const Parts& parts) {
    std::string text;
    for (const std::string_view part : parts) {
        text += text.empty() ? "" : ".";
        text += part;
    }
    return text;
}

/// What of a module a tensor is: a word that begins with "lora_" or is "token_adapter", and the
/// words after it.
struct Ending {
    std::string_view word;
    std::string_view rest;
    std::optional<TensorIndex> AdapterModule::*member;
};
constexpr Ending kEndings[] = {
    {"lora_A", "weight", &AdapterModule::a},
    {"lora_B", "weight", &AdapterModule::b},
    {"lora_B", "bias", &AdapterModule::bias},
    {"lora_embedding_A", "", &AdapterModule::embeddingA},
    {"lora_embedding_B", "", &AdapterModule::embeddingB},
    {"lora_magnitude_vector", "", &AdapterModule::magnitude},
    {"lora_magnitude_vector", "weight", &AdapterModule::magnitude},
    {"token_adapter", "trainable_tokens_delta", &AdapterModule::tokens},
};

bool isOwnWord(std::string_view part) {
    return part.starts_with("lora_") || part == "token_adapter";
}

Error unknown(std::string_view name, Sentence message) {
    return fail(ErrorCode::Unsupported, std::move(message))
        .inTensor(std::string(name))
        .expecting("names of PEFT's adapters: base_model.model.<module>.lora_A.weight, …");
}

class KeyReader {
public:
    explicit KeyReader(const Checkpoint& adapter) : m_adapter(adapter) {}

    Result<AdapterKeys> read() {
        for (std::size_t i = 0; i < m_adapter.tensors().size(); ++i) {
            const TensorEntry& tensor = m_adapter.tensors()[i];
            if (tensor.name.starts_with(kBesideAdapter)) {
                addBeside(TensorIndex(i));
            } else if (tensor.role == Role::Weight || tensor.role == Role::Buffer) {
                CAIRN_CHECK(add(TensorIndex(i)));
            }
        }
        CAIRN_CHECK(checkOriginals());
        for (auto& [key, module] : m_modules) {
            m_keys.modules.push_back(std::move(module));
        }
        return std::move(m_keys);
    }

private:
    /// The name below PEFT's model, whose own place in a container is the same for all tensors.
    Result<std::string_view> nameInModel(std::string_view name) {
        const std::size_t at = ("." + std::string(name)).find("." + std::string(kPeftPrefix));
        if (at == std::string_view::npos || (m_container && *m_container != name.substr(0, at))) {
            return unknown(name,
                           "The adapter has a tensor whose name does not identify what it changes");
        }
        m_container = std::string(name.substr(0, at));
        return name.substr(at + kPeftPrefix.size());
    }

    Result<void> add(TensorIndex tensor) {
        CAIRN_TRY(const std::string_view inModel, nameInModel(m_adapter.tensor(tensor).name));
        Parts parts = partsOf(inModel);
        const auto word = std::ranges::find_if(parts, isOwnWord);
        const std::size_t depth =
            static_cast<std::size_t>(std::count(parts.begin(), word, "base_layer"));
        Parts module(parts.begin(), word);
        std::erase(module, "base_layer");
        if (word == parts.end()) {
            addComplete(tensor, std::move(module));
            return {};
        }
        Parts rest(word + 1, parts.end());
        if (!rest.empty() && rest.front() == kUnsaved) {
            rest.erase(rest.begin());
        }
        return addPart(tensor, joined(module), depth, *word, joined(rest));
    }

    void addComplete(TensorIndex tensor, Parts name) {
        if (const auto original = std::ranges::find(name, "original_module");
            original != name.end()) {
            name.erase(original);
            m_originals.push_back({tensor, joined(name)});
            return;
        }
        if (const auto saved = std::ranges::find(name, "modules_to_save"); saved != name.end()) {
            const bool named = saved + 1 != name.end() && saved[1] == kUnsaved;
            name.erase(saved, saved + (named ? 2 : 1));
        }
        m_keys.replaced.push_back({tensor, joined(name)});
    }

    /// What PEFT saves of a module before its training, with bias="all", it does not use.
    Result<void> checkOriginals() const {
        for (const NamedTensor& each : m_originals) {
            if (std::ranges::find(m_keys.replaced, each.name, &NamedTensor::name) ==
                m_keys.replaced.end()) {
                return unknown(m_adapter.tensor(each.tensor).name,
                               "The adapter has a tensor of unknown use");
            }
        }
        return {};
    }

    /// As LLaVA's loader names them (llava/model/builder.py).
    void addBeside(TensorIndex tensor) {
        std::string_view name = m_adapter.tensor(tensor).name;
        name.remove_prefix(kBesideAdapter.size());
        name.remove_prefix(name.starts_with(kPeftPrefix) ? kPeftPrefix.size() : 0);
        m_keys.replaced.push_back({tensor, std::string(name)});
        m_keys.beside.insert(tensor);
    }

    Result<void> addPart(TensorIndex tensor, const std::string& path, std::size_t depth,
                         std::string_view word, std::string_view rest) {
        const std::string_view name = m_adapter.tensor(tensor).name;
        const auto* ending = std::ranges::find_if(
            kEndings, [&](const Ending& each) { return each.word == word && each.rest == rest; });
        if (ending == std::end(kEndings) || path.empty()) {
            return unknown(name, "The adapter has a tensor of unknown use");
        }
        AdapterModule& module = m_modules[{path, depth}];
        module.path = path;
        module.depth = depth;
        if (module.*(ending->member)) {
            return unknown(name, "The adapter has the same tensor twice");
        }
        module.*(ending->member) = tensor;
        return {};
    }

    const Checkpoint& m_adapter;
    std::map<std::pair<std::string, std::size_t>, AdapterModule> m_modules;
    std::optional<std::string> m_container; ///< "model.", with its dot
    std::vector<NamedTensor> m_originals;   ///< by the names of what replaces them
    AdapterKeys m_keys;
};

} // namespace

bool isAdapterOfPeft(const Checkpoint& checkpoint) {
    return std::ranges::any_of(checkpoint.tensors(), [](const TensorEntry& tensor) {
        return tensor.name.starts_with(kPeftPrefix) && isAdapterTensor(tensor.name);
    });
}

bool isAdapterTensor(std::string_view name) {
    const Parts parts = partsOf(name);
    return std::ranges::any_of(parts, [](std::string_view part) {
        return std::ranges::any_of(kEndings,
                                   [part](const Ending& each) { return each.word == part; });
    });
}

Result<AdapterKeys> readAdapterKeys(const Checkpoint& adapter) {
    return KeyReader(adapter).read();
}

} // namespace cairn
