// SPDX-License-Identifier: Apache-2.0
#include "core/families/adapters/adapter_parameters.h"

#include "core/families/config/words.h"

#include <string_view>

namespace cairn {
namespace {

/// Models whose experts are stored as [expert, in, out].
constexpr std::string_view kTransposedExperts = "gpt_oss aria openai_privacy_filter";

bool fits(const AdapterPlaces& places, const MemoryTensor& memory) {
    const auto found = places.find(memory);
    return found && !found->empty() &&
           (!found->front().whole ||
            places.base().checkpoint->tensor(found->front().tensor).shape == memory.shape);
}

} // namespace

std::optional<FittingParameter> fitParameter(const AdapterPlaces& places, const std::string& name,
                                             const StackedMatrices& matrices) {
    const auto& [experts, out, in] = matrices;
    const ModelConfig* config = places.base().config;
    const bool usual =
        config == nullptr || !isWordOf(kTransposedExperts, config->text("model_type").value_or(""));
    for (const bool transposed : {!usual, usual}) {
        const MemoryTensor stack{name,
                                 transposed ? Shape{experts, in, out} : Shape{experts, out, in}};
        if (fits(places, stack)) {
            return FittingParameter{stack, transposed};
        }
    }
    const MemoryTensor single{name, Shape{out, in}};
    return experts == 1 && fits(places, single) ? std::optional(FittingParameter{single, false})
                                                : std::nullopt;
}

} // namespace cairn
