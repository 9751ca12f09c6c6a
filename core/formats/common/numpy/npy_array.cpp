// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy/npy_array.h"

#include "core/model/role_decision.h"

#include <algorithm>

namespace cairn::formats {
namespace {

constexpr std::size_t kMaxNotices = 200;
constexpr std::size_t kMaxValues = 100'000;

/// Records and similar types get an additional last axis: the bytes of one element.
bool hasByteAxis(const NpyElement& element) {
    return element.kind == NpyKind::Opaque && element.itemBytes != 1;
}

Strides fortranStrides(const Shape& shape) {
    Strides strides(shape.size(), 0);
    std::int64_t step = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        strides[d] = step;
        step *= std::max<std::int64_t>(shape[d], 1);
    }
    return strides;
}

Dims withLast(const Dims& dims, std::int64_t last, std::int64_t scale) {
    Dims longer(dims.size() + 1, last);
    for (std::size_t d = 0; d < dims.size(); ++d) {
        longer[d] = dims[d] * scale;
    }
    return longer;
}

Value shapeValue(const Shape& shape) {
    std::vector<Value> extents;
    for (const std::int64_t extent : shape.span()) {
        extents.emplace_back(extent);
    }
    return Value::list(std::move(extents));
}

Sentence sizeText(std::uint64_t bytes) {
    return sentence("%1 bytes", bytes);
}

} // namespace

NpyTensor npyTensor(const NpyElement& element, const Shape& shape, bool fortran) {
    const std::uint64_t count = elementCount(shape).value_or(0);
    const bool axis = hasByteAxis(element);
    const auto width = static_cast<std::int64_t>(element.itemBytes);
    if (axis && shape.size() == kMaxRank) {
        return {Shape{static_cast<std::int64_t>(count) * width}, {}};
    }
    Strides strides;
    if (fortran && shape.size() > 1 && count > 0) {
        strides = fortranStrides(shape);
    }
    return {axis ? withLast(shape, width, 1) : shape,
            axis && !strides.empty() ? withLast(strides, 1, width) : strides};
}

void NpyArrays::note(Severity severity, Error error) {
    if (++m_notices <= kMaxNotices) {
        m_data.notices.push_back({severity, std::move(error)});
    }
}

void NpyArrays::incomplete(Sentence why) {
    m_data.completeness = Completeness::Incomplete;
    if (m_data.why.size() < 20) {
        m_data.why.push_back(std::move(why));
    }
}

void NpyArrays::add(std::string name, const NpyHeader& header, const NpyPlace& place) {
    const NpyElement& element = header.element;
    const std::uint64_t rest = place.size - header.dataOffset;
    const bool objects = element.kind == NpyKind::Objects;
    const std::uint64_t bytes = objects ? rest : header.dataBytes;
    TensorEntry entry;
    entry.name = std::move(name);
    entry.dtype = objects ? Dtype::Opaque : element.dtype;
    const NpyTensor tensor = objects ? NpyTensor{Shape{static_cast<std::int64_t>(rest)}, {}}
                                     : npyTensor(element, header.shape, header.fortran);
    entry.shape = tensor.shape;
    entry.role = modelRole(entry.name); // preliminary: the complete set of names decides
    noteKind(entry.name, header, place);
    if (entry.shape.empty() && element.kind == NpyKind::Numbers && m_values.size() < kMaxValues) {
        m_values.push_back({Value(entry.name), Value(TensorIndex(m_data.tensors.size()))});
    }
    if (bytes > rest) {
        note(Severity::Error, fail(ErrorCode::Truncated, "The array's elements are truncated")
                                  .inFile(place.where)
                                  .inTensor(entry.name)
                                  .at(place.whereOffset + place.size)
                                  .butFound(sizeText(rest))
                                  .expecting(sizeText(bytes)));
        incomplete(sentence("Elements of %1 are truncated", entry.name));
        m_data.tensors.push_back(std::move(entry));
        return;
    }
    if (bytes < rest) {
        note(Severity::Warning, fail(ErrorCode::NpyTrailingBytes, "Trailing bytes after the array")
                                    .inFile(place.where)
                                    .inTensor(entry.name)
                                    .at(place.whereOffset + header.dataOffset + bytes)
                                    .butFound(sizeText(rest - bytes))
                                    .withHint("numpy.load reads only the first array of a file"));
    }
    Piece piece;
    piece.box = Box::whole(entry.shape);
    piece.file = place.file;
    piece.codec = place.codec;
    piece.bytes = place.codec == kRawCodec ? ByteRange{place.offset + header.dataOffset, bytes}
                                           : place.stored;
    piece.strides = tensor.strides;
    piece.flags.swapBytes = element.bigEndian && element.kind == NpyKind::Numbers;
    if (entry.dtype == Dtype::String) {
        addText(piece, header);
    }
    entry.pieces.push_back(std::move(piece));
    m_data.tensors.push_back(std::move(entry));
}

void NpyArrays::addText(Piece& piece, const NpyHeader& header) {
    const NpyElement& element = header.element;
    const TextKey key{element.kind, element.itemBytes, element.bigEndian, piece.codec};
    auto codec = m_textCodecs.find(key);
    if (codec == m_textCodecs.end()) {
        const CodecId made =
            m_data.addCodec(makeNpyTextCodec(element, m_data.codecs.at(piece.codec)));
        codec = m_textCodecs.emplace(key, made).first;
    }
    piece.codec = codec->second;
}

void NpyArrays::noteKind(const std::string& name, const NpyHeader& header, const NpyPlace& place) {
    const NpyElement& element = header.element;
    if (element.nameless) {
        std::string& first = element.itemBytes == 2 ? m_bfloat16 : m_oneByte;
        first = first.empty() ? name : first;
    }
    if (element.kind != NpyKind::Opaque && element.kind != NpyKind::Objects) {
        return;
    }
    if (m_values.size() < kMaxValues) {
        m_values.push_back({Value(name), Value::object("numpy.ndarray",
                                                       {{Value("shape"), shapeValue(header.shape)},
                                                        {Value("dtype"), Value(header.descr)}})});
    }
    if (element.kind == NpyKind::Objects) {
        note(Severity::Warning, fail(ErrorCode::NpyObjects,
                                     "The array contains Python objects; its pickle is not loaded")
                                    .inFile(place.where)
                                    .inTensor(name)
                                    .at(place.whereOffset + header.dataOffset)
                                    .butFound(verbatim(header.descr))
                                    .withHint("`cairn-cli scan` lists what loading it would run"));
    } else if (!element.nameless) {
        note(Severity::Info,
             fail(ErrorCode::NpyUnknownDtype, "Elements of this type are shown as raw bytes")
                 .inFile(place.where)
                 .inTensor(name)
                 .butFound(verbatim(header.descr)));
    }
}

void NpyArrays::noteNameless() {
    if (!m_bfloat16.empty()) {
        note(Severity::Info, fail(ErrorCode::NpyUnknownDtype,
                                  "NumPy does not record the name of this element type; read as "
                                  "bfloat16, the only 2-byte type that is written this way")
                                 .inFile(m_data.files.front().path)
                                 .inTensor(m_bfloat16)
                                 .inField("descr")
                                 .butFound("<V2"));
    }
    if (!m_oneByte.empty()) {
        note(Severity::Warning,
             fail(ErrorCode::NpyUnknownDtype, "NumPy did not record the name of this element type "
                                              "(a float8 or a small integer); shown as raw bytes")
                 .inFile(m_data.files.front().path)
                 .inTensor(m_oneByte)
                 .inField("descr")
                 .butFound("<V1")
                 .withHint("A manifest beside the file can specify the dtype"));
    }
}

Value NpyArrays::values() const {
    return m_values.empty() ? Value() : Value::dict(m_values);
}

} // namespace cairn::formats
