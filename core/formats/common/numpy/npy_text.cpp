// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/formats/common/numpy/npy_array.h"
#include "core/model/string_elements.h"

#include <algorithm>

namespace cairn::formats {
namespace {

class NpyTextCodec : public PieceCodec {
public:
    NpyTextCodec(NpyElement element, std::shared_ptr<const PieceCodec> inner)
        : m_element(element), m_inner(std::move(inner)) {
        m_name = m_inner == nullptr ? "" : std::string(m_inner->name()) + "+";
        m_name += element.kind == NpyKind::Unicode ? "ucs-4" : "padded-text";
    }

    std::string_view name() const override { return m_name; }

    Result<LocatedPiece> locate(const ByteSourcePtr& file, const TensorEntry& tensor,
                                const Piece& piece) const override {
        const std::uint64_t count = elementCount(piece.box.extent).value_or(0);
        const auto wanted = checkedMul(count, m_element.itemBytes);
        const auto memory = checkedMul(count, m_element.itemBytes + 8);
        if (!wanted || !memory || *memory > kMaxStringMemory) {
            return fail(ErrorCode::LimitExceeded, "The string array is too large to be decoded")
                .inTensor(tensor.name)
                .expecting(sentence("at most %1 bytes", kMaxStringMemory));
        }
        CAIRN_TRY(const LocatedPiece stored, inner(file, tensor, piece));
        CAIRN_TRY(const auto bytes, readRange(*stored.source, {stored.bytes.offset, *wanted}));
        std::vector<std::byte> canonical;
        canonical.reserve(static_cast<std::size_t>(*memory));
        const Strides strides =
            piece.strides.empty() ? denseStrides(piece.box.extent) : piece.strides;
        Dims at(piece.box.extent.size(), 0);
        for (std::uint64_t i = 0; i < count; ++i) {
            std::uint64_t place = 0;
            for (std::size_t d = 0; d < at.size(); ++d) {
                place += static_cast<std::uint64_t>(at[d] * strides[d]);
            }
            const auto item =
                std::span(bytes).subspan(static_cast<std::size_t>(place * m_element.itemBytes),
                                         static_cast<std::size_t>(m_element.itemBytes));
            CAIRN_CHECK(addElement(canonical, item, tensor));
            for (std::size_t d = at.size(); d-- > 0;) {
                if (++at[d] < piece.box.extent[d]) {
                    break;
                }
                at[d] = 0;
            }
        }
        LocatedPiece located;
        located.bytes = {0, canonical.size()};
        located.source = makeMemorySource(std::move(canonical), file->name());
        return located;
    }

private:
    Result<LocatedPiece> inner(const ByteSourcePtr& file, const TensorEntry& tensor,
                               const Piece& piece) const {
        if (m_inner != nullptr) {
            return m_inner->locate(file, tensor, piece);
        }
        LocatedPiece raw;
        raw.source = file;
        raw.bytes = piece.bytes;
        return raw;
    }

    Result<void> addElement(std::vector<std::byte>& out, std::span<const std::byte> item,
                            const TensorEntry& tensor) const {
        auto text = npyText(m_element, item);
        if (!text) {
            return std::move(text).error().inTensor(tensor.name);
        }
        appendStringElement(out, asBytes(*text));
        return {};
    }

    NpyElement m_element;
    std::shared_ptr<const PieceCodec> m_inner;
    std::string m_name;
};

} // namespace

Result<std::string> npyText(const NpyElement& element, std::span<const std::byte> item) {
    if (element.kind == NpyKind::Text) {
        while (!item.empty() && item.back() == std::byte{0}) {
            item = item.first(item.size() - 1);
        }
        return std::string(asText(item));
    }
    std::string text;
    std::size_t zeros = 0; // NumPy strips trailing zeros only
    for (std::size_t at = 0; at + 4 <= item.size(); at += 4) {
        auto code = loadLittle<std::uint32_t>(item, at);
        code = element.bigEndian ? __builtin_bswap32(code) : code;
        if (code == 0) {
            ++zeros;
            continue;
        }
        text.append(zeros, '\0');
        zeros = 0;
        if (code > 0x10FFFF) {
            return fail(ErrorCode::BadEncoding,
                        "An element of the string array is not valid Unicode")
                .butFound(sentence("code %1", code));
        }
        appendUtf8(text, code);
    }
    return text;
}

std::shared_ptr<const PieceCodec> makeNpyTextCodec(const NpyElement& element,
                                                   std::shared_ptr<const PieceCodec> inner) {
    return std::make_shared<const NpyTextCodec>(element, std::move(inner));
}

} // namespace cairn::formats
