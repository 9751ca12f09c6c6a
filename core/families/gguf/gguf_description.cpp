// SPDX-License-Identifier: Apache-2.0
#include "core/families/gguf/gguf_settings.h"
#include "core/families/gguf/gguf_vocabulary.h"

#include <array>
#include <utility>

namespace cairn {
namespace {

/// Fields of generation_config.json, and their keys.
struct SamplingRow {
    std::string_view field;
    std::string_view key;
    bool isInteger;
};
constexpr auto kSampling = std::to_array<SamplingRow>({
    {"top_k", "top_k", true},
    {"top_p", "top_p", false},
    {"min_p", "min_p", false},
    {"xtc_probability", "xtc_probability", false},
    {"xtc_threshold", "xtc_threshold", false},
    {"temperature", "temp", false},
    {"penalty_last_n", "penalty_last_n", true},
    {"penalty_repeat", "penalty_repeat", false},
    {"mirostat", "mirostat", true},
    {"mirostat_tau", "mirostat_tau", false},
    {"mirostat_eta", "mirostat_eta", false},
});

/// A file that cannot be read is left out, as by the converter.
void addSampling(std::string_view text, std::vector<ValueItem>& metadata) {
    const auto document = parseJson(text, "generation_config.json");
    for (const SamplingRow& row : kSampling) {
        const JsonValue* value = document ? document->find(row.field) : nullptr;
        if (value == nullptr) {
            continue;
        }
        const Value key("general.sampling." + std::string(row.key));
        const auto number = value->asReal();
        if (const auto integer = value->asInteger(); row.isInteger && integer) {
            metadata.push_back({key, Value(*integer)});
        } else if (!row.isInteger && number) {
            metadata.push_back({key, Value(static_cast<double>(static_cast<float>(*number)))});
        }
    }
}

} // namespace

Result<GgufDescription> describeGguf(const GgufFamily& family, const ModelConfig& settings,
                                     const ModelFiles& files) {
    constexpr std::int64_t kQuantizationVersion = 2;
    GgufDescription description;
    description.metadata = {{Value("general.architecture"), Value(family.architecture)},
                            {Value("general.type"), Value("model")},
                            {Value("general.quantization_version"), Value(kQuantizationVersion)}};
    if (const auto text = files("generation_config.json"); !text.empty()) {
        addSampling(text, description.metadata);
    }
    CAIRN_CHECK(describeGgufSettings(family, settings, description));
    CAIRN_CHECK(describeGgufTokenizer(family, settings, files, description));
    return description;
}

} // namespace cairn
