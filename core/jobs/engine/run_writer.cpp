// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/run_writer.h"

#include <algorithm>
#include <cstring>

namespace cairn {
namespace {

constexpr std::uint64_t kLongestRow = std::uint64_t{16} << 10U;

std::uint64_t wholeUnits(std::uint64_t bytes, std::uint64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/// Size of the box's innermost dimensions that are short together, so that a step need not split
/// them.
std::uint64_t rowBytes(const Box& box, std::uint64_t elementBytes) {
    std::uint64_t bytes = elementBytes;
    for (std::size_t d = box.extent.size(); d-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(box.extent[d]);
        if (extent > kLongestRow / bytes) {
            break;
        }
        bytes *= extent;
    }
    return bytes;
}

} // namespace

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

bool SeamStore::hasAny(const std::vector<bool>& files) const {
    const std::scoped_lock lock(m_mutex);
    return std::ranges::any_of(m_blocks, [&](const auto& each) { return files[each.first.first]; });
}

WriteState::WriteState(const EngineJob& theJob, std::span<const FileParts> theParts,
                       std::span<const StagedFile> theFiles, Checksums& theChecksums)
    : job(theJob), parts(theParts), files(theFiles), checksums(theChecksums),
      indexSlots(theParts.size()) {
    for (const FileParts& file : parts) {
        const std::size_t count = file.file().tensors.size();
        known.push_back(std::make_unique<std::atomic<bool>[]>(count));
        for (std::size_t i = 0; i < count;
             ++i) { // the checksum of no bytes is 0, and empty segments are in no run
            known.back()[i].store(file.file().tensors[i].length == 0, std::memory_order_relaxed);
            checksums[known.size() - 1][i] = file.file().tensors[i].crcStart;
        }
    }
}

void WriteState::addPatch(LatePatch patch) {
    const std::scoped_lock lock(m_mutex);
    m_patches.push_back(patch);
}

Result<void> WriteState::finish(const std::vector<bool>& selected) {
    if (seams.hasAny(selected)) {
        return fail(ErrorCode::Internal, "Some blocks of the output were not filled");
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::uint64_t size = parts[i].file().size;
        if (selected[i] && files[i].direct && size % kBlock != 0) {
            CAIRN_CHECK(job.fileOps.truncate(files[i].handle, size));
        }
    }
    std::ranges::sort(m_patches, {},
                      [](const LatePatch& patch) { return std::pair(patch.file, patch.offset); });
    std::optional<std::uint32_t> buffered;
    for (const LatePatch& patch : m_patches) {
        if (!selected[patch.file]) {
            continue;
        }
        CAIRN_CHECK(job.context.proceed());
        const StagedFile& file = files[patch.file];
        if (file.direct && buffered != patch.file &&
            !job.fileOps.setIoMode(file.handle, IoMode::Buffered)) {
            return fail(ErrorCode::WriteFailed, "The output cannot be written in small pieces")
                .inFile(file.handle.name());
        }
        buffered = patch.file;
        std::array<std::byte, 4> value{};
        patchChecksum(value, patch.offset, patch.offset, patch.crc);
        CAIRN_CHECK(job.fileOps.writeAt(file.handle, patch.offset, value));
    }
    std::erase_if(m_patches, [&](const LatePatch& patch) { return selected[patch.file]; });
    return {};
}

RunWriter::RunWriter(WriteState& state, std::span<std::byte> buffer,
                     SegmentReader::Scratch& scratch)
    : m_state(state), m_buffer(buffer), m_scratch(&scratch) {}

Result<void> WriteState::restore(const Run& run, const RunRecord& record) {
    const FileParts& file = parts[run.file];
    std::uint64_t bytes = run.bytes();
    for (const RunRecord::Fragment& each : record.fragments) {
        if (each.file != run.file || each.block >= file.file().size || each.block % kBlock != 0 ||
            each.at + each.bytes.size() > kBlock) {
            return journalMisfit();
        }
        CAIRN_CHECK(addFragment(each.file, each.block, each.at, each.bytes));
        bytes -= std::min<std::uint64_t>(bytes, each.bytes.size()); // counted with their block
    }
    CAIRN_CHECK(restoreChecksums(run, record));
    for (const auto& [tensor, crc] : record.checksums) {
        const Part& last = file.parts().back();
        for (const ChecksumSlot& slot : file.slotsOf(tensor)) {
            const bool waits = !last.tensor && slot.offset >= last.offset && last.offset >= run.end;
            if (!waits) {
                addPatch({run.file, slot.offset, crc});
            }
        }
    }
    job.context.addWritten(bytes);
    return {};
}

Result<void> WriteState::restoreChecksums(const Run& run, const RunRecord& record) {
    for (const auto& [tensor, crc] : record.checksums) {
        if (tensor >= checksums[run.file].size()) {
            return journalMisfit();
        }
        checksums[run.file][tensor] = crc;
        known[run.file][tensor].store(true, std::memory_order_release);
    }
    return {};
}

void WriteState::fillIndexes(const std::vector<bool>& selected) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (selected[i]) {
            indexSlots[i] = fillIndexSlots(parts[i].file(), checksums);
        }
    }
}

Result<void> WriteState::addFragment(std::uint32_t file, std::uint64_t block, std::size_t at,
                                     std::span<const std::byte> bytes) {
    const std::uint64_t size = std::min<std::uint64_t>(kBlock, parts[file].file().size - block);
    const auto full = seams.add(file, block, at, bytes, static_cast<std::size_t>(size));
    if (full == nullptr) {
        return {};
    }
    const bool direct = files[file].direct;
    return writeBlocks(
        file, block,
        std::span(full->bytes).first(direct ? kBlock : static_cast<std::size_t>(size)));
}

Result<void> WriteState::writeBlocks(std::uint32_t file, std::uint64_t offset,
                                     std::span<const std::byte> bytes) {
    const StagedFile& staged = files[file];
    CAIRN_CHECK(job.fileOps.writeAt(staged.handle, offset, bytes));
    if (!staged.direct && bytes.size() > kBlock) {
        job.fileOps.writeback(staged.handle, offset, bytes.size(), Pages::Dropped);
    }
    const std::uint64_t size = parts[file].file().size;
    job.context.addWritten(std::min<std::uint64_t>(bytes.size(), size - offset));
    return {};
}

void RunWriter::begin(const Run& run) {
    m_run = run;
    m_record = {run.number, run.bytes(), {}, {}};
    m_base = alignDown(run.begin);
    m_fill = static_cast<std::size_t>(run.begin - m_base);
    m_part = run.firstPart;
    m_partDone = 0;
    m_reader.reset();
}

Result<void> RunWriter::fill(std::uint64_t until) {
    while (position() < until) {
        const Part& part = parts().parts()[m_part];
        CAIRN_CHECK(part.tensor ? addTensor(part, until) : addLiteral(part, until));
        if (m_partDone == part.length) {
            ++m_part;
            m_partDone = 0;
            m_reader.reset();
        }
    }
    if (until < m_run.end) {
        return {};
    }
    CAIRN_CHECK(flush(Flush::Everything));
    return m_state.journal != nullptr ? m_state.journal->add(m_record) : Result<void>();
}

Result<void> RunWriter::addLiteral(const Part& part, std::uint64_t until) {
    const OutputFile& file = parts().file();
    const auto literal = file.bytesOf(file.literals[part.index]);
    while (m_partDone < literal.size() && position() < until) {
        if (m_fill >= chunk()) {
            CAIRN_CHECK(flush(Flush::WholeBlocks));
        }
        const auto done = static_cast<std::size_t>(m_partDone);
        const std::size_t size = std::min(literal.size() - done, chunk() - m_fill);
        const auto target = m_buffer.subspan(m_fill, size);
        std::ranges::copy(literal.subspan(done, size), target.begin());
        const std::uint64_t offset = part.offset + done;
        for (const ChecksumSlot& slot : parts().slotsWithin(offset, offset + size)) {
            if (m_state.known[m_run.file][slot.segment].load(std::memory_order_acquire)) {
                patchChecksum(target, offset, slot.offset,
                              m_state.checksums[m_run.file][slot.segment]);
            }
        }
        patchSlots(target, offset, m_state.indexSlots[m_run.file]);
        m_fill += size;
        m_partDone += size;
    }
    return {};
}

Result<void> RunWriter::addTensor(const Part& part, std::uint64_t until) {
    if (!m_reader) {
        CAIRN_TRY(SegmentReader reader,
                  SegmentReader::open(m_state.job.plan, parts().file().tensors[part.index],
                                      *m_state.job.options.backend, m_state.located));
        m_reader.emplace(std::move(reader));
    }
    const std::uint64_t element = m_reader->elementBytes();
    const std::uint64_t row = rowBytes(parts().file().tensors[part.index].box, element);
    std::uint32_t& checksum = m_state.checksums[m_run.file][part.index];
    while (m_partDone < part.length && position() < until) {
        CAIRN_CHECK(m_state.job.context.proceed());
        if (m_fill >= chunk()) {
            CAIRN_CHECK(flush(Flush::WholeBlocks));
        }
        const std::uint64_t wanted =
            wholeUnits(m_partDone + (until - position()), row) - m_partDone;
        const auto size = static_cast<std::size_t>(
            std::min({part.length - m_partDone, wholeUnits(chunk() - m_fill, element), wanted}));
        const auto bytes = m_buffer.subspan(m_fill, size);
        CAIRN_CHECK(m_reader->read(part.skip + m_partDone, bytes, *m_scratch));
        m_state.job.context.addRead(size);
        if (parts().checksummed()) {
            checksum = parts().addToChecksum(checksum, bytes);
        }
        m_fill += size;
        m_partDone += size;
    }
    if (m_partDone == part.length) {
        finishTensor(part.index);
    }
    return {};
}

void RunWriter::finishTensor(std::uint32_t tensor) {
    const std::uint32_t crc = m_state.checksums[m_run.file][tensor];
    m_state.known[m_run.file][tensor].store(true, std::memory_order_release);
    if (m_state.journal != nullptr && parts().checksummed()) {
        m_record.checksums.emplace_back(tensor, crc);
    }
    const auto all = parts().parts();
    const std::uint64_t inBuffer = std::max(m_base, m_run.begin);
    const std::uint64_t here = m_base + m_fill;
    for (const ChecksumSlot& slot : parts().slotsOf(tensor)) {
        const bool ahead = slot.offset >= here && slot.offset < m_run.end;
        const bool waits = slot.offset >= all.back().offset && !all.back().tensor &&
                           all.back().offset >= m_run.end;
        if (slot.offset >= inBuffer && slot.offset + 4 <= here) {
            patchChecksum(m_buffer.first(m_fill), m_base, slot.offset, crc);
        } else if (!ahead && !waits) {
            m_state.addPatch({m_run.file, slot.offset, crc});
        }
    }
}

Result<void> RunWriter::flush(Flush what) {
    const bool last = what == Flush::Everything;
    const std::uint64_t begin = std::max(m_base, m_run.begin);
    const std::uint64_t end = m_base + m_fill;
    std::uint64_t body = m_base;
    if (begin > m_base &&
        (last || end >= m_base + kBlock)) { // the first block is shared with the previous run
        CAIRN_CHECK(addSeam(begin, std::min(m_base + kBlock, end)));
        body = m_base + kBlock;
    }
    const std::uint64_t bodyEnd = alignDown(end);
    if (body < bodyEnd) {
        const auto bytes = m_buffer.subspan(static_cast<std::size_t>(body - m_base),
                                            static_cast<std::size_t>(bodyEnd - body));
        CAIRN_CHECK(m_state.writeBlocks(m_run.file, body, bytes));
    }
    if (last) {
        return std::max(body, bodyEnd) < end ? addSeam(bodyEnd, end) : Result<void>();
    }
    const auto rest = static_cast<std::size_t>(end - bodyEnd);
    std::memmove(m_buffer.data(), m_buffer.data() + (bodyEnd - m_base), rest);
    m_base = bodyEnd;
    m_fill = rest;
    return {};
}

Result<void> RunWriter::addSeam(std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t block = alignDown(begin);
    const auto bytes = m_buffer.subspan(static_cast<std::size_t>(begin - m_base),
                                        static_cast<std::size_t>(end - begin));
    const auto at = static_cast<std::size_t>(begin - block);
    if (m_state.journal != nullptr) {
        m_record.fragments.push_back({m_run.file, block, at, {bytes.begin(), bytes.end()}});
    }
    return m_state.addFragment(m_run.file, block, at, bytes);
}

} // namespace cairn
