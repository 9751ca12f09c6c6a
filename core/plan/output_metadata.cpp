// SPDX-License-Identifier: Apache-2.0
#include "core/plan/output_metadata.h"

#include "core/base/visible_text.h"
#include "core/families/adapters/pipeline_adapter.h"
#include "core/plan/draft.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace cairn {
namespace {

/// Whether any of a source's other parts (a pipeline's components) has metadata besides its format.
bool hasMetadataInParts(const Value& values) {
    return std::ranges::any_of(values.items(), [](const ValueItem& part) {
        const Value* metadata = part.value.find("__metadata__");
        return metadata != nullptr && metadata->isContainer() &&
               std::ranges::any_of(metadata->items(), [](const ValueItem& item) {
                   return keyText(item.key) != "format";
               });
    });
}

} // namespace

void addMetadata(Draft& draft, std::string key, std::string value) {
    const auto keys = [](const auto& item) -> const std::string& { return item.first; };
    if (std::ranges::find(draft.metadata, key, keys) == draft.metadata.end()) {
        draft.metadata.emplace_back(std::move(key), std::move(value));
    }
}

void carryMetadata(Draft& draft, const LayoutTarget& target, const Value* values, bool sameNames,
                   bool all) {
    const Checkpoint& source = *draft.plan.source;
    const Value* metadata = values != nullptr ? values->find("__metadata__") : nullptr;
    if (values != nullptr && values->isContainer() && hasMetadataInParts(*values)) {
        decide(draft, DecisionId::Metadata, "left out: that of parts of the model",
               "The headers of a model's parts are not carried");
    }
    if (metadata == nullptr || !metadata->isContainer()) {
        return;
    }
    std::vector<std::string> carried;
    std::vector<std::string> described; ///< left out: of the tensors as they were
    std::vector<std::string> unequal;   ///< left out: of some files only
    const bool asStored = sameNames && draft.plan.recipes.empty() && !draft.plan.dequantised &&
                          !draft.plan.readsComputed();
    for (const ValueItem& item : metadata->items()) {
        const std::string key = keyText(item.key);
        const std::string* text = item.value.asString();
        const auto tensor = source.find(key);
        if (key == "format" || (tensor && source.tensor(*tensor).aliasOf)) {
            continue; // ties are written as the output has them
        }
        if (key == kPipelineSettings && (!asStored || !text || target.can.library.empty())) {
            addProblem(draft, ErrorCode::Unsupported, Severity::Error,
                       "The scales of the adapter are in the metadata of its file, which the "
                       "output would not have",
                       "Keep its names, and write safetensors; or fold it: cairn-cli fold PIPELINE "
                       "--adapter FILE");
        }
        (text == nullptr ? unequal : asStored ? carried : described).push_back(key);
        if (text != nullptr && asStored && !target.can.library.empty()) {
            addMetadata(draft, key, *text);
        }
    }
    if (target.can.library.empty()) {
        std::ranges::move(carried, std::back_inserter(described));
        if (!all && !described.empty()) { // else it is among the plain values
            decide(draft, DecisionId::Metadata, sentence("left out: %1", someOf(described, 3)),
                   "Only headers of safetensors have a place for it");
        }
        return;
    }
    if (!carried.empty()) {
        decide(draft, DecisionId::Metadata, verbatim(someOf(carried, 3)),
               "What the source's header records beside its tensors is carried");
    }
    if (!described.empty()) {
        decide(draft, DecisionId::Metadata, sentence("left out: %1", someOf(described, 3)),
               "It describes the tensors as they were stored");
    }
    if (!unequal.empty()) {
        decide(draft, DecisionId::Metadata, sentence("left out: %1", someOf(unequal, 3)),
               "The source's files differ in it");
    }
}

} // namespace cairn
