// SPDX-License-Identifier: Apache-2.0
#include "core/runs/history/common/block_log_notices.h"

#include "core/runs/history/common/damage.h"

namespace cairn::history {

void noteDamage(const BlockLogDamage& damage, const std::string& file,
                std::vector<Notice>& notices) {
    const auto report = [&](std::uint64_t count, std::uint64_t offset, ErrorCode code,
                            Sentence message, Sentence what) {
        Damage each;
        if (count > 0) {
            each.add(offset, count);
        }
        each.report(notices, code, message, file, what);
    };
    report(damage.badPieces, damage.badOffset, ErrorCode::BadChecksum,
           "Damaged parts of the log were skipped", "pieces");
    report(damage.orphans, damage.orphanOffset, ErrorCode::BadEncoding,
           "Records without a beginning or an end were skipped", "records");
    report(damage.zeroBytes, damage.zeroOffset, ErrorCode::ZeroFilled,
           "Parts of the log contain only zeros", "bytes");
    report(damage.oversized, damage.oversizedOffset, ErrorCode::LimitExceeded,
           "Records that exceed the size limit were skipped", "records");
    if (damage.truncatedAt) {
        notices.push_back(
            {Severity::Warning,
             fail(ErrorCode::Truncated, "The last record is truncated")
                 .inFile(file)
                 .at(*damage.truncatedAt)
                 .withHint("This is normal while the run is in progress; refresh later")});
    }
}

} // namespace cairn::history
