// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch_export/weights_config.h"

#include "core/base/checked.h"

#include <limits>
#include <optional>

namespace cairn::formats::torch_export {
namespace {

/// ScalarType in schema.py.
std::optional<Dtype> dtypeOf(std::int64_t number) {
    switch (number) {
    case 1:
        return Dtype::Uint8;
    case 2:
        return Dtype::Int8;
    case 3:
        return Dtype::Int16;
    case 4:
        return Dtype::Int32;
    case 5:
        return Dtype::Int64;
    case 6:
        return Dtype::Float16;
    case 7:
        return Dtype::Float32;
    case 8:
        return Dtype::Float64;
    case 9:
        return Dtype::Complex32;
    case 10:
        return Dtype::Complex64;
    case 11:
        return Dtype::Complex128;
    case 12:
        return Dtype::Bool;
    case 13:
        return Dtype::Bfloat16;
    case 28:
        return Dtype::Uint16;
    case 29:
        return Dtype::Float8E4m3fn;
    case 30:
        return Dtype::Float8E5m2;
    case 31:
        return Dtype::Float8E4m3fnuz;
    case 32:
        return Dtype::Float8E5m2fnuz;
    case 33:
        return Dtype::Float8E8m0fnu;
    case 34:
        return Dtype::Uint32;
    case 35:
        return Dtype::Uint64;
    default:
        return std::nullopt;
    }
}

Error bad(std::string_view field, Sentence found) {
    return fail(ErrorCode::TorchBadTensor, "The metadata of a weight cannot be read")
        .inField(std::string(field))
        .butFound(std::move(found));
}

Result<std::int64_t> plainNumber(const JsonValue* value, std::string_view field) {
    const JsonValue* number = value == nullptr ? nullptr : value->find("as_int");
    number = number == nullptr ? value : number;
    const auto read =
        number == nullptr ? Result<std::int64_t>(bad(field, "nothing")) : number->asInteger();
    if (!read) {
        return bad(field, "not a number (a symbol?)");
    }
    return *read < 0 ? Result<std::int64_t>(bad(field, verbatim(std::to_string(*read)))) : read;
}

Result<Dims> plainNumbers(const JsonValue* list, std::string_view field) {
    if (list == nullptr || list->kind() != JsonKind::Array || list->elements().size() > kMaxRank) {
        return bad(field, "not a list of numbers");
    }
    Dims dims(list->elements().size(), 0);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        CAIRN_TRY(dims[i], plainNumber(&list->elements()[i], field));
    }
    return dims;
}

} // namespace

Result<Payload> readPayload(const JsonValue& row) {
    Payload payload;
    const JsonValue* record = row.find("path_name");
    const JsonValue* meta = row.find("tensor_meta");
    const auto name = record == nullptr ? Result<std::string_view>(bad("path_name", "nothing"))
                                        : record->asString();
    if (!name) {
        return bad("path_name", "not a string");
    }
    payload.record = *name;
    const JsonValue* pickled = row.find("use_pickle");
    payload.pickled = pickled != nullptr && pickled->asBool().value_or(false);
    const JsonValue* parameter = row.find("is_param");
    payload.parameter = parameter != nullptr && parameter->asBool().value_or(false);
    if (payload.pickled) {
        return payload; // the archive in the record contains the other fields
    }
    if (meta == nullptr) {
        return bad("tensor_meta", "nothing");
    }
    CAIRN_TRY(const std::int64_t number, plainNumber(meta->find("dtype"), "dtype"));
    const auto dtype = dtypeOf(number);
    if (!dtype) {
        return fail(ErrorCode::TorchUnknownDtype, "Unknown dtype of a weight")
            .inField("dtype")
            .butFound(verbatim(std::to_string(number)));
    }
    payload.dtype = *dtype;
    CAIRN_TRY(payload.shape, plainNumbers(meta->find("sizes"), "sizes"));
    CAIRN_TRY(payload.strides, plainNumbers(meta->find("strides"), "strides"));
    if (payload.strides.size() != payload.shape.size() || !elementCount(payload.shape)) {
        return bad("strides",
                   sentence("%1 for %2", formatDims(payload.strides), formatDims(payload.shape)));
    }
    CAIRN_TRY(const std::int64_t offset,
              plainNumber(meta->find("storage_offset"), "storage_offset"));
    payload.offset = static_cast<std::uint64_t>(offset);
    return payload;
}

Result<Payload> readView(const JsonValue& row) {
    const auto parts = row.elements();
    if (row.kind() != JsonKind::Array || parts.size() != 4 || !parts[0].asString()) {
        return bad("weights_config", "not a list of record, sizes, strides and offset");
    }
    Payload payload;
    payload.record = *parts[0].asString();
    CAIRN_TRY(payload.shape, plainNumbers(&parts[1], "sizes"));
    CAIRN_TRY(payload.strides, plainNumbers(&parts[2], "strides"));
    CAIRN_TRY(const std::int64_t offset, plainNumber(&parts[3], "storage_offset"));
    if (payload.strides.size() != payload.shape.size() || !elementCount(payload.shape)) {
        return bad("strides",
                   sentence("%1 for %2", formatDims(payload.strides), formatDims(payload.shape)));
    }
    payload.offset = static_cast<std::uint64_t>(offset);
    return payload;
}

std::optional<ByteRange> bytesOf(const Payload& payload) {
    const std::uint64_t size = dtypeInfo(payload.dtype).bits / 8;
    const auto first = checkedMul(payload.offset, size);
    if (elementCount(payload.shape).value_or(0) == 0) {
        return ByteRange{first.value_or(0), 0};
    }
    std::uint64_t last = 0;
    for (std::size_t d = 0; d < payload.shape.size(); ++d) {
        const auto step = checkedMul(static_cast<std::uint64_t>(payload.shape[d] - 1),
                                     static_cast<std::uint64_t>(payload.strides[d]));
        const auto sum = step ? checkedAdd(last, *step) : std::nullopt;
        if (!sum) {
            return std::nullopt;
        }
        last = *sum;
    }
    const auto count = checkedAdd(last, 1);
    const auto length = count ? checkedMul(*count, size) : std::nullopt;
    return first && length && checkedAdd(*first, *length)
               ? std::optional(ByteRange{*first, *length})
               : std::nullopt;
}

} // namespace cairn::formats::torch_export
