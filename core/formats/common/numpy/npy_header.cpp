// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy/npy_header.h"

#include "core/base/endian.h"
#include "core/formats/common/numpy/numpy_dtype.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace cairn::formats {
namespace {

constexpr std::uint64_t kMaxHeader = std::uint64_t{1} << 20U; ///< numpy.load's own limit is 10,000
constexpr std::uint64_t kMaxItem = std::uint64_t{1}
                                   << 31U; ///< size of one element; NumPy's own limit
constexpr std::size_t kFirstRead = 256;

Error badHeader(Sentence message) {
    return fail(ErrorCode::NpyBadHeader, std::move(message)).inField("header");
}

Error unknownType(std::string_view text) {
    return fail(ErrorCode::NpyUnknownDtype, "Not a NumPy element type")
        .inField("descr")
        .butFound(verbatim(std::string(text.substr(0, 80))));
}

/// The parts of a type code that is not a plain number: "U10", "M8[ns]", "V2".
struct TypeCode {
    char letter = 0;
    std::uint64_t width = 0;
};

std::optional<TypeCode> splitTypeCode(std::string_view text) {
    if (text.empty()) {
        return std::nullopt;
    }
    TypeCode code{text[0], 0};
    text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code.width);
    const bool hasWidth = error == std::errc();
    text.remove_prefix(hasWidth ? static_cast<std::size_t>(end - text.data()) : 0);
    const bool date = code.letter == 'M' || code.letter == 'm';
    const bool unit = date && text.size() >= 2 && text.front() == '[' && text.back() == ']';
    return (text.empty() || unit) && code.width <= kMaxItem ? std::optional(code) : std::nullopt;
}

/// Raw elements of `width` bytes. ml_dtypes and MLX write their types in this form, with a byte
/// order, which raw bytes do not have.
void readRawType(NpyElement& element, std::uint64_t width, char order) {
    element.nameless = (order == '<' || order == '>') && (width == 1 || width == 2);
    if (element.nameless && width == 2) {
        element.kind = NpyKind::Numbers;
        element.dtype = Dtype::Bfloat16;
    }
}

/// Types other than plain numbers. Empty: not a type of NumPy.
std::optional<NpyElement> elementOf(TypeCode code, char order) {
    NpyElement element;
    element.itemBytes = code.width;
    element.dtype = Dtype::Opaque;
    element.kind = NpyKind::Opaque;
    element.bigEndian = order == '>';
    switch (code.letter) {
    case 'O':
        element.kind = NpyKind::Objects;
        element.itemBytes = 0;
        return element;
    case 'S':
    case 'a':
        element.kind = NpyKind::Text;
        element.dtype = Dtype::String;
        return element;
    case 'U':
        element.kind = NpyKind::Unicode;
        element.dtype = Dtype::String;
        element.itemBytes = code.width * 4;
        return element;
    case 'M':
    case 'm':
        return code.width == 8 ? std::optional(element) : std::nullopt;
    case 'f':
        if (code.width == 1) { // ml_dtypes writes this for float8_e5m2; NumPy cannot read it
            element.kind = NpyKind::Numbers;
            element.dtype = Dtype::Float8E5m2;
            return element;
        }
        return code.width == 12 || code.width == 16 ? std::optional(element) : std::nullopt;
    case 'c':
        return code.width == 24 || code.width == 32 ? std::optional(element) : std::nullopt;
    case 'V':
        readRawType(element, code.width, order);
        return element;
    default:
        return std::nullopt;
    }
}

/// "<f4", "|S10", "<M8[ns]", "bfloat16".
Result<NpyElement> readTypeString(std::string_view text) {
    NpyElement element;
    if (const auto named = dtypeOfNumpyClass(text)) {
        element.dtype = *named;
        element.itemBytes = dtypeInfo(*named).bits / 8;
        return element;
    }
    std::string_view rest = text;
    char order = '=';
    if (!rest.empty() && std::string_view("<>|=").find(rest[0]) != std::string_view::npos) {
        order = rest[0];
        rest.remove_prefix(1);
    }
    if (const auto number = dtypeOfNumpyCode(rest)) {
        element.dtype = *number;
        element.itemBytes = dtypeInfo(*number).bits / 8;
        element.bigEndian = order == '>' && dtypeInfo(*number).componentBits > 8;
        return element;
    }
    const auto code = splitTypeCode(rest);
    const auto other = code ? elementOf(*code, order) : std::nullopt;
    return other ? Result<NpyElement>(*other) : unknownType(text);
}

/// Number of elements of a sub-array: a number or a tuple of numbers.
Result<std::uint64_t> countOf(const PythonLiteral& shape) {
    const auto list = shape.kind == LiteralKind::Integer
                          ? std::span<const PythonLiteral>(&shape, 1)
                          : std::span<const PythonLiteral>(shape.items);
    std::uint64_t count = 1;
    for (const PythonLiteral& extent : list) {
        const auto product =
            extent.kind == LiteralKind::Integer && extent.fits && extent.integer >= 0
                ? checkedMul(count, static_cast<std::uint64_t>(extent.integer))
                : std::nullopt;
        if (!product || *product > kMaxItem) {
            return badHeader("The shape of a field is not a list of sizes").inField("descr");
        }
        count = *product;
    }
    return count;
}

Result<NpyElement> readField(const PythonLiteral& field) {
    const bool sound =
        field.kind == LiteralKind::Tuple && (field.items.size() == 2 || field.items.size() == 3);
    if (!sound) {
        return badHeader("A field of the record is not a pair of name and type").inField("descr");
    }
    CAIRN_TRY(NpyElement element, readNpyDescr(field.items[1]));
    if (field.items.size() == 3) {
        CAIRN_TRY(const std::uint64_t count, countOf(field.items[2]));
        const auto bytes = checkedMul(element.itemBytes, count);
        if (!bytes || *bytes > kMaxItem) {
            return badHeader("An element of the array is too large").inField("descr");
        }
        element.itemBytes = *bytes;
    }
    return element;
}

Result<Shape> readShape(const PythonLiteral* shape) {
    if (shape == nullptr || shape->kind != LiteralKind::Tuple || shape->items.size() > kMaxRank) {
        return badHeader("The shape is not a tuple of sizes").inField("shape");
    }
    Shape dims(shape->items.size(), 0);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const PythonLiteral& extent = shape->items[d];
        if (extent.kind != LiteralKind::Integer || !extent.fits || extent.integer < 0) {
            return badHeader("The shape is not a tuple of sizes").inField("shape");
        }
        dims[d] = extent.integer;
    }
    return dims;
}

bool isPlain(const PythonLiteral& descr) {
    return descr.kind == LiteralKind::Text;
}

} // namespace

Result<NpyElement> readNpyDescr(const PythonLiteral& descr) {
    if (isPlain(descr)) {
        return readTypeString(descr.text);
    }
    if (descr.kind == LiteralKind::Tuple && descr.items.size() == 2) { // (type, shape)
        PythonLiteral field;
        field.kind = LiteralKind::Tuple;
        field.items = {PythonLiteral{}, descr.items[0], descr.items[1]};
        return readField(field);
    }
    if (descr.kind != LiteralKind::List || descr.items.empty()) {
        return badHeader("The element type is neither a string nor a list of fields")
            .inField("descr");
    }
    NpyElement record;
    record.kind = NpyKind::Opaque;
    record.dtype = Dtype::Opaque;
    for (const PythonLiteral& field : descr.items) {
        CAIRN_TRY(const NpyElement element, readField(field));
        record.itemBytes += element.itemBytes;
        if (element.kind == NpyKind::Objects) {
            record.kind = NpyKind::Objects;
        }
        if (record.itemBytes > kMaxItem) {
            return badHeader("An element of the array is too large").inField("descr");
        }
    }
    record.itemBytes = record.kind == NpyKind::Objects ? 0 : record.itemBytes;
    return record;
}

Result<std::uint64_t> npyHeaderLength(std::span<const std::byte> head) {
    if (!asText(head).starts_with(kNpyMagic.substr(0, std::min(head.size(), kNpyMagic.size())))) {
        return badHeader("Not a NumPy array: the magic string is missing").at(0);
    }
    if (head.size() < 10) {
        return fail(ErrorCode::Truncated, "The array's header is truncated")
            .at(head.size())
            .expecting("at least 10 bytes");
    }
    const auto major = std::to_integer<unsigned>(head[6]);
    const auto minor = std::to_integer<unsigned>(head[7]);
    if (major < 1 || major > 3 || minor != 0) {
        return badHeader("Unsupported NumPy file version")
            .at(6)
            .butFound(sentence("%1.%2", major, minor))
            .expecting("1.0, 2.0 or 3.0");
    }
    if (major > 1 && head.size() < 12) {
        return fail(ErrorCode::Truncated, "The array's header is truncated")
            .at(head.size())
            .expecting("at least 12 bytes");
    }
    const std::uint64_t length =
        major == 1 ? loadLittle<std::uint16_t>(head, 8) : loadLittle<std::uint32_t>(head, 8);
    if (length > kMaxHeader) {
        return badHeader("The array's header is implausibly long")
            .at(8)
            .butFound(sentence("%1 bytes", length))
            .expecting(sentence("at most %1", kMaxHeader));
    }
    return (major == 1 ? 10 : 12) + length;
}

Result<NpyHeader> parseNpyHeader(std::span<const std::byte> head) {
    CAIRN_TRY(const std::uint64_t length, npyHeaderLength(head));
    if (head.size() < length) {
        return fail(ErrorCode::Truncated, "The array's header is truncated")
            .at(head.size())
            .expecting(sentence("%1 bytes", length));
    }
    const std::size_t start = std::to_integer<unsigned>(head[6]) == 1 ? 10 : 12;
    const std::string_view text =
        asText(head).substr(start, static_cast<std::size_t>(length) - start);
    auto dict = parsePythonLiteral(text);
    if (!dict) {
        Error error = std::move(dict).error();
        error.where.offset = error.where.offset.value_or(0) + start;
        return error;
    }
    const PythonLiteral* descr = dict->find("descr");
    const PythonLiteral* fortran = dict->find("fortran_order");
    if (descr == nullptr || fortran == nullptr || fortran->kind != LiteralKind::Bool ||
        dict->items.size() != 6) {
        return badHeader("The header is not a dict of descr, fortran_order and shape").at(start);
    }
    NpyHeader header;
    CAIRN_TRY(header.element, readNpyDescr(*descr));
    CAIRN_TRY(header.shape, readShape(dict->find("shape")));
    header.descr = isPlain(*descr)
                       ? descr->text
                       : std::string(text.substr(descr->begin, descr->end - descr->begin));
    header.fortran = fortran->integer != 0;
    header.dataOffset = length;
    const auto count = elementCount(header.shape);
    const auto bytes = count ? checkedMul(*count, header.element.itemBytes) : std::nullopt;
    if (!bytes || *bytes > std::uint64_t{INT64_MAX}) {
        return badHeader("The array's size overflows")
            .inField("shape")
            .butFound(verbatim(formatDims(header.shape)));
    }
    header.dataBytes = *bytes;
    return header;
}

Result<NpyHeader> readNpyHeader(const ByteSource& source, std::uint64_t start) {
    const std::uint64_t size = source.size() - start;
    CAIRN_TRY(auto head, readRange(source, {start, std::min<std::uint64_t>(size, kFirstRead)}));
    CAIRN_TRY(const std::uint64_t length, npyHeaderLength(head));
    if (length > head.size() && length <= size) {
        CAIRN_TRY(head, readRange(source, {start, length}));
    }
    return parseNpyHeader(head);
}

} // namespace cairn::formats
