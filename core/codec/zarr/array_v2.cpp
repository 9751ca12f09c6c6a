// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zarr/array_fields.h"

namespace cairn::zarr {
namespace {

/// null, {"id": "zstd"}, …; the compression level is not needed for decoding.
Result<Compression> compressor(const JsonValue* value) {
    if (value == nullptr || value->isNull()) {
        return Compression::None;
    }
    const JsonValue* id = value->find("id");
    const auto name =
        id == nullptr ? Result<std::string_view>(badField("compressor", "no id")) : id->asString();
    if (!name) {
        return badField("compressor", verbatim(shortText(id)));
    }
    if (*name == "zstd") {
        return Compression::Zstd;
    }
    if (*name == "gzip" || *name == "zlib") {
        return Compression::Gzip;
    }
    if (*name == "blosc") {
        return Compression::Blosc;
    }
    return unsupported("compressor", verbatim(shortText(id)));
}

} // namespace

Result<ArrayInfo> parseV2(const JsonValue& root) {
    const JsonValue* format = root.find("zarr_format");
    if (format == nullptr || format->asInteger().value_or(0) != 2) {
        return badField("zarr_format", verbatim(shortText(format)));
    }
    ArrayInfo info;
    info.version = 2;
    CAIRN_TRY(info.shape, extents(root.find("shape"), "shape", 0));
    CAIRN_TRY(info.chunk, extents(root.find("chunks"), "chunks", 1));
    info.inner = info.chunk;
    const JsonValue* type = root.find("dtype");
    if (type == nullptr || type->kind() != JsonKind::String) {
        return unsupported("dtype", type == nullptr ? Sentence("nothing") : "structured elements");
    }
    const auto known = elementTypeV2(*type->asString());
    if (!known) {
        return unsupported("dtype", verbatim(shortText(type)));
    }
    info.type = *known;
    CAIRN_TRY(info.encoding.compression, compressor(root.find("compressor")));
    const JsonValue* filters = root.find("filters");
    if (filters != nullptr && !filters->isNull() && !filters->elements().empty()) {
        return unsupported("filters", "a list of filters");
    }
    const JsonValue* order = root.find("order");
    const auto orderText = order == nullptr ? Result<std::string_view>("C") : order->asString();
    if (!orderText || (*orderText != "C" && *orderText != "F")) {
        return badField("order", verbatim(shortText(order)));
    }
    info.fortran = *orderText == "F";
    CAIRN_CHECK(takeFill(root, info));
    return info;
}

} // namespace cairn::zarr
