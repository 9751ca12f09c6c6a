// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/verify_pass.h"

#include "core/io/extent_sharing.h"
#include "core/io/near_reads.h"
#include "core/jobs/context/ordered_hash.h"
#include "core/jobs/context/worker_threads.h"
#include "core/jobs/elements/expected_elements.h"
#include "core/jobs/engine/device_reader.h"
#include "core/jobs/engine/tensor_hashes.h"
#include "core/jobs/engine/value_watch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>

/// Verifies every byte of the output, read from the disk.
///
/// Workers take chunks of the files in order, read each from the device, read the expected content
/// from its origin (the literals, the source checkpoint) and compare: that is the proof. Digests
/// are a record for later. They need their bytes in order, so a worker that has compared its chunk
/// waits for its turn at the file's SHA-256, then at the tensors' digests. Chunks are also handed
/// out in order, so that the worker it waits for is always active: there can be no deadlock. The
/// SHA-256 of a file keeps one core busy; everything else, the tensors' XXH3 too, runs at the speed
/// of memory and shares the others. A signed output has a SHA-256 of each tensor instead.
///
/// The proof does not rest on trust in this code alone. Each worker changes bytes of its first
/// chunk, and must find them; every byte of the files must have been compared, or proved as below;
/// and the CRC-32 in headers, which the writer computed, are computed again from what was read.
///
/// Ranges that the plan shares with the source can be proved without reading: FIEMAP reports for
/// the finished output and for the source where each byte is on the disk. The same locations have
/// the same bytes; such a range is not read twice from the device, but once, through the source
/// (whose pages are often cached), for the hashes. If FIEMAP is not supported, or reports different
/// locations (a file system that refused, compressed extents), the range is re-read and compared
/// like any other.
namespace cairn {
namespace {

struct Chunk {
    std::size_t file = 0;
    std::uint64_t offset = 0;
    std::size_t length = 0;
};

struct VerifyFile {
    VerifyFile(DeviceReader theReader, const FileParts& theParts,
               std::span<const std::uint32_t> theChecksums, std::vector<FilledSlot> theSlots,
               DigestKind kind)
        : reader(std::move(theReader)), parts(theParts), checksums(theChecksums),
          indexSlots(std::move(theSlots)), tensorHashes(theParts, theChecksums, kind) {}

    /// Bytes [begin, end) are blocks that are shared with the source.
    struct Proven {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        ByteSourcePtr source;
        std::uint64_t sourceOffset = 0;
    };
    /// The proven range that contains the complete chunk, or null.
    [[nodiscard]] const Proven* provenAt(const Chunk& chunk) const {
        const auto after = std::ranges::upper_bound(proven, chunk.offset, {}, &Proven::begin);
        const bool holds =
            after != proven.begin() && chunk.offset + chunk.length <= std::prev(after)->end;
        return holds ? &*std::prev(after) : nullptr;
    }

    DeviceReader reader;
    const FileParts& parts;
    std::span<const std::uint32_t> checksums;
    std::vector<FilledSlot> indexSlots;
    std::vector<Proven> proven; ///< ascending
    OrderedHash hash;
    TensorHashes tensorHashes;
};

Error mismatch(const VerifyFile& file, std::uint64_t offset) {
    return fail(ErrorCode::VerifyMismatch, "The output does not contain what was written")
        .inFile(file.parts.file().name)
        .at(offset)
        .withHint("The disk or the memory may be failing; nothing was published");
}

Error unproven(const VerifyFile& file) {
    return fail(ErrorCode::Internal, "The verification does not compare every byte")
        .inFile(file.parts.file().name)
        .withHint("Nothing was published; please report this");
}

/// Compares chunks of several files in parallel, as they were written (write_pass.cpp). Not
/// thread-safe.
class Comparer {
public:
    Comparer(const CopyPlan& plan, std::size_t chunkBytes, std::size_t abreast)
        : m_plan(plan), m_read(abreast * alignUp(chunkBytes)), m_expected(chunkBytes + 64) {
        m_scratch.keepsRows = abreast > 1;
        m_lanes.resize(abreast);
        for (std::size_t i = 0; i < abreast; ++i) {
            m_lanes[i].buffer =
                m_read.bytes().subspan(i * alignUp(chunkBytes), alignUp(chunkBytes));
        }
    }

    Result<void> compare(std::span<const std::unique_ptr<VerifyFile>> files,
                         std::span<const Chunk> chunks) {
        std::uint64_t total = 0;
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            CAIRN_CHECK(read(*files[chunks[i].file], chunks[i], m_lanes[i]));
            total += chunks[i].length;
            m_compared += m_lanes[i].proven ? chunks[i].length : 0;
        }
        const std::uint64_t turns = turnsAbreast(total, chunks.size());
        for (std::uint64_t turn = 0; turn < turns; ++turn) {
            for (std::size_t i = 0; i < chunks.size(); ++i) {
                const Chunk& chunk = chunks[i];
                if (!m_lanes[i].proven) {
                    CAIRN_CHECK(compare(*files[chunk.file], chunk, m_lanes[i],
                                        chunk.offset + chunk.length * turn / turns,
                                        chunk.offset + chunk.length * (turn + 1) / turns));
                }
            }
        }
        for (std::size_t i = 0; i < chunks.size() && !m_tried; ++i) {
            if (!m_lanes[i].proven) {
                m_tried = true;
                CAIRN_CHECK(tryOut(*files[chunks[i].file], chunks[i], m_lanes[i]));
            }
        }
        return {};
    }

    /// Bytes of the chunk with that number in the last call.
    [[nodiscard]] std::span<const std::byte> bytes(std::size_t chunk) const {
        return m_lanes[chunk].bytes;
    }
    [[nodiscard]] const CastTally& cast() const { return m_cast; }
    /// Bytes that were compared, or need not be.
    [[nodiscard]] std::uint64_t compared() const { return m_compared; }

private:
    struct Lane {
        std::span<std::byte> buffer;      ///< a part of m_read
        std::span<const std::byte> bytes; ///< of the chunk
        bool proven = false;              ///< they need not be compared
        std::optional<ExpectedElements> elements;
        std::pair<std::size_t, std::uint32_t> tensor; ///< file and segment of `elements`
    };

    static Result<void> read(VerifyFile& file, const Chunk& chunk, Lane& lane) {
        const auto* proven = file.provenAt(chunk);
        lane.proven = proven != nullptr;
        if (proven == nullptr) {
            CAIRN_TRY(lane.bytes, file.reader.read(chunk.offset, chunk.length, lane.buffer));
            return {};
        }
        const auto bytes = lane.buffer.first(chunk.length);
        CAIRN_CHECK(
            proven->source->readAt(proven->sourceOffset + (chunk.offset - proven->begin), bytes));
        lane.bytes = bytes;
        return {};
    }

    /// A comparison that does not find a changed byte proves nothing.
    Result<void> tryOut(const VerifyFile& file, const Chunk& chunk, Lane& lane) {
        const auto parts = file.parts.parts();
        const std::uint64_t end = chunk.offset + chunk.length;
        const std::uint64_t firstEnd = std::min(parts[file.parts.partAt(chunk.offset)].end(), end);
        const std::uint64_t lastBegin =
            std::max(parts[file.parts.partAt(end - 1)].offset, chunk.offset);
        CAIRN_CHECK(findsChange(file, chunk, lane, chunk.offset, firstEnd, chunk.offset));
        return findsChange(file, chunk, lane, lastBegin, end, end - 1);
    }

    /// Fails unless comparing [begin, end) finds that the byte at `changed` is another one.
    Result<void> findsChange(const VerifyFile& file, const Chunk& chunk, Lane& lane,
                             std::uint64_t begin, std::uint64_t end, std::uint64_t changed) {
        const CastTally tally = m_cast; // they are counted already
        const std::uint64_t compared = m_compared;
        std::byte& byte = lane.buffer[static_cast<std::size_t>(changed - chunk.offset)];
        byte ^= std::byte{1};
        const auto found = compare(file, chunk, lane, begin, end);
        byte ^= std::byte{1};
        m_cast = tally;
        m_compared = compared;
        if (!found && found.error().code != ErrorCode::VerifyMismatch) {
            return found.error();
        }
        return !found && found.error().where.offset == changed ? Result<void>() : unproven(file);
    }

    /// Compares bytes [begin, end) of the file, which are in the chunk.
    Result<void> compare(const VerifyFile& file, const Chunk& chunk, Lane& lane,
                         std::uint64_t begin, std::uint64_t end) {
        const auto parts = file.parts.parts();
        for (std::size_t i = file.parts.partAt(begin); i < parts.size() && parts[i].offset < end;
             ++i) {
            const std::uint64_t from = std::max(parts[i].offset, begin);
            const std::uint64_t to = std::min(parts[i].end(), end);
            CAIRN_TRY(const auto expected, parts[i].tensor
                                               ? tensorBytes(file, chunk, parts[i], lane, from, to)
                                               : literalBytes(file, parts[i], from, to));
            const auto found =
                lane.bytes.subspan(static_cast<std::size_t>(from - chunk.offset), expected.size());
            if (std::memcmp(found.data(), expected.data(), expected.size()) != 0) {
                const auto differs = std::ranges::mismatch(found, expected).in1 - found.begin();
                return mismatch(file, from + static_cast<std::uint64_t>(differs));
            }
            m_compared += expected.size();
        }
        return {};
    }

    Result<std::span<const std::byte>> literalBytes(const VerifyFile& file, const Part& part,
                                                    std::uint64_t from, std::uint64_t to) {
        const OutputFile& planned = file.parts.file();
        const auto literal = planned.bytesOf(planned.literals[part.index]);
        const auto size = static_cast<std::size_t>(to - from);
        const auto target = m_expected.bytes().first(size);
        std::ranges::copy(literal.subspan(static_cast<std::size_t>(from - part.offset), size),
                          target.begin());
        for (const ChecksumSlot& slot : file.parts.slotsWithin(from, to)) {
            patchChecksum(target, from, slot.offset, file.checksums[slot.segment]);
        }
        patchSlots(target, from, file.indexSlots);
        return std::span<const std::byte>(target);
    }

    Result<std::span<const std::byte>> tensorBytes(const VerifyFile& file, const Chunk& chunk,
                                                   const Part& part, Lane& lane, std::uint64_t from,
                                                   std::uint64_t to) {
        const std::pair tensor(chunk.file, part.index);
        if (!lane.elements || lane.tensor != tensor) {
            CAIRN_TRY(auto elements,
                      ExpectedElements::open(m_plan, file.parts.file().tensors[part.index]));
            lane.elements = std::move(elements);
            lane.tensor = tensor;
        }
        const std::uint64_t element = lane.elements->elementBytes(); // complete elements only
        const std::uint64_t first = (from - part.offset) / element * element;
        const std::uint64_t last =
            std::min((to - part.offset + element - 1) / element * element, part.length);
        const auto target = m_expected.bytes().first(static_cast<std::size_t>(last - first));
        const std::size_t begun =
            first < from - part.offset ? 1 : 0; // the previous chunk compared it
        CAIRN_CHECK(lane.elements->read(first, target, begun, m_cast, m_scratch));
        return std::span<const std::byte>(
            target.subspan(static_cast<std::size_t>(from - part.offset - first),
                           static_cast<std::size_t>(to - from)));
    }

    const CopyPlan& m_plan;
    AlignedBuffer m_read;
    AlignedBuffer m_expected;
    std::vector<Lane> m_lanes;
    TensorReader::Scratch m_scratch;
    CastTally m_cast;
    std::uint64_t m_compared = 0;
    bool m_tried = false;
};

Result<std::vector<std::unique_ptr<VerifyFile>>>
openFiles(const EngineJob& job, std::span<const FileParts> parts, const Checksums& checksums,
          const std::filesystem::path& path, const std::vector<bool>& selected) {
    const CopyPlan& plan = job.plan;
    const DigestKind kind = job.options.signer != nullptr ? DigestKind::Sha256 : DigestKind::Xxh3;
    std::vector<std::unique_ptr<VerifyFile>> files;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const OutputFile& file = parts[i].file();
        CAIRN_TRY(DeviceReader reader,
                  DeviceReader::open(plan.layout.folder ? path / file.name : path));
        // What others have not finished is not theirs.
        if (reader.size() != file.size && selected[i]) {
            return fail(ErrorCode::VerifyMismatch, "The output has the wrong size")
                .inFile(file.name)
                .butFound(sentence("%1 bytes", reader.size()))
                .expecting(verbatim(std::to_string(file.size)));
        }
        auto slots = selected[i] ? fillIndexSlots(file, checksums) : std::vector<FilledSlot>();
        files.push_back(std::make_unique<VerifyFile>(std::move(reader), parts[i], checksums[i],
                                                     std::move(slots), kind));
    }
    return files;
}

/// Determines which of the plan's shared ranges really are blocks of the source; returns their
/// size.
Result<std::uint64_t> proveShared(const CopyPlan& plan,
                                  const std::vector<std::unique_ptr<VerifyFile>>& files,
                                  const std::vector<bool>& selected) {
    std::uint64_t bytes = 0;
    for (const SharedRange& range : plan.shared) {
        if (!selected[range.file]) {
            continue;
        }
        VerifyFile& file = *files[range.file];
        CAIRN_TRY(ByteSourcePtr source, plan.source->openFile(range.source));
        if (source->descriptor() >= 0 &&
            sameBlocks(file.reader.descriptor(), range.offset, source->descriptor(),
                       range.sourceOffset, range.length)) {
            bytes += range.length;
            file.proven.push_back(
                {range.offset, range.end(), std::move(source), range.sourceOffset});
        }
    }
    return bytes;
}

/// `compared`: bytes of all workers together.
Result<void> checkEveryByte(const std::vector<std::unique_ptr<VerifyFile>>& files,
                            const std::vector<bool>& selected, std::uint64_t compared) {
    std::uint64_t wanted = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const VerifyFile& file = *files[i];
        if (!selected[i]) {
            continue;
        }
        if (file.hash.size() != file.parts.file().size) {
            return unproven(file);
        }
        wanted += file.parts.file().size;
        if (const auto segment = file.tensorHashes.wrongChecksum()) {
            const auto slots = file.parts.slotsOf(*segment); // none: an index has it
            return mismatch(file, slots.empty() ? file.parts.file().tensors[*segment].offset
                                                : slots.front().offset);
        }
    }
    return compared == wanted ? Result<void>() : unproven(*files.front());
}

} // namespace

Result<OutputHashes> verifyBytes(const EngineJob& job, std::span<const FileParts> parts,
                                 const Checksums& checksums, const std::filesystem::path& path,
                                 const std::vector<bool>& selected) {
    const CopyPlan& plan = job.plan;
    forgetNearReads(); // what the write pass was shown proves nothing
    CAIRN_TRY(const auto files, openFiles(job, parts, checksums, path, selected));
    OutputHashes hashes;
    CAIRN_TRY(hashes.provenBytes, proveShared(plan, files, selected));
    const std::size_t abreast = filesAbreast(plan);
    const auto chunkBytes =
        static_cast<std::size_t>(alignUp(chunkAbreast(job.options.chunkBytes, abreast)));
    std::vector<Chunk> chunks;
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::uint64_t at = 0; selected[i] && at < parts[i].file().size; at += chunkBytes) {
            const std::uint64_t left = parts[i].file().size - at;
            chunks.push_back(
                {i, at, static_cast<std::size_t>(std::min<std::uint64_t>(left, chunkBytes))});
        }
    }
    if (abreast > 1) {
        std::ranges::stable_sort(chunks, {}, [&](const Chunk& chunk) {
            return progressIn(parts[chunk.file].file(), chunk.offset);
        });
    }
    const auto groups = sideBySide(std::span<const Chunk>(chunks), abreast);
    std::optional<ValueWatch> watch;
    if (plan.refusesBadValues) {
        watch.emplace(plan, parts);
    }
    std::uint64_t compared = 0; // guarded like the tally
    std::mutex tallyMutex;
    std::atomic<std::size_t> next{0};
    const auto work = [&](std::size_t, const std::atomic<bool>& stop) -> Result<void> {
        Comparer comparer(plan, chunkBytes, abreast);
        for (std::size_t i = next++; i < groups.size() && !stop.load(); i = next++) {
            CAIRN_CHECK(job.context.proceed());
            CAIRN_CHECK(comparer.compare(files, groups[i]));
            for (std::size_t j = 0; j < groups[i].size(); ++j) {
                const Chunk& chunk = groups[i][j];
                VerifyFile& file = *files[chunk.file];
                if (watch) {
                    watch->add(chunk.file, chunk.offset, comparer.bytes(j));
                }
                if (!file.hash.add(chunk.offset, comparer.bytes(j), stop) ||
                    !file.tensorHashes.add(chunk.offset, comparer.bytes(j), stop)) {
                    return {};
                }
                job.context.addVerified(chunk.length);
            }
        }
        const std::scoped_lock lock(tallyMutex);
        hashes.cast.merge(comparer.cast());
        compared += comparer.compared();
        return {};
    };
    CAIRN_CHECK(
        runOnThreads(std::min(job.options.threads, std::max<std::size_t>(groups.size(), 1)), work));
    CAIRN_CHECK(checkEveryByte(files, selected, compared));
    if (watch) {
        CAIRN_CHECK(watch->finish(selected));
    }
    for (const auto& file : files) {
        hashes.files.push_back(file->hash.finish());
        hashes.tensors.push_back(file->tensorHashes.finish());
        hashes.sums.push_back(file->tensorHashes.takeSums());
    }
    return hashes;
}

} // namespace cairn
