// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/segments.h"

#include <algorithm>
#include <thread>

namespace cairn::segments {
namespace {

constexpr std::size_t kMaxThreads = 16;

} // namespace

std::size_t segmentCount(std::uint64_t elements) {
    const std::uint64_t segments =
        elements / kSegmentElements + (elements % kSegmentElements != 0 ? 1 : 0);
    return static_cast<std::size_t>(std::max<std::uint64_t>(1, segments));
}

std::vector<Unit> unitsOf(std::span<const Item> items) {
    std::vector<Unit> units;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const std::size_t segments = segmentCount(items[i].elements);
        if (!items[i].divisible) {
            units.push_back({i, 0, segments});
            continue;
        }
        for (std::size_t segment = 0; segment < segments; ++segment) {
            units.push_back({i, segment, 1});
        }
    }
    return units;
}

std::uint64_t readElementsAtOnce(std::uint64_t elementBytes) {
    return std::max<std::uint64_t>(1, kReadBytes / (kBlockElements * elementBytes)) *
           kBlockElements;
}

Result<void> readElements(const TensorReader& reader, const Shape& shape, ElementRange range,
                          const CancelToken& cancel, PassBuffer& buffer,
                          const std::function<Result<void>(std::span<const std::byte>)>& sink) {
    const std::uint64_t size = reader.elementBytes();
    const std::uint64_t step = readElementsAtOnce(size);
    const Box whole = Box::whole(shape);
    for (std::uint64_t at = 0; at < range.count; at += step) {
        CAIRN_CHECK(cancel.check());
        const auto bytes = static_cast<std::size_t>(std::min(step, range.count - at) * size);
        if (buffer.bytes.size() < bytes) {
            buffer.bytes.resize(bytes);
        }
        const auto read = std::span(buffer.bytes).first(bytes);
        CAIRN_CHECK(reader.readBytes(whole, (range.first + at) * size, read, buffer.scratch));
        CAIRN_CHECK(sink(read));
    }
    return {};
}

Result<std::span<const std::byte>> readAt(const TensorReader& reader, const Shape& shape,
                                          std::uint64_t first, std::uint64_t length,
                                          PassBuffer& buffer) {
    const auto size = static_cast<std::size_t>(length);
    buffer.bytes.resize(std::max(buffer.bytes.size(), size));
    const auto bytes = std::span(buffer.bytes).first(size);
    CAIRN_CHECK(reader.readBytes(Box::whole(shape), first, bytes, buffer.scratch));
    return std::span<const std::byte>(bytes);
}

std::size_t threadsFor(std::size_t wanted) {
    return wanted != 0
               ? wanted
               : std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, kMaxThreads);
}

} // namespace cairn::segments
