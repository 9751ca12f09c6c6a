// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zarr/array_fields.h"

namespace cairn::zarr {
namespace {

/// "zstd" or {"name": "zstd", "configuration": {…}}.
std::string_view codecName(const JsonValue& codec) {
    const JsonValue* name = codec.kind() == JsonKind::String ? &codec : codec.find("name");
    const auto text = name == nullptr ? Result<std::string_view>("") : name->asString();
    return text ? *text : std::string_view();
}

const JsonValue* configured(const JsonValue& codec, std::string_view key) {
    const JsonValue* configuration = codec.find("configuration");
    return configuration == nullptr ? nullptr : configuration->find(key);
}

/// "order" of a transpose codec: identity or reversed; other orders are unsupported.
Result<bool> isReversed(const JsonValue& codec) {
    const JsonValue* order = configured(codec, "order");
    const auto axes = order == nullptr ? std::span<const JsonValue>() : order->elements();
    bool same = true;
    bool reversed = true;
    for (std::size_t d = 0; d < axes.size(); ++d) {
        const auto axis = axes[d].asInteger().value_or(-1);
        same = same && axis == static_cast<std::int64_t>(d);
        reversed = reversed && axis == static_cast<std::int64_t>(axes.size() - 1 - d);
    }
    if (axes.empty() || (!same && !reversed)) {
        return unsupported("codecs", "a transpose codec that does not reverse all dimensions");
    }
    return reversed && !same;
}

std::optional<Compression> compressionOf(std::string_view codec) {
    return codec == "zstd"    ? std::optional(Compression::Zstd)
           : codec == "gzip"  ? std::optional(Compression::Gzip)
           : codec == "blosc" ? std::optional(Compression::Blosc)
                              : std::nullopt;
}

struct Chain {
    ChunkEncoding encoding;
    bool fortran = false;
    bool bigEndian = false;
    const JsonValue* sharding = nullptr;
};

/// (transpose)? (bytes | sharding_indexed) (compressor)? (crc32c)?
Result<Chain> readChain(const JsonValue* codecs) {
    if (codecs == nullptr || codecs->kind() != JsonKind::Array) {
        return badField("codecs", verbatim(shortText(codecs)));
    }
    Chain chain;
    bool packed = false; // after the codec that turns elements into bytes
    for (const JsonValue& codec : codecs->elements()) {
        const std::string_view name = codecName(codec);
        const auto compression = compressionOf(name);
        const bool mayPack = packed && !chain.encoding.crc32c && chain.sharding == nullptr;
        if (name == "transpose" && !packed) {
            CAIRN_TRY(chain.fortran, isReversed(codec));
        } else if (name == "bytes" && !packed) {
            const JsonValue* endian = configured(codec, "endian");
            chain.bigEndian = endian != nullptr && endian->asString().value_or("") == "big";
            packed = true;
        } else if (name == "sharding_indexed" && !packed) {
            chain.sharding = &codec;
            packed = true;
        } else if (compression && mayPack && chain.encoding.compression == Compression::None) {
            chain.encoding.compression = *compression;
        } else if (name == "crc32c" && mayPack) {
            chain.encoding.crc32c = true;
        } else {
            return unsupported("codecs", sentence("\"%1\"", name.substr(0, 64)));
        }
    }
    if (!packed) {
        return badField("codecs", "no codec that converts the array to bytes");
    }
    return chain;
}

Result<void> readSharding(const JsonValue& codec, ArrayInfo& info) {
    CAIRN_TRY(info.inner, extents(configured(codec, "chunk_shape"), "chunk_shape", 1));
    if (info.inner.size() != info.chunk.size()) {
        return badField("chunk_shape", sentence("%1 extents", info.inner.size()));
    }
    Sharding sharding;
    for (std::size_t d = 0; d < info.chunk.size(); ++d) {
        if (info.chunk[d] % info.inner[d] != 0) {
            return badField("chunk_shape", "inner chunks that do not tile the outer chunk");
        }
        sharding.grid.push_back(info.chunk[d] / info.inner[d]);
    }
    const JsonValue* location = configured(codec, "index_location");
    const std::string_view place =
        location == nullptr ? std::string_view("end") : location->asString().value_or("");
    if (place != "end" && place != "start") {
        return badField("index_location", verbatim(shortText(location)));
    }
    sharding.indexAtEnd = place == "end";
    CAIRN_TRY(const Chain index, readChain(configured(codec, "index_codecs")));
    if (index.bigEndian || index.fortran || index.sharding != nullptr ||
        index.encoding.compression != Compression::None) {
        return unsupported("index_codecs", "more than bytes and crc32c");
    }
    sharding.indexCrc32c = index.encoding.crc32c;
    CAIRN_TRY(const Chain inner, readChain(configured(codec, "codecs")));
    if (inner.sharding != nullptr) {
        return unsupported("codecs", "nested shards");
    }
    info.encoding = inner.encoding;
    info.fortran = info.fortran != inner.fortran;
    info.type.bigEndian = inner.bigEndian && info.type.bytes > 1;
    info.sharding = std::move(sharding);
    return {};
}

/// Zarr 3, "Chunk key encoding": "default" or "v2", with a separator, which zarr-python writes
/// into a configuration and tensorstore accepts outside, too.
Result<std::uint8_t> chunkKeys(const JsonValue& root, std::size_t rank) {
    const JsonValue* encoding = root.find("chunk_key_encoding");
    if (encoding == nullptr) {
        return std::uint8_t{kPrefixedSlashes};
    }
    const std::string_view name = codecName(*encoding);
    const JsonValue* given = configured(*encoding, "separator");
    given = given != nullptr ? given : encoding->find("separator");
    const auto text =
        given == nullptr ? Result<std::string_view>(name == "v2" ? "." : "/") : given->asString();
    const bool dots = text && *text == ".";
    if ((name != "default" && name != "v2") || !text || (!dots && *text != "/")) {
        return unsupported("chunk_key_encoding", verbatim(shortText(given ? given : encoding)));
    }
    if (name == "default") {
        return static_cast<std::uint8_t>(dots ? kPrefixedDots : kPrefixedSlashes);
    }
    if (!dots && rank > 1) { // its chunks cannot be told from arrays below it
        return unsupported("chunk_key_encoding", "\"v2\" with the separator \"/\"");
    }
    return static_cast<std::uint8_t>(dots ? kDotted : kSlashed);
}

} // namespace

Result<ArrayInfo> parseV3(const JsonValue& root) {
    const JsonValue* format = root.find("zarr_format");
    const JsonValue* node = root.find("node_type");
    if (format == nullptr || format->asInteger().value_or(0) != 3 ||
        (node != nullptr && node->asString().value_or("") != "array")) {
        return badField("zarr_format", verbatim(shortText(format)));
    }
    ArrayInfo info;
    info.version = 3;
    CAIRN_TRY(info.shape, extents(root.find("shape"), "shape", 0));
    const JsonValue* grid = root.find("chunk_grid");
    if (grid == nullptr || codecName(*grid) != "regular") {
        return unsupported("chunk_grid", verbatim(shortText(grid)));
    }
    CAIRN_TRY(info.chunk, extents(configured(*grid, "chunk_shape"), "chunk_shape", 1));
    info.inner = info.chunk;
    CAIRN_TRY(info.keys, chunkKeys(root, info.shape.size()));
    const JsonValue* type = root.find("data_type");
    const auto typeText = type == nullptr ? Result<std::string_view>("") : type->asString();
    const auto known = typeText ? elementTypeV3(*typeText) : std::nullopt;
    if (!known) {
        return unsupported("data_type", verbatim(shortText(type)));
    }
    info.type = *known;
    CAIRN_TRY(const Chain chain, readChain(root.find("codecs")));
    info.encoding = chain.encoding;
    info.fortran = chain.fortran;
    info.type.bigEndian = chain.bigEndian && info.type.bytes > 1;
    if (chain.sharding != nullptr) {
        if (chain.fortran) {
            return unsupported("codecs", "a transpose codec around shards");
        }
        CAIRN_CHECK(readSharding(*chain.sharding, info));
    }
    const JsonValue* transformers = root.find("storage_transformers");
    if (transformers != nullptr && !transformers->elements().empty()) {
        return unsupported("storage_transformers", "a list of transformers");
    }
    CAIRN_CHECK(takeFill(root, info));
    return info;
}

} // namespace cairn::zarr
