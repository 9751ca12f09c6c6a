// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/run_writer.h"

#include "core/io/hash.h"
#include "core/jobs/stored_checksums.h"

#include <algorithm>
#include <cstring>

namespace cairn {

std::unique_ptr<SeamStore::Block> SeamStore::add(std::uint32_t file, std::uint64_t blockOffset,
                                                 std::size_t at, std::span<const std::byte> bytes,
                                                 std::size_t expected) {
    const std::scoped_lock lock(m_mutex);
    auto& block = m_blocks[{file, blockOffset}];
    if (block == nullptr) {
        block = std::make_unique<Block>();
    }
    std::ranges::copy(bytes, block->bytes.begin() + static_cast<std::ptrdiff_t>(at));
    block->filled += bytes.size();
    if (block->filled < expected) {
        return nullptr;
    }
    auto full = std::move(block);
    m_blocks.erase({file, blockOffset});
    return full;
}

bool SeamStore::empty() const {
    const std::scoped_lock lock(m_mutex);
    return m_blocks.empty();
}

WriteState::WriteState(const CopyPlan& thePlan, std::span<const FileParts> theParts,
                       std::span<const StagedFile> theFiles, FileOps& theFileOps,
                       JobContext& theContext, const EngineOptions& theOptions,
                       Checksums& theChecksums)
    : plan(thePlan), parts(theParts), files(theFiles), fileOps(theFileOps), context(theContext),
      options(theOptions), checksums(theChecksums) {
    for (const FileParts& file : parts) {
        const std::size_t count = file.file().tensors.size();
        known.push_back(std::make_unique<std::atomic<bool>[]>(count));
        for (std::size_t i = 0; i < count;
             ++i) { // the checksum of no bytes is 0, and no run has them
            known.back()[i].store(file.file().tensors[i].length == 0, std::memory_order_relaxed);
        }
    }
}

void WriteState::addPatch(LatePatch patch) {
    const std::scoped_lock lock(m_mutex);
    m_patches.push_back(patch);
}

Result<void> WriteState::finish() {
    if (!seams.empty()) {
        return fail(ErrorCode::Internal, "Some blocks of the output were not filled");
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::uint64_t size = parts[i].file().size;
        if (files[i].direct && size % kBlock != 0) {
            CAIRN_CHECK(fileOps.truncate(files[i].handle, size));
        }
    }
    std::ranges::sort(m_patches, {},
                      [](const LatePatch& patch) { return std::pair(patch.file, patch.offset); });
    std::optional<std::uint32_t> buffered;
    for (const LatePatch& patch : m_patches) {
        CAIRN_CHECK(context.proceed());
        const StagedFile& file = files[patch.file];
        if (file.direct && buffered != patch.file && !fileOps.setDirect(file.handle, false)) {
            return fail(ErrorCode::WriteFailed, "The output cannot be written in small pieces")
                .inFile(file.handle.name());
        }
        buffered = patch.file;
        std::array<std::byte, 4> value{};
        patchChecksum(value, patch.offset, patch.offset, patch.crc);
        CAIRN_CHECK(fileOps.writeAt(file.handle, patch.offset, value));
    }
    return {};
}

RunWriter::RunWriter(WriteState& state)
    : m_state(state), m_buffer(state.options.chunkBytes + kSlack) {}

Result<void> RunWriter::write(const Run& run) {
    m_run = run;
    m_base = alignDown(run.begin);
    m_fill = static_cast<std::size_t>(run.begin - m_base);
    for (const Part& part : parts().parts().subspan(run.firstPart, run.partCount)) {
        CAIRN_CHECK(part.tensor ? addTensor(part) : addLiteral(part));
    }
    return flush(true);
}

Result<void> RunWriter::addLiteral(const Part& part) {
    const auto& literal = parts().file().literals[part.index].bytes;
    for (std::size_t done = 0; done < literal.size();) {
        if (m_fill >= chunk()) {
            CAIRN_CHECK(flush(false));
        }
        const std::size_t size = std::min(literal.size() - done, chunk() - m_fill);
        const auto target = m_buffer.bytes().subspan(m_fill, size);
        std::ranges::copy(std::span(literal).subspan(done, size), target.begin());
        const std::uint64_t offset = part.offset + done;
        for (const ChecksumSlot& slot : parts().slotsWithin(offset, offset + size)) {
            if (m_state.known[m_run.file][slot.segment].load(std::memory_order_acquire)) {
                patchChecksum(target, offset, slot.offset,
                              m_state.checksums[m_run.file][slot.segment]);
            }
        }
        m_fill += size;
        done += size;
    }
    return {};
}

Result<void> RunWriter::addTensor(const Part& part) {
    const TensorSegment& segment = parts().file().tensors[part.index];
    const Checkpoint& source = *m_state.plan.source;
    CAIRN_TRY(const TensorReader reader, TensorReader::open(source, source.tensor(segment.source)));
    const std::uint64_t element = reader.elementBytes();
    std::uint32_t& checksum = m_state.checksums[m_run.file][part.index];
    const bool whole = segment.box == Box::whole(source.tensor(segment.source).shape);
    StoredChecksums stored(source.tensor(segment.source), reader);
    for (std::uint64_t done = 0; done < part.length;) {
        CAIRN_CHECK(m_state.context.proceed());
        if (m_fill >= chunk()) {
            CAIRN_CHECK(flush(false));
        }
        const std::uint64_t room = (chunk() - m_fill + element - 1) / element * element;
        const auto size = static_cast<std::size_t>(std::min(part.length - done, room));
        const auto bytes = m_buffer.bytes().subspan(m_fill, size);
        CAIRN_CHECK(reader.readBytes(segment.box, done, bytes, m_scratch));
        m_state.context.addRead(size);
        if (whole) {
            CAIRN_CHECK(stored.add(bytes));
        }
        if (parts().checksummed()) {
            checksum = crc32(checksum, bytes);
        }
        m_fill += size;
        done += size;
    }
    finishTensor(part.index);
    return {};
}

void RunWriter::finishTensor(std::uint32_t tensor) {
    const std::uint32_t crc = m_state.checksums[m_run.file][tensor];
    m_state.known[m_run.file][tensor].store(true, std::memory_order_release);
    const auto all = parts().parts();
    const std::uint64_t inBuffer = std::max(m_base, m_run.begin);
    const std::uint64_t here = m_base + m_fill;
    for (const ChecksumSlot& slot : parts().slotsOf(tensor)) {
        const bool ahead = slot.offset >= here && slot.offset < m_run.end;
        const bool waits = slot.offset >= all.back().offset && !all.back().tensor &&
                           all.back().offset >= m_run.end;
        if (slot.offset >= inBuffer && slot.offset + 4 <= here) {
            patchChecksum(m_buffer.bytes().first(m_fill), m_base, slot.offset, crc);
        } else if (!ahead && !waits) {
            m_state.addPatch({m_run.file, slot.offset, crc});
        }
    }
}

Result<void> RunWriter::flush(bool last) {
    const std::uint64_t begin = std::max(m_base, m_run.begin);
    const std::uint64_t end = m_base + m_fill;
    std::uint64_t body = m_base;
    if (begin > m_base &&
        (last || end >= m_base + kBlock)) { // the first block is shared with the run before
        CAIRN_CHECK(addSeam(begin, std::min(m_base + kBlock, end)));
        body = m_base + kBlock;
    }
    const std::uint64_t bodyEnd = alignDown(end);
    if (body < bodyEnd) {
        const auto bytes = m_buffer.bytes().subspan(static_cast<std::size_t>(body - m_base),
                                                    static_cast<std::size_t>(bodyEnd - body));
        CAIRN_CHECK(writeBlock(body, bytes));
    }
    if (last) {
        return std::max(body, bodyEnd) < end ? addSeam(bodyEnd, end) : Result<void>();
    }
    const auto rest = static_cast<std::size_t>(end - bodyEnd);
    std::memmove(m_buffer.bytes().data(), m_buffer.bytes().data() + (bodyEnd - m_base), rest);
    m_base = bodyEnd;
    m_fill = rest;
    return {};
}

Result<void> RunWriter::addSeam(std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t blockOffset = alignDown(begin);
    const std::uint64_t size = std::min<std::uint64_t>(kBlock, parts().file().size - blockOffset);
    const auto bytes = m_buffer.bytes().subspan(static_cast<std::size_t>(begin - m_base),
                                                static_cast<std::size_t>(end - begin));
    const auto full =
        m_state.seams.add(m_run.file, blockOffset, static_cast<std::size_t>(begin - blockOffset),
                          bytes, static_cast<std::size_t>(size));
    if (full == nullptr) {
        return {};
    }
    const bool direct = m_state.files[m_run.file].direct;
    return writeBlock(
        blockOffset,
        std::span(full->bytes).first(direct ? kBlock : static_cast<std::size_t>(size)));
}

Result<void> RunWriter::writeBlock(std::uint64_t offset, std::span<const std::byte> bytes) {
    const StagedFile& file = m_state.files[m_run.file];
    CAIRN_CHECK(m_state.fileOps.writeAt(file.handle, offset, bytes));
    if (!file.direct && bytes.size() > kBlock) {
        m_state.fileOps.writeback(file.handle, offset, bytes.size(), true);
    }
    const std::uint64_t size = parts().file().size;
    m_state.context.addWritten(std::min<std::uint64_t>(bytes.size(), size - offset));
    return {};
}

} // namespace cairn
