// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/engine/output_parts.h"

#include "core/codec/crc32c/crc32c.h"
#include "core/io/hash.h"
#include "core/model/columns.h"
#include "core/plan/literal_around.h"

#include <array>

namespace cairn {
namespace {

constexpr std::size_t kMostAbreast = 16; ///< limits how small the buffers become

} // namespace

FileParts::FileParts(const OutputFile& file)
    : m_file(&file), m_byOffset(file.checksums), m_byTensor(file.checksums) {
    m_parts.reserve(file.literals.size() + file.tensors.size());
    for (std::size_t i = 0; i < file.literals.size(); ++i) {
        const LiteralSegment& literal = file.literals[i];
        m_parts.push_back(
            {literal.offset, file.bytesOf(literal).size(), static_cast<std::uint32_t>(i), false});
    }
    for (std::size_t i = 0; i < file.tensors.size(); ++i) {
        const TensorSegment& tensor = file.tensors[i];
        m_parts.push_back({tensor.offset, tensor.length, static_cast<std::uint32_t>(i), true});
    }
    std::erase_if(m_parts, [](const Part& part) { return part.length == 0; });
    std::ranges::sort(m_parts, {}, &Part::offset);
    std::ranges::sort(m_byOffset, {}, &ChecksumSlot::offset);
    std::ranges::stable_sort(m_byTensor, {}, &ChecksumSlot::segment);
}

FileParts::FileParts(const OutputFile& file, std::span<const SharedRange> shared)
    : FileParts(file) {
    std::vector<Part> left;
    std::size_t next = 0;
    for (Part part : m_parts) {
        for (; next < shared.size() && shared[next].offset < part.end(); ++next) {
            const SharedRange& range = shared[next];
            if (range.offset > part.offset) {
                left.push_back(part);
                left.back().length = range.offset - part.offset;
            }
            const std::uint64_t until = std::min(range.end(), part.end());
            part.skip += until - part.offset;
            part.length -= until - part.offset;
            part.offset = until;
            if (range.end() > until) {
                break; // continues in the next part
            }
        }
        if (part.length > 0) {
            left.push_back(part);
        }
    }
    m_parts = std::move(left);
}

std::size_t FileParts::partAt(std::uint64_t offset) const {
    const auto after = std::ranges::upper_bound(m_parts, offset, {}, &Part::offset);
    return after == m_parts.begin() ? m_parts.size()
                                    : static_cast<std::size_t>(after - m_parts.begin()) - 1;
}

std::span<const ChecksumSlot> FileParts::slotsWithin(std::uint64_t begin, std::uint64_t end) const {
    const std::uint64_t from = begin < 3 ? 0 : begin - 3; // slots have four bytes
    const auto first = std::ranges::lower_bound(m_byOffset, from, {}, &ChecksumSlot::offset);
    const auto last =
        std::ranges::lower_bound(first, m_byOffset.end(), end, {}, &ChecksumSlot::offset);
    return {first, last};
}

std::span<const ChecksumSlot> FileParts::slotsOf(std::uint32_t tensor) const {
    const auto first = std::ranges::lower_bound(m_byTensor, tensor, {}, &ChecksumSlot::segment);
    const auto last = std::ranges::upper_bound(m_byTensor, tensor, {}, &ChecksumSlot::segment);
    return {first, last};
}

std::uint32_t FileParts::addToChecksum(std::uint32_t crc, std::span<const std::byte> bytes) const {
    return m_file->sumsSegments ? crc32c(crc, bytes) : crc32(crc, bytes);
}

std::vector<FilledSlot> fillIndexSlots(const OutputFile& index, const Checksums& checksums) {
    std::vector<FilledSlot> slots;
    for (const IndexSlot& slot : index.indexSlots) {
        slots.push_back({slot.offset, maskedCrc32c(checksums[slot.file][slot.segment])});
    }
    const std::size_t segments = slots.size();
    for (const BlockSlot& block : index.blockSlots) {
        const LiteralSegment& literal = *literalAround(index, block.bytes); // validate() saw it
        const auto bytes = index.bytesOf(literal).subspan(
            static_cast<std::size_t>(block.bytes.offset - literal.offset),
            static_cast<std::size_t>(block.bytes.length));
        std::vector<std::byte> filled(bytes.begin(), bytes.end());
        patchSlots(filled, block.bytes.offset, std::span(slots).first(segments));
        slots.push_back({block.offset, maskedCrc32c(crc32c(0, filled))});
    }
    std::ranges::sort(slots, {}, &FilledSlot::offset);
    return slots;
}

void patchSlots(std::span<std::byte> bytes, std::uint64_t begin,
                std::span<const FilledSlot> slots) {
    const std::uint64_t from = begin < 3 ? 0 : begin - 3; // slots have four bytes
    auto slot = std::ranges::lower_bound(slots, from, {}, &FilledSlot::offset);
    for (; slot != slots.end() && slot->offset < begin + bytes.size(); ++slot) {
        patchChecksum(bytes, begin, slot->offset, slot->value);
    }
}

std::size_t filesAbreast(const CopyPlan& plan) {
    const auto& files = plan.layout.files;
    const bool columns = std::ranges::any_of(files, [&](const OutputFile& file) {
        return std::ranges::any_of(file.tensors, [&](const TensorSegment& segment) {
            return takesColumns(segment.box, plan.source->tensor(segment.source).shape);
        });
    });
    return columns ? std::clamp(files.size(), std::size_t{1}, kMostAbreast) : 1;
}

double progressIn(const OutputFile& file, std::uint64_t offset) {
    return static_cast<double>(offset) / static_cast<double>(std::max<std::uint64_t>(file.size, 1));
}

void patchChecksum(std::span<std::byte> bytes, std::uint64_t begin, std::uint64_t slotOffset,
                   std::uint32_t crc) {
    std::array<std::byte, 4> value{};
    storeLittle(std::span<std::byte>(value), 0, crc);
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::uint64_t at = slotOffset + i;
        if (at >= begin && at - begin < bytes.size()) {
            bytes[static_cast<std::size_t>(at - begin)] = value[i];
        }
    }
}

} // namespace cairn
