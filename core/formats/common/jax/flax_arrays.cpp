// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/jax/flax_arrays.h"

#include "core/base/visible_text.h"
#include "core/formats/common/members/flat_range.h"

#include <algorithm>

namespace cairn::flax {
namespace {

using msgpack::Kind;
using msgpack::Reader;
using msgpack::Token;

constexpr std::uint64_t kMaxDtypeName = 64;

Error bad(const Token& token, Sentence found) {
    return fail(ErrorCode::FlaxBadArray, "A stored array is invalid")
        .at(token.at)
        .butFound(std::move(found));
}

/// The next token, which must be inside the extension.
Result<Token> within(Reader& reader, const Token& extension) {
    const std::uint64_t end = extension.payload.end();
    if (reader.position() >= end) {
        return bad(extension, "fewer parts than (shape, dtype, bytes)");
    }
    auto token = reader.next();
    if (!token || reader.position() > end || token->payload.end() > end) {
        return bad(extension, "a chunk that extends beyond the array");
    }
    return token;
}

Result<Shape> readShape(Reader& reader, const Token& extension) {
    CAIRN_TRY(const Token list, within(reader, extension));
    if (list.kind != Kind::Array || list.items > kMaxRank) {
        return bad(extension, "no shape");
    }
    std::vector<std::int64_t> extents;
    for (std::uint64_t i = 0; i < list.items; ++i) {
        CAIRN_TRY(const Token extent, within(reader, extension));
        if (extent.kind != Kind::Int || extent.integer < 0) {
            return bad(extension, "an extent that is not an integer");
        }
        extents.push_back(extent.integer);
    }
    return Dims(extents);
}

/// NumPy's dtype names; elements of small types take one byte each. Empty: unknown.
std::optional<Dtype> dtypeOf(const std::string& name) {
    const auto dtype = dtypeFromName(name);
    const DtypeKind kind = dtype ? dtypeInfo(*dtype).kind : DtypeKind::Bytes;
    const bool plain = kind == DtypeKind::Bool || kind == DtypeKind::Unsigned ||
                       kind == DtypeKind::Signed || kind == DtypeKind::Float ||
                       kind == DtypeKind::Complex;
    return plain ? dtype : std::nullopt;
}

std::optional<std::int64_t> asCount(const Value* value) {
    const std::int64_t* number = value == nullptr ? nullptr : value->asInt();
    return number != nullptr && *number >= 0 ? std::optional(*number) : std::nullopt;
}

const Value* under(const std::vector<ValueItem>& map, std::string_view key) {
    for (const ValueItem& item : map) {
        const std::string* text = item.key.asString();
        if (text != nullptr && *text == key) {
            return &item.value;
        }
    }
    return nullptr;
}

/// The items of a list, or of a dict with the keys "0", "1", …, in order.
std::vector<const Value*> inOrder(const Value& container) {
    std::vector<const Value*> values;
    for (std::size_t i = 0; i < container.items().size(); ++i) {
        const ValueItem& item = container.items()[i];
        const std::string* key = item.key.asString();
        if (key != nullptr && *key != std::to_string(i)) {
            const Value* found = container.find(std::to_string(i));
            if (found == nullptr) {
                return {};
            }
            values.push_back(found);
        } else {
            values.push_back(&item.value);
        }
    }
    return values;
}

Error badChunks(Sentence found) {
    return fail(ErrorCode::FlaxBadArray, "The chunks of an array are invalid")
        .butFound(std::move(found));
}

} // namespace

Result<TensorEntry> readArray(Reader& reader, const Token& extension, FileIndex file) {
    reader.enter(extension);
    CAIRN_TRY(const Token parts, within(reader, extension));
    if (parts.kind != Kind::Array || parts.items != 3) {
        return bad(extension, "no (shape, dtype, bytes)");
    }
    TensorEntry tensor;
    CAIRN_TRY(tensor.shape, readShape(reader, extension));
    CAIRN_TRY(const Token name, within(reader, extension));
    if (name.kind != Kind::Text && name.kind != Kind::Binary) {
        return bad(extension, "no dtype");
    }
    CAIRN_TRY(const std::string text, reader.text(name, kMaxDtypeName));
    const auto dtype = dtypeOf(text);
    CAIRN_TRY(const Token bytes, within(reader, extension));
    if (bytes.kind != Kind::Binary && bytes.kind != Kind::Text) {
        return bad(extension, "no bytes");
    }
    const auto count = elementCount(tensor.shape);
    // An unknown one-byte type can still be carried as opaque bytes.
    if (!dtype && (count != bytes.payload.length || text == "object" || text == "bytes")) {
        return fail(ErrorCode::Unsupported, "Unknown element type")
            .at(extension.at)
            .butFound(sentence("\"%1\"", visibleText(text)));
    }
    tensor.dtype = dtype.value_or(Dtype::Opaque);
    const auto size = count ? dtypeBytes(tensor.dtype, *count) : std::nullopt;
    if (size != bytes.payload.length) {
        return bad(extension, sentence("%1 bytes for %2 %3", bytes.payload.length,
                                       dtypeName(tensor.dtype), formatDims(tensor.shape)));
    }
    Piece piece;
    piece.box = Box::whole(tensor.shape);
    piece.file = file;
    piece.bytes = bytes.payload;
    tensor.pieces.push_back(std::move(piece));
    reader.leave(extension);
    return tensor;
}

Result<Value> readComplex(Reader& reader, const Token& extension) {
    reader.enter(extension);
    CAIRN_TRY(const Token pair, within(reader, extension));
    if (pair.kind != Kind::Array || pair.items != 2) {
        return bad(extension, "no (real, imaginary)");
    }
    std::vector<Value> parts;
    for (int i = 0; i < 2; ++i) {
        CAIRN_TRY(const Token part, within(reader, extension));
        if (part.kind == Kind::Float) {
            parts.emplace_back(part.real);
        } else if (part.kind == Kind::Int) {
            parts.emplace_back(static_cast<double>(part.integer));
        } else {
            return bad(extension, "no (real, imaginary)");
        }
    }
    reader.leave(extension);
    return Value::object("builtins.complex",
                         {{Value("real"), parts[0]}, {Value("imag"), parts[1]}});
}

bool isChunkedArray(const std::vector<ValueItem>& map) {
    const Value* mark = under(map, kChunkedKey);
    return mark != nullptr && mark->asBool() != nullptr && *mark->asBool();
}

Result<TensorEntry> joinChunks(const std::vector<ValueItem>& map,
                               const std::vector<TensorEntry>& tensors, std::size_t first) {
    const Value* shape = under(map, "shape");
    const Value* chunks = under(map, "chunks");
    if (shape == nullptr || chunks == nullptr || shape->items().size() > kMaxRank) {
        return badChunks("no shape or no chunks");
    }
    std::vector<std::int64_t> extents;
    for (const Value* extent : inOrder(*shape)) {
        const auto count = asCount(extent);
        if (!count) {
            return badChunks("an extent that is not an integer");
        }
        extents.push_back(*count);
    }
    TensorEntry whole;
    whole.shape = Dims(extents);
    const auto total = elementCount(whole.shape);
    if (!total || extents.size() != shape->items().size()) {
        return badChunks(sentence("shape %1", formatDims(whole.shape)));
    }
    std::uint64_t at = 0;
    for (const Value* chunk : inOrder(*chunks)) {
        const TensorIndex* index = chunk->asTensor();
        if (index == nullptr || index->position() < first || index->position() >= tensors.size()) {
            return badChunks("a chunk that is not an array");
        }
        const TensorEntry& part = tensors[index->position()];
        whole.dtype = at == 0 ? part.dtype : whole.dtype;
        const std::uint64_t count = part.elements();
        if (part.dtype != whole.dtype || part.pieces.size() != 1 || count > *total - at) {
            return badChunks("a chunk with a different type, or more elements than the shape has");
        }
        const std::uint64_t element = dtypeInfo(part.dtype).bits / 8;
        ByteRange bytes = part.pieces[0].bytes;
        for (Box& box : formats::boxesOfRun(whole.shape, at, count)) {
            Piece piece = part.pieces[0];
            const std::uint64_t length = elementCount(box.extent).value_or(0) * element;
            piece.box = std::move(box);
            piece.bytes = {bytes.offset, length};
            bytes.offset += length;
            whole.pieces.push_back(std::move(piece));
        }
        at += count;
    }
    if (at != *total) {
        return badChunks(sentence("%1 elements for shape %2", at, formatDims(whole.shape)));
    }
    return whole;
}

} // namespace cairn::flax
