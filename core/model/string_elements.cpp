// SPDX-License-Identifier: Apache-2.0
#include "core/model/string_elements.h"

#include "core/base/endian.h"
#include "core/model/coverage.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace cairn {
namespace {

constexpr std::size_t kWindow = std::size_t{64} << 10U;
constexpr std::uint64_t kLengthBytes = 8;

Error badForm(const TensorEntry& tensor, std::uint64_t at, Sentence found) {
    return fail(ErrorCode::BadEncoding, "The strings' lengths do not match the size of the data")
        .inTensor(tensor.name)
        .inField("element " + std::to_string(at))
        .butFound(std::move(found));
}

/// Reads the canonical form of one piece forwards.
class Cursor {
public:
    Cursor(const LocatedPiece& piece, const TensorEntry& tensor)
        : m_source(*piece.source), m_tensor(tensor), m_at(piece.bytes.offset),
          m_left(piece.bytes.length) {}

    [[nodiscard]] std::uint64_t left() const { return m_left + (m_filled - m_used); }

    /// The length of element `index`, checked to be inside the piece.
    Result<std::uint64_t> length(std::uint64_t index) {
        std::array<std::byte, kLengthBytes> bytes;
        if (left() < bytes.size()) {
            return badForm(m_tensor, index, "the end of the data");
        }
        CAIRN_CHECK(take(bytes));
        const auto value = loadLittle<std::uint64_t>(bytes);
        if (value > left()) {
            return badForm(m_tensor, index, sentence("a length of %1 bytes", value));
        }
        return value;
    }

    /// REQUIRES: out.size() <= left(), as for skip().
    Result<void> take(std::span<std::byte> out) {
        while (!out.empty()) {
            CAIRN_CHECK(fill());
            const std::size_t count = std::min(out.size(), m_filled - m_used);
            std::copy_n(m_window.begin() + static_cast<std::ptrdiff_t>(m_used), count, out.begin());
            m_used += count;
            out = out.subspan(count);
        }
        return {};
    }

    Result<void> skip(std::uint64_t count) {
        // Reads instead of seeking: a decoder has to decode the bytes anyway, and checks its end.
        while (count > 0) {
            CAIRN_CHECK(fill());
            const auto step =
                static_cast<std::size_t>(std::min<std::uint64_t>(count, m_filled - m_used));
            m_used += step;
            count -= step;
        }
        return {};
    }

private:
    Result<void> fill() {
        if (m_used < m_filled) {
            return {};
        }
        m_window.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindow, m_left)));
        CAIRN_CHECK(m_source.readAt(m_at, m_window));
        m_at += m_window.size();
        m_left -= m_window.size();
        m_filled = m_window.size();
        m_used = 0;
        return {};
    }

    const ByteSource& m_source;
    const TensorEntry& m_tensor;
    std::uint64_t m_at;
    std::uint64_t m_left; ///< bytes beyond the window
    std::vector<std::byte> m_window;
    std::size_t m_filled = 0;
    std::size_t m_used = 0;
};

/// Calls visit(index of the element in the piece's box, its length, cursor) for each element;
/// `visit` must take or skip exactly `length` bytes.
template <class Visit>
Result<void> forEachElement(const Checkpoint& checkpoint, const TensorEntry& tensor,
                            const Piece& piece, const CancelToken& cancel, Visit&& visit) {
    const std::uint64_t count = elementCount(piece.box.extent).value_or(0);
    if (count == 0) {
        return {};
    }
    CAIRN_TRY(const LocatedPiece located, checkpoint.locate(tensor, piece));
    if (!located.strides.empty() || located.flags.any() ||
        !located.bytes.fitsInto(located.source->size())) {
        return fail(ErrorCode::Internal, "Invalid layout of strings").inTensor(tensor.name);
    }
    if (count > located.bytes.length / kLengthBytes) {
        return badForm(tensor, 0,
                       sentence("%1 bytes for %2 elements", located.bytes.length, count));
    }
    Cursor cursor(located, tensor);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i % 4096 == 0) {
            CAIRN_CHECK(cancel.check());
        }
        CAIRN_TRY(const std::uint64_t length, cursor.length(i));
        CAIRN_CHECK(visit(i, length, cursor));
    }
    if (cursor.left() != 0) {
        return badForm(tensor, count, sentence("%1 bytes after the last one", cursor.left()));
    }
    return located.source->checkUnchanged();
}

/// Position in `box` of element `index` of `from`, in C order; empty: outside.
std::optional<std::size_t> placeIn(const Box& box, const Box& from, std::uint64_t index) {
    std::uint64_t place = 0;
    std::uint64_t step = 1;
    for (std::size_t d = from.extent.size(); d-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(from.extent[d]);
        const std::int64_t at = from.origin[d] + static_cast<std::int64_t>(index % extent);
        index /= extent;
        if (at < box.origin[d] || at - box.origin[d] >= box.extent[d]) {
            return std::nullopt;
        }
        place += static_cast<std::uint64_t>(at - box.origin[d]) * step;
        step *= static_cast<std::uint64_t>(box.extent[d]);
    }
    return static_cast<std::size_t>(place);
}

Error tooMuch(const TensorEntry& tensor, std::uint64_t limit) {
    return fail(ErrorCode::LimitExceeded, "The strings exceed the memory limit")
        .inTensor(tensor.name)
        .expecting(sentence("at most %1 bytes", limit));
}

/// Combines small runs, so that the sink is not called for every length.
class Collector {
public:
    explicit Collector(const std::function<Result<void>(std::span<const std::byte>)>& sink)
        : m_sink(sink) {
        m_bytes.reserve(kWindow);
    }

    Result<void> addLength(std::uint64_t length) {
        std::array<std::byte, kLengthBytes> bytes;
        storeLittle(bytes, 0, length);
        return add(bytes);
    }

    Result<void> add(std::span<const std::byte> bytes) {
        if (m_bytes.size() + bytes.size() > kWindow) {
            CAIRN_CHECK(flush());
        }
        if (bytes.size() > kWindow) {
            return m_sink(bytes);
        }
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return {};
    }

    Result<void> addFrom(Cursor& cursor, std::uint64_t length) {
        std::array<std::byte, 4096> part;
        while (length > 0) {
            const auto run = std::span(part).first(
                static_cast<std::size_t>(std::min<std::uint64_t>(length, part.size())));
            CAIRN_CHECK(cursor.take(run));
            CAIRN_CHECK(add(run));
            length -= run.size();
        }
        return {};
    }

    Result<void> flush() {
        if (m_bytes.empty()) {
            return {};
        }
        auto given = m_sink(m_bytes);
        m_bytes.clear();
        return given;
    }

private:
    const std::function<Result<void>(std::span<const std::byte>)>& m_sink;
    std::vector<std::byte> m_bytes;
};

} // namespace

void appendStringElement(std::vector<std::byte>& canonical, std::span<const std::byte> element) {
    const std::size_t at = canonical.size();
    canonical.resize(at + kLengthBytes);
    storeLittle(canonical, at, static_cast<std::uint64_t>(element.size()));
    canonical.insert(canonical.end(), element.begin(), element.end());
}

Result<std::vector<std::string>> readStrings(const Checkpoint& checkpoint,
                                             const TensorEntry& tensor, const Box& box,
                                             std::uint64_t limit, const CancelToken& cancel) {
    const std::uint64_t count =
        elementCount(box.extent).value_or(std::numeric_limits<std::uint64_t>::max());
    if (!hasStrings(tensor.dtype) || !fitsInto(box, tensor.shape)) {
        return fail(ErrorCode::InvalidArgument, "The tensor does not contain strings")
            .inTensor(tensor.name);
    }
    CAIRN_CHECK(requireCovered(tensor));
    if (count > limit / sizeof(std::string)) {
        return tooMuch(tensor, limit);
    }
    std::vector<std::string> strings;
    std::uint64_t left = limit - count * sizeof(std::string);
    // Memory is allocated only once an element is found, because a shape may be crafted.
    const auto keep = [&](const Piece& piece, std::uint64_t index, std::uint64_t length,
                          Cursor& cursor) -> Result<void> {
        const auto place = placeIn(box, piece.box, index);
        if (!place) {
            return cursor.skip(length);
        }
        strings.resize(static_cast<std::size_t>(count));
        std::string& text = strings[*place];
        left += text.size();
        text.clear();
        if (length > left) {
            return tooMuch(tensor, limit);
        }
        left -= length;
        text.resize(static_cast<std::size_t>(length));
        return cursor.take(std::as_writable_bytes(std::span(text)));
    };
    for (const Piece& piece : tensor.pieces) {
        CAIRN_CHECK(forEachElement(checkpoint, tensor, piece, cancel,
                                   [&](std::uint64_t index, std::uint64_t length, Cursor& cursor) {
                                       return keep(piece, index, length, cursor);
                                   }));
    }
    return strings;
}

Result<std::vector<std::byte>> readStringBytes(const Checkpoint& checkpoint,
                                               const TensorEntry& tensor, std::uint64_t limit) {
    std::vector<std::byte> bytes;
    const auto keep = [&](std::span<const std::byte> chunk) -> Result<void> {
        if (chunk.size() > limit - bytes.size()) {
            return tooMuch(tensor, limit);
        }
        bytes.insert(bytes.end(), chunk.begin(), chunk.end());
        return {};
    };
    CAIRN_CHECK(streamStrings(checkpoint, tensor, {}, nullptr, keep));
    return bytes;
}

Result<void> streamStrings(const Checkpoint& checkpoint, const TensorEntry& tensor,
                           const CancelToken& cancel, std::atomic<std::uint64_t>* progress,
                           const std::function<Result<void>(std::span<const std::byte>)>& sink) {
    CAIRN_CHECK(requireCovered(tensor));
    Collector out(sink);
    const Box whole = Box::whole(tensor.shape);
    const auto give = [&](std::uint64_t, std::uint64_t length, Cursor& cursor) -> Result<void> {
        CAIRN_CHECK(out.addLength(length));
        return out.addFrom(cursor, length);
    };
    if (tensor.pieces.size() == 1 && tensor.pieces.front().box == whole) {
        CAIRN_CHECK(forEachElement(checkpoint, tensor, tensor.pieces.front(), cancel, give));
    } else {
        CAIRN_TRY(const std::vector<std::string> strings,
                  readStrings(checkpoint, tensor, whole, kMaxStringMemory, cancel));
        for (const std::string& text : strings) {
            CAIRN_CHECK(out.addLength(text.size()));
            CAIRN_CHECK(out.add(asBytes(text)));
        }
    }
    CAIRN_CHECK(out.flush());
    if (progress != nullptr) {
        progress->fetch_add(tensor.bytes(), std::memory_order_relaxed);
    }
    return {};
}

} // namespace cairn
