// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/deepspeed/slice_merger.h"
#include "core/formats/deepspeed/tag_folder.h"

#include <algorithm>
#include <utility>

// Parts that are slices of tensor parallelism: named by their rank, then merged if the save records
// how.

namespace cairn::formats::deepspeed {

/// Number of tensor parallel slices of each pipeline stage; without a pipeline the parts themselves
/// are the slices. Older saves do not record it: it is then the number of files of a layer.
Rank TagFolder::slices() const {
    if (m_files.layers.empty() || m_parts.empty()) {
        return static_cast<Rank>(m_parts.size());
    }
    Rank most = 0;
    for (const FileName& file : m_files.layers) {
        most = std::max(most, file.mp);
    }
    const auto recorded = m_parts.front().states().tensorParallel;
    return static_cast<Rank>(std::clamp<std::int64_t>(recorded.value_or(most + 1), 1, 1'000'000));
}

/// Tensor parallel slices get a prefix with their rank; pipeline stages have different parameters.
std::string TagFolder::prefixOf(const ModelPart& part) const {
    const Rank count = slices();
    return m_parts.size() < 2 || count < 2 ? std::string()
                                           : "mp_rank_" + twoDigits(part.rank() % count) + ".";
}

/// Merges tensor parallel ranks if the save records how their parameters were cut.
void TagFolder::joinSlices() {
    const Rank count = slices();
    const bool ranks = m_parts.size() > 1 && count > 1 && m_parts.size() % count == 0 &&
                       m_files.experts.empty() && !m_files.universal;
    const Member* model = ranks ? m_parts.front().model() : nullptr;
    const Value* info = model == nullptr ? nullptr : model->root.find("universal_checkpoint_info");
    const bool recorded =
        std::ranges::all_of(m_parts, [](const ModelPart& part) { return part.states().hasShapes; });
    const std::int64_t parts = ranks ? m_parts.front().states().mpWorldSize.value_or(
                                           static_cast<std::int64_t>(m_parts.size()))
                                     : 0;
    const auto rules =
        info == nullptr ? std::nullopt : SliceRules::read(*info, static_cast<std::size_t>(count));
    if (!rules || !recorded || parts != static_cast<std::int64_t>(m_parts.size())) {
        if (info != nullptr) {
            markIncomplete(m_data, "Tensor-parallel slices were not joined");
            addNotice(m_data, Severity::Error,
                      fail(ErrorCode::ShardsNotJoined,
                           "Tensor-parallel slices are shown per rank: the save records how they "
                           "were split in a form that is not supported")
                          .inFile(model->name)
                          .inField("universal_checkpoint_info")
                          .withHint("Run deepspeed.checkpoint.ds_to_universal on it, and open the "
                                    "result"));
        }
        return;
    }
    std::vector<std::string> prefixes;
    for (const ModelPart& part : m_parts) {
        if (prefixes.size() < count) { // the first stage has all prefixes, in order
            prefixes.push_back(prefixOf(part));
        }
    }
    const auto moved = mergeSlices(m_data, *rules, prefixes, listedParameters());
    for (ModelPart& part : m_parts) {
        for (Member* member : {part.model(), part.optimizer()}) {
            for (std::size_t i = 0; member != nullptr && i < member->placed.size(); ++i) {
                if (member->placed[i]) {
                    member->placed[i] = moved[member->placed[i]->position()];
                }
            }
        }
    }
}

} // namespace cairn::formats::deepspeed
