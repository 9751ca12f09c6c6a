// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/tensorboard/events.h"

namespace cairn::history::tensorboard {
namespace {

/// As in TensorBoard, the name decides.
bool recognises(const HistoryCandidate& candidate) {
    return !candidate.isFolder && candidate.name.find("tfevents") != std::string::npos;
}

Result<HistoryPart> read(const HistoryCandidate& candidate, const CancelToken& cancel) {
    CAIRN_TRY(const ByteSourcePtr source, candidate.folder->openFile(candidate.name));
    return readEvents(source, cancel);
}

} // namespace

extern const HistoryReader kReader;
const HistoryReader kReader{"tensorboard", "TensorBoard event file", recognises, read};

} // namespace cairn::history::tensorboard
