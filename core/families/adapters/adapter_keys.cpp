// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_keys.h"

#include "core/families/adapters/adapter.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace cairn {
namespace {

constexpr std::string_view kPrefix = "base_model.model.";
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
            const Role role = m_adapter.tensors()[i].role;
            if (role == Role::Weight || role == Role::Buffer) {
                CAIRN_CHECK(add(TensorIndex(i)));
            }
        }
        for (auto& [key, module] : m_modules) {
            m_keys.modules.push_back(std::move(module));
        }
        return std::move(m_keys);
    }

private:
    Result<void> add(TensorIndex tensor) {
        const std::string_view name = m_adapter.tensor(tensor).name;
        if (!name.starts_with(kPrefix)) {
            return unknown(name,
                           "The adapter has a tensor whose name does not identify what it changes");
        }
        Parts parts = partsOf(name.substr(kPrefix.size()));
        const auto word = std::ranges::find_if(parts, isOwnWord);
        const std::size_t depth =
            static_cast<std::size_t>(std::count(parts.begin(), word, "base_layer"));
        Parts module(parts.begin(), word);
        std::erase(module, "base_layer");
        if (word == parts.end()) {
            if (const auto saved = std::ranges::find(module, "modules_to_save");
                saved != module.end()) {
                const bool named = saved + 1 != module.end() && saved[1] == kUnsaved;
                module.erase(saved, saved + (named ? 2 : 1));
            }
            m_keys.replaced.push_back({tensor, joined(module)});
            return {};
        }
        Parts rest(word + 1, parts.end());
        if (!rest.empty() && rest.front() == kUnsaved) {
            rest.erase(rest.begin());
        }
        return addPart(tensor, joined(module), depth, *word, joined(rest));
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
    AdapterKeys m_keys;
};

} // namespace

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
