// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/runs/retention/retention.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

namespace cairn {
namespace {

constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;

Result<void> readAll(const ByteSource& source, ByteRange range, const CancelToken& cancel) {
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(range.length, kStep)));
    for (std::uint64_t at = 0; at < range.length; at += kStep) {
        CAIRN_CHECK(cancel.check());
        const std::span part(buffer.data(),
                             static_cast<std::size_t>(std::min(kStep, range.length - at)));
        CAIRN_CHECK(source.readAt(range.offset + at, part));
    }
    return {};
}

/// Raw pieces were compared with the file sizes when the checkpoint was opened.
Result<void> decodeAll(const std::filesystem::path& path, const CancelToken& cancel) {
    CAIRN_TRY(const CheckpointPtr checkpoint, openCheckpoint(path, cancel));
    for (const TensorEntry& tensor : checkpoint->tensors()) {
        for (const Piece& piece : tensor.pieces) {
            CAIRN_CHECK(cancel.check());
            if (piece.codec == kRawCodec || piece.bytes.length == 0) {
                continue;
            }
            CAIRN_TRY(const ByteSourcePtr file, checkpoint->openFile(piece.file));
            CAIRN_TRY(const LocatedPiece located, checkpoint->locate(tensor, piece));
            if (located.source != file) { // otherwise it is a range of the file
                CAIRN_CHECK(readAll(*located.source, located.bytes, cancel));
            }
        }
    }
    return {};
}

} // namespace

Result<RetentionPlan> planProvenRetention(ScannedRun& run, const RetentionRules& rules,
                                          const RetentionEvidence& evidence,
                                          std::set<std::filesystem::path>& proven,
                                          const CancelToken& cancel) {
    for (;;) {
        CAIRN_TRY(RetentionPlan plan, planRetention(run, rules, evidence));
        bool again = false;
        for (const RetentionPlan::Removal& removal : plan.remove) {
            if (proven.contains(removal.supersededBy)) {
                continue;
            }
            const auto read = decodeAll(removal.supersededBy, cancel);
            CAIRN_CHECK(cancel.check());
            proven.insert(removal.supersededBy);
            const auto at =
                std::ranges::find(run.checkpoints, removal.supersededBy, &ScannedCheckpoint::path);
            if (!read && at != run.checkpoints.end()) {
                at->state = CheckpointState::Damaged;
                at->reason = read.error().message;
                again = true;
            }
        }
        if (!again) {
            return plan;
        }
    }
}

} // namespace cairn
