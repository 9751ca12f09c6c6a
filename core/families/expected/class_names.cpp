// SPDX-License-Identifier: Apache-2.0
#include "core/families/expected/class_names.h"

#include "core/families/config/name_prefix.h"
#include "core/families/config/records.h"
#include "core/families/config/words.h"

#include <algorithm>

namespace cairn {
namespace {

/// Whether one of the models ("llama/LlamaForCausalLM") is of this class, whatever its type.
bool hasClass(std::string_view models, std::string_view end) {
    return std::ranges::any_of(wordsOf(models),
                               [end](std::string_view word) { return word.ends_with(end); });
}

} // namespace

std::optional<ClassNames> ClassNames::of(const ModelConfig& config) {
    const std::vector<std::string> classes = config.texts("architectures");
    if (classes.empty()) {
        return std::nullopt;
    }
    const auto type = config.text("model_type");
    for (std::string_view record : classNameRecords()) {
        if (isComment(record)) {
            continue;
        }
        const std::string_view models = takeField(record, "models");
        const std::string_view differs = takeField(record, "differs");
        const bool holds = type ? isWordOf(models, *type + "/" + classes.front())
                                : hasClass(models, "/" + classes.front());
        if (!holds) {
            continue;
        }
        ClassNames found;
        found.m_differ = !differs.empty();
        while (!record.empty()) {
            const std::size_t end = std::min(record.find('\n'), record.size());
            const std::string_view line = record.substr(0, end);
            record.remove_prefix(std::min(end + 1, record.size()));
            constexpr std::string_view kTie = " = ";
            if (const std::size_t at = line.find(kTie); at != line.npos) {
                found.m_ties.emplace_back(NamePattern(line.substr(0, at)),
                                          NamePattern(line.substr(at + kTie.size())));
            } else {
                found.m_beginnings.emplace_back(line);
            }
        }
        return found;
    }
    return std::nullopt;
}

bool ClassNames::knows(std::string_view name) const {
    return std::ranges::any_of(m_beginnings, [name](const NamePattern& pattern) {
        return pattern.match(name).has_value();
    });
}

std::string ClassNames::tiedTo(std::string_view name) const {
    for (const auto& [tied, kept] : m_ties) {
        if (const auto numbers = tied.match(name)) {
            return kept.name(*numbers);
        }
    }
    return {};
}

std::optional<std::string> ClassNames::prefixOf(std::span<const std::string_view> names) const {
    const NamePrefix best =
        bestPrefix(names, PrefixOf::All, [this](std::string_view name) { return knows(name); });
    if (names.empty() || best.known * 10 < names.size() * 9) {
        return std::nullopt;
    }
    return best.text;
}

NamesFit namesFit(const ModelConfig& config, std::span<const OutputTensor> tensors) {
    if (const auto fit = fitModel(config, tensors); fit && *fit) {
        const TensorDifference& difference = (*fit)->difference;
        const bool same = difference.missing.empty() && difference.unexpected.empty();
        return same && (*fit)->prefix.empty() ? NamesFit::Complete : NamesFit::Other;
    }
    const auto names = ClassNames::of(config);
    if (!names) {
        return NamesFit::Unknown;
    }
    const bool all = std::ranges::all_of(
        tensors, [&](const OutputTensor& tensor) { return names->knows(tensor.name); });
    return all && !tensors.empty() ? NamesFit::Begins : NamesFit::Other;
}

std::optional<std::string> classPrefix(const ModelConfig& config,
                                       std::span<const OutputTensor> tensors) {
    const auto shared = [&](const std::string& prefix) {
        return std::ranges::all_of(tensors, [&](const OutputTensor& tensor) {
            return tensor.name.starts_with(prefix) && tensor.name.size() > prefix.size();
        });
    };
    if (const auto fit = fitModel(config, tensors); fit && *fit) {
        return shared((*fit)->prefix) ? std::optional((*fit)->prefix) : std::nullopt;
    }
    const auto names = ClassNames::of(config);
    std::vector<std::string_view> given;
    for (const OutputTensor& tensor : tensors) {
        given.push_back(tensor.name);
    }
    return names ? names->prefixOf(given) : std::nullopt;
}

} // namespace cairn
