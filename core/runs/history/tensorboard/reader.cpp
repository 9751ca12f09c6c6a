// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/tensorboard/events.h"

namespace cairn::history::tensorboard {
namespace {

/// As in TensorBoard, the name decides.
bool mayBe(std::string_view name) {
    return name.find("tfevents") != std::string_view::npos;
}

bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && mayBe(candidate.name);
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return readEvents(source, cancel);
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{.id = "tensorboard",
                            .title = "TensorBoard event file",
                            .mayBe = mayBe,
                            .recognises = recognises,
                            .read = read,
                            .follow = followEvents};

} // namespace cairn::history::tensorboard
