// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/share_pass.h"

#include "core/base/elapsed.h"
#include "core/io/extent_sharing.h"
#include "core/jobs/context/aligned_buffer.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/engine/part_share.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <map>
#include <vector>

namespace cairn {
namespace {

using Clock = std::chrono::steady_clock;

/// Whether the file is on that file system, by its device number in the checkpoint.
bool isOnFileSystem(const SharingFileSystem& wanted, const Checkpoint& source, FileIndex index) {
    const auto file = source.openFile(index);
    if (!file || (*file)->descriptor() < 0) {
        return false;
    }
    const auto found = sharingFileSystem((*file)->descriptor());
    return found && found->same(wanted) &&
           (found->device == wanted.device ||
            wanted.name == "btrfs"); // btrfs subvolumes have different device numbers
}

class SharePass {
public:
    SharePass(const EngineJob& job, std::span<const StagedFile> files)
        : m_job(job), m_files(files) {}

    Result<ShareOutcome> run() {
        ShareOutcome outcome;
        const JobPart& part = m_job.options.part;
        const PartShare shares(m_job.plan, part.count);
        for (std::size_t i = 0; i < m_job.plan.shared.size(); ++i) {
            const SharedRange& range = m_job.plan.shared[i];
            const std::size_t owner = shares.ownerOf(range.file);
            if (part.index != (owner != 0 ? owner : i % part.count + 1)) {
                continue;
            }
            CAIRN_CHECK(m_job.context.proceed());
            CAIRN_TRY(const ByteSourcePtr source, m_job.plan.source->openFile(range.source));
            const Clock::time_point start = Clock::now();
            CAIRN_TRY(const bool shared,
                      m_job.fileOps.share(m_files[range.file].handle, range.offset,
                                          source->descriptor(), range.sourceOffset, range.length));
            outcome.seconds += secondsSince(start);
            if (shared) {
                outcome.bytes += range.length;
                m_job.context.addWritten(range.length);
            } else {
                m_refused.push_back(&range);
            }
        }
        CAIRN_CHECK(copyRefused());
        return outcome;
    }

private:
    struct Piece {
        const SharedRange* range = nullptr;
        std::uint64_t at = 0; ///< offset in the range
    };

    Result<void> copyRefused() {
        if (m_refused.empty()) {
            return {};
        }
        m_job.context.log("The file system does not support shared blocks; they are copied");
        std::vector<Piece> pieces;
        for (const SharedRange* range : m_refused) {
            CAIRN_CHECK(m_job.fileOps.preallocate(m_files[range->file].handle, range->offset,
                                                  range->length));
            for (std::uint64_t at = 0; at < range->length; at += m_job.options.chunkBytes) {
                pieces.push_back({range, at});
            }
        }
        std::atomic<std::size_t> next{0};
        return runOnThreads(
            m_job.options.threads, [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
                const AlignedBuffer buffer(m_job.options.chunkBytes);
                for (std::size_t i = next++; i < pieces.size() && !stop.load(); i = next++) {
                    CAIRN_CHECK(copy(pieces[i], buffer));
                }
                return {};
            });
    }

    Result<void> copy(const Piece& piece, const AlignedBuffer& buffer) {
        CAIRN_CHECK(m_job.context.proceed());
        const SharedRange& range = *piece.range;
        const StagedFile& file = m_files[range.file];
        const auto bytes = buffer.bytes().first(static_cast<std::size_t>(
            std::min<std::uint64_t>(buffer.bytes().size(), range.length - piece.at)));
        CAIRN_TRY(const ByteSourcePtr source, m_job.plan.source->openFile(range.source));
        CAIRN_CHECK(source->readAt(range.sourceOffset + piece.at, bytes));
        m_job.context.addRead(bytes.size());
        CAIRN_CHECK(m_job.fileOps.writeAt(file.handle, range.offset + piece.at, bytes));
        if (!file.direct) {
            m_job.fileOps.writeback(file.handle, range.offset + piece.at, bytes.size(),
                                    Pages::Dropped);
        }
        m_job.context.addWritten(bytes.size());
        return {};
    }

    const EngineJob& m_job;
    std::span<const StagedFile> m_files;
    std::vector<const SharedRange*> m_refused;
};

} // namespace

Sharing findSharing(const Checkpoint& source, const std::filesystem::path& folder) {
    Sharing sharing;
    const FileHandle opened(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
    const auto target = opened.valid() ? sharingFileSystem(opened.fd()) : std::nullopt;
    if (!target) {
        return sharing;
    }
    std::map<std::uint64_t, bool> devices;
    bool any = false;
    for (std::size_t i = 0; i < source.files().size(); ++i) {
        const CheckpointFile& file = source.files()[i];
        const bool real = !file.missing && file.source == nullptr;
        const auto known = devices.find(file.identity.device);
        const bool shares =
            real && (known != devices.end() ? known->second
                                            : isOnFileSystem(*target, source, FileIndex(i)));
        if (real) {
            devices.emplace(file.identity.device, shares);
        }
        sharing.files.push_back(shares);
        any = any || shares;
    }
    sharing.block = any ? std::max<std::uint32_t>(target->block, kBlock) : 0;
    sharing.fileSystem = target->name;
    return sharing;
}

Result<ShareOutcome> shareBlocks(const EngineJob& job, std::span<const StagedFile> files) {
    return SharePass(job, files).run();
}

} // namespace cairn
