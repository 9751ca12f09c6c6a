// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/part_check.h"

#include "core/base/visible_text.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/huggingface/folder_kind.h"

#include <utility>

namespace cairn::formats::huggingface {
namespace {

constexpr std::uint64_t kMaxModules = std::uint64_t{1} << 20U;

} // namespace

std::vector<ModelPart> readModules(CheckpointData& data, const OpenRequest& request) {
    auto json = readJsonFile(request.folder->openFile("modules.json"), kMaxModules);
    if (!json) {
        addNotice(data, Severity::Warning, std::move(json).error());
        return {};
    }
    return partsOfModules(*json);
}

Result<void> noteParts(CheckpointData& data, const OpenRequest& request,
                       std::span<const ModelPart> parts) {
    for (const ModelPart& part : parts) {
        CAIRN_CHECK(request.cancel.check());
        const auto folder = request.folder->openFolder(part.folder);
        const auto entries = entriesOf(folder);
        if (!folder || (part.hasWeights && entries && !isHuggingFaceFolder(*entries) &&
                        !isWithoutWeights(*entries))) {
            notePart(data, part, folder ? PartState::WithoutWeights : PartState::Missing);
        }
    }
    return {};
}

void notePart(CheckpointData& data, const ModelPart& part, PartState state) {
    const bool missing = state == PartState::Missing;
    Error error =
        fail(ErrorCode::MissingShard, missing ? Sentence("A part of this model is missing")
                                              : "A part of this model has no readable weights")
            .inFile(part.folder)
            .withHint("Copy it from where the model was saved");
    error.expected = verbatim(visibleText(part.className));
    if (part.hasWeights) {
        markIncomplete(data, sentence("The part %1%2", visibleText(part.folder),
                                      missing ? Sentence(" is missing") : " has no weights"));
    }
    addNotice(data, part.hasWeights ? Severity::Error : Severity::Warning, std::move(error));
}

} // namespace cairn::formats::huggingface
