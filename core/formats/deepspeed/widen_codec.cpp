// SPDX-License-Identifier: Apache-2.0
#include "core/formats/deepspeed/widen_codec.h"

#include "core/model/element.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace cairn::formats::deepspeed {
namespace {

constexpr std::uint64_t kBatch = 4096; // elements

/// Converts stored two-byte elements to four-byte elements.
class WidenedSource : public ByteSource {
public:
    WidenedSource(ByteSourcePtr inner, ByteRange stored, Dtype dtype)
        : m_inner(std::move(inner)), m_stored(stored), m_dtype(dtype) {}

    std::uint64_t size() const override { return m_stored.length * 2; }
    const std::string& name() const override { return m_inner->name(); }
    FileIdentity identity() const override { return m_inner->identity(); }
    Result<void> checkUnchanged() const override { return m_inner->checkUnchanged(); }

    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        if (!ByteRange{offset, out.size()}.fitsInto(size())) {
            return fail(ErrorCode::Truncated, "The read extends beyond the end of the file")
                .inFile(name())
                .at(m_stored.offset);
        }
        std::vector<std::byte> stored(2 * kBatch);
        std::vector<float> wide(kBatch);
        for (std::size_t done = 0; done < out.size();) {
            const std::uint64_t at = offset + done;
            const std::uint64_t first = at / 4;
            const std::uint64_t count = std::min(kBatch, m_stored.length / 2 - first);
            const auto bytes = std::span(stored).first(static_cast<std::size_t>(2 * count));
            CAIRN_CHECK(m_inner->readAt(m_stored.offset + 2 * first, bytes));
            widen(bytes, wide);
            const auto skip = static_cast<std::size_t>(at % 4);
            const std::size_t length =
                std::min(out.size() - done, static_cast<std::size_t>(4 * count) - skip);
            const auto made = std::as_bytes(std::span(wide)).subspan(skip, length);
            std::ranges::copy(made, out.begin() + static_cast<std::ptrdiff_t>(done));
            done += length;
        }
        return {};
    }

private:
    void widen(std::span<const std::byte> bytes, std::span<float> out) const {
        for (std::size_t i = 0; 2 * i < bytes.size(); ++i) {
            const auto element = bytes.subspan(2 * i, 2);
            if (m_dtype ==
                Dtype::Bfloat16) { // the upper half of a float's bits; NaN payloads are preserved
                std::uint16_t half = 0;
                std::memcpy(&half, element.data(), 2);
                const std::uint32_t bits = std::uint32_t{half} << 16U;
                std::memcpy(&out[i], &bits, 4);
            } else {
                out[i] = static_cast<float>(elementAsDouble(m_dtype, element));
            }
        }
    }

    ByteSourcePtr m_inner;
    ByteRange m_stored;
    Dtype m_dtype;
};

class WidenCodec : public PieceCodec {
public:
    explicit WidenCodec(Dtype stored) : m_stored(stored) {}

    std::string_view name() const override {
        return m_stored == Dtype::Bfloat16 ? "bfloat16 as float32" : "float16 as float32";
    }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const auto elements = elementCount(piece.box.extent);
        const bool fits =
            elements && piece.bytes.length == 2 * *elements && piece.bytes.fitsInto(file->size());
        if (!fits) {
            return fail(ErrorCode::Truncated, "The file ends before the end of this tensor's data")
                .inFile(file->name())
                .inTensor(tensor.name)
                .at(piece.bytes.offset)
                .butFound(sentence("%1 bytes in the file", file->size()))
                .expecting(sentence("%1 bytes from that offset", piece.bytes.length));
        }
        auto source = std::make_shared<WidenedSource>(file, piece.bytes, m_stored);
        const std::uint64_t size = source->size();
        return LocatedPiece{std::move(source), {0, size}, {}, {}, std::nullopt, {}};
    }

private:
    Dtype m_stored;
};

} // namespace

std::shared_ptr<const PieceCodec> makeWidenCodec(Dtype stored) {
    return std::make_shared<WidenCodec>(stored);
}

bool isNarrowFloat(Dtype dtype) {
    return dtype == Dtype::Bfloat16 || dtype == Dtype::Float16;
}

} // namespace cairn::formats::deepspeed
