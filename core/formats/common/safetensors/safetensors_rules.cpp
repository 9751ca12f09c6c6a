// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/safetensors/safetensors_rules.h"

#include "core/base/position_table.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace cairn {
namespace {

/// Warning: every tensor is complete and unambiguous.
Severity severityOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::SafetensorsHole:
    case ErrorCode::SafetensorsTrailingBytes:
    case ErrorCode::SafetensorsBadMetadata:
    case ErrorCode::SafetensorsUnknownDtype:
        return Severity::Warning;
    default:
        return Severity::Error;
    }
}

/// Finds repeated names: open addressing over 64-bit slots with half of the hash and the position.
/// Gives up if names were made to collide; the caller then sorts.
class NameTable {
public:
    explicit NameTable(std::size_t count)
        : m_slots(std::bit_ceil(2 * count + 2)), m_budget(16 * (count + 64)) {}

    /// The position of an equal name that was added before, and which `position` replaces.
    std::optional<std::uint32_t> add(const std::vector<SafetensorsTensor>& tensors,
                                     std::uint32_t position) {
        const std::string_view name = tensors[position].name;
        const std::uint64_t hash = hashOf(name);
        const std::uint64_t slot = (hash & ~kPosition) | (position + 1U);
        for (std::size_t i = hash & (m_slots.size() - 1); m_budget > 0; --m_budget) {
            if (m_slots[i] == 0) {
                m_slots[i] = slot;
                return std::nullopt;
            }
            const auto earlier = static_cast<std::uint32_t>((m_slots[i] & kPosition) - 1);
            if (((m_slots[i] ^ hash) & ~kPosition) == 0 && tensors[earlier].name == name) {
                m_slots[i] = slot;
                return earlier;
            }
            i = (i + 1) & (m_slots.size() - 1);
        }
        return std::nullopt;
    }

    /// Call it some positions before add(): in a large table every lookup waits for memory.
    void prefetch(std::string_view name) const {
        __builtin_prefetch(&m_slots[hashOf(name) & (m_slots.size() - 1)]);
    }

    [[nodiscard]] bool gaveUp() const { return m_budget == 0; }

private:
    static constexpr std::uint64_t kPosition = 0xFFFFFFFF;
    std::vector<std::uint64_t> m_slots;
    std::size_t m_budget; ///< remaining probes
};

std::vector<std::uint32_t> shadowedBySorting(const std::vector<SafetensorsTensor>& tensors) {
    std::vector<std::uint32_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t left, std::uint32_t right) {
        const int names = tensors[left].name.compare(tensors[right].name);
        return names != 0 ? names < 0 : left < right;
    });
    std::vector<std::uint32_t> earlier;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (tensors[order[i]].name == tensors[order[i - 1]].name) {
            earlier.push_back(order[i - 1]);
        }
    }
    return earlier;
}

/// Ascending positions of the tensors whose name occurs again later in the header.
std::vector<std::uint32_t> shadowed(const std::vector<SafetensorsTensor>& tensors) {
    constexpr std::size_t kAhead = 16;
    NameTable table(tensors.size());
    std::vector<std::uint32_t> earlier;
    for (std::uint32_t i = 0; i < tensors.size() && !table.gaveUp(); ++i) {
        if (i + kAhead < tensors.size()) {
            table.prefetch(tensors[i + kAhead].name);
        }
        if (const auto before = table.add(tensors, i)) {
            earlier.push_back(*before);
        }
    }
    if (table.gaveUp()) {
        earlier = shadowedBySorting(tensors);
    }
    std::ranges::sort(earlier);
    return earlier;
}

void dropShadowed(SafetensorsHeader& header, const ByteSource& source) {
    const auto earlier = shadowed(header.tensors);
    if (earlier.empty()) {
        return;
    }
    for (const std::uint32_t position : earlier) {
        noteSafetensors(header, source, header.tensors[position].name,
                        fail(ErrorCode::DuplicateTensor,
                             "The header contains this tensor twice; the last entry is used")
                            .withHint("Readers that use the first and readers that use the last "
                                      "one see different contents"));
    }
    std::size_t kept = 0;
    for (std::size_t i = 0, next = 0; i < header.tensors.size(); ++i) {
        if (next < earlier.size() && earlier[next] == i) {
            ++next;
            continue;
        }
        if (kept != i) {
            header.tensors[kept] = std::move(header.tensors[i]);
        }
        ++kept;
    }
    header.tensors.resize(kept);
}

std::string rangeText(const SafetensorsTensor& tensor) {
    return "[" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + "]";
}

/// In offset order, the tensors must be contiguous, without overlaps or holes.
void checkTiling(SafetensorsHeader& header, const ByteSource& source) {
    const auto& tensors = header.tensors;
    std::vector<std::uint32_t> order(tensors.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto before = [&](std::uint32_t left, std::uint32_t right) {
        return std::pair(tensors[left].begin, tensors[left].end) <
               std::pair(tensors[right].begin, tensors[right].end);
    };
    if (!std::ranges::is_sorted(order, before)) {
        std::ranges::stable_sort(order, before);
    }
    std::uint64_t end = 0;
    for (const std::uint32_t position : order) {
        const SafetensorsTensor& tensor = tensors[position];
        if (tensor.begin > tensor.end) {
            continue; // reported when it was read
        }
        if (tensor.begin < end && tensor.end > tensor.begin) {
            noteSafetensors(header, source, tensor.name,
                            fail(ErrorCode::SafetensorsOverlap,
                                 "The tensor's byte range overlaps another tensor's")
                                .inField("data_offsets")
                                .butFound(verbatim(rangeText(tensor)))
                                .expecting(sentence("a begin at or after %1", end)));
        } else if (tensor.begin > end) {
            noteSafetensors(header, source, tensor.name,
                            fail(ErrorCode::SafetensorsHole, "Unused bytes before this tensor")
                                .inField("data_offsets")
                                .butFound(sentence("%1 bytes", tensor.begin - end)));
        }
        end = std::max(end, tensor.end);
    }
    if (end < header.dataSize) {
        noteSafetensors(
            header, source, {},
            fail(ErrorCode::SafetensorsTrailingBytes, "Trailing bytes after the last tensor")
                .at(header.dataStart + end)
                .butFound(sentence("%1 bytes", header.dataSize - end))
                .withHint("The reference reader rejects such a file"));
    } else if (end > header.dataSize) {
        noteSafetensors(header, source, {},
                        fail(ErrorCode::Truncated, "The file ends before the end of its tensors")
                            .at(header.dataStart + header.dataSize)
                            .butFound(sentence("%1 bytes of tensors", header.dataSize))
                            .expecting(verbatim(std::to_string(end)))
                            .withHint("The copy or download is incomplete; fetch the file again"));
    }
}

/// The header counts 4-bit elements, torch's dtype the bytes that contain two of them: converted to
/// torch's form if rows are complete bytes.
void pairFourBits(SafetensorsTensor& tensor) {
    if (tensor.dtype != Dtype::Float4 || tensor.shape.empty()) {
        return;
    }
    std::int64_t& last = tensor.shape[tensor.shape.size() - 1];
    if (last % 2 == 0) {
        tensor.dtype = Dtype::Float4E2m1fnX2;
        last /= 2;
    }
}

} // namespace

std::optional<Error> assessSafetensorsTensor(SafetensorsTensor& tensor, std::string_view dtype,
                                             std::span<const std::int64_t> shape,
                                             std::uint64_t dataSize, SafetensorsDtypeCache& cache) {
    if (cache.name != dtype || cache.name.empty()) {
        cache = {dtype, dtypeFromSafetensors(dtype)};
    }
    tensor.shape = Shape(shape);
    if (tensor.begin > tensor.end) {
        tensor.dtype = cache.dtype.value_or(Dtype::Opaque);
        tensor.shape = Shape{0};
        return fail(ErrorCode::SafetensorsBadOffsets, "The tensor ends before it begins")
            .inField("data_offsets")
            .butFound(verbatim(rangeText(tensor)));
    }
    const std::uint64_t length = tensor.end - tensor.begin;
    if (!cache.dtype) {
        tensor.sound = tensor.end <= dataSize;
        std::optional<Error> error =
            fail(ErrorCode::SafetensorsUnknownDtype, "Unknown dtype; shown as raw bytes")
                .inField("dtype")
                .butFound(sentence("\"%1\" of shape %2", dtype, formatDims(tensor.shape)));
        tensor.dtype = Dtype::Opaque;
        tensor.shape = Shape{tensor.sound ? static_cast<std::int64_t>(length) : 0};
        return error;
    }
    tensor.dtype = *cache.dtype;
    const auto count = elementCount(tensor.shape);
    const auto bits = count ? checkedMul(*count, dtypeInfo(tensor.dtype).bits) : std::nullopt;
    if (!bits) {
        tensor.shape = Shape{0};
        return fail(ErrorCode::SafetensorsBadShape, "The tensor's size overflows")
            .inField("shape")
            .butFound(sentence("%1 of %2", formatDims(Shape(shape)), dtype));
    }
    if (*bits % 8 != 0) {
        return fail(ErrorCode::SafetensorsBadShape, "The elements do not fill complete bytes")
            .inField("shape")
            .butFound(sentence("%1 of %2", formatDims(tensor.shape), dtype));
    }
    if (*bits / 8 != length) {
        return fail(ErrorCode::SafetensorsSizeMismatch,
                    "The tensor's byte range does not match its shape and dtype")
            .inField("data_offsets")
            .butFound(sentence("%1 bytes", length))
            .expecting(
                sentence("%1 bytes for %2 of %3", *bits / 8, formatDims(tensor.shape), dtype));
    }
    tensor.sound = true;
    pairFourBits(tensor);
    return std::nullopt;
}

void checkSafetensorsRules(SafetensorsHeader& header, const ByteSource& source) {
    dropShadowed(header, source);
    checkTiling(header, source);
}

void noteSafetensors(SafetensorsHeader& header, const ByteSource& source, std::string_view tensor,
                     Error error) {
    const Severity severity = severityOf(error.code);
    header.damaged = header.damaged || severity == Severity::Error;
    if (header.notices.size() >= SafetensorsHeader::kMaxNotices) {
        return;
    }
    error.where.file = source.name();
    error.where.tensor = std::string(tensor);
    header.notices.push_back({severity, std::move(error)});
}

} // namespace cairn
