// SPDX-License-Identifier: Apache-2.0
#include "core/codec/zarr/array_info.h"

#include "core/base/checked.h"
#include "core/base/visible_text.h"
#include "core/codec/zarr/array_fields.h"

#include <charconv>

namespace cairn::zarr {
namespace {

constexpr std::size_t kMaxText = std::size_t{1} << 20U;

std::optional<std::uint64_t> product(const std::vector<std::int64_t>& extents,
                                     std::uint64_t start) {
    std::optional<std::uint64_t> total = start;
    for (const std::int64_t extent : extents) {
        total = total ? checkedMul(*total, static_cast<std::uint64_t>(extent)) : total;
    }
    return total;
}

/// Ranks agree and no product overflows.
Result<void> checkSizes(const ArrayInfo& info) {
    const std::size_t rank = info.shape.size();
    if (info.chunk.size() != rank || info.inner.size() != rank || rank > kMaxRank) {
        return badField("chunks",
                        sentence("%1 extents for %2 dimensions", info.chunk.size(), rank));
    }
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62U;
    for (const auto* extents : {&info.shape, &info.chunk, &info.inner}) {
        const auto bytes = product(*extents, info.type.bytes);
        if (!bytes || *bytes > kMost) {
            return fail(ErrorCode::LimitExceeded, "The array's size overflows");
        }
    }
    for (std::size_t d = 0; d < rank; ++d) { // the last chunk may extend beyond the shape
        std::int64_t end = 0;
        if (__builtin_add_overflow(info.shape[d], info.chunk[d], &end)) {
            return fail(ErrorCode::LimitExceeded, "The array's size overflows");
        }
    }
    return {};
}

/// Reads digits up to a separator; false if there are none, or too many.
bool takeIndex(std::string_view& text, std::int64_t& value) {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc() || text.front() == '-') {
        return false;
    }
    const auto used = static_cast<std::size_t>(result.ptr - text.data());
    if (used > 1 && text.front() == '0') {
        return false;
    }
    text.remove_prefix(used);
    return true;
}

} // namespace

std::uint64_t ArrayInfo::innerBytes() const {
    return product(inner, type.bytes).value_or(0);
}

Error badField(std::string field, Sentence found) {
    return fail(ErrorCode::ZarrBadMetadata, "Invalid array metadata")
        .inField(std::move(field))
        .butFound(std::move(found));
}

Error unsupported(std::string field, Sentence found) {
    return fail(ErrorCode::Unsupported, "Unsupported array storage")
        .inField(std::move(field))
        .butFound(std::move(found))
        .withHint("Read the array with its own library, and save it as numbers with zstd, gzip, "
                  "blosc or without a codec");
}

std::string shortText(const JsonValue* value) {
    if (value == nullptr) {
        return "nothing";
    }
    if (const auto text = value->asString()) {
        return "\"" + visibleText(text->substr(0, 64)) + "\"";
    }
    if (const auto number = value->asInteger()) {
        return std::to_string(*number);
    }
    return std::string(jsonKindName(value->kind()));
}

Result<std::vector<std::int64_t>> extents(const JsonValue* value, std::string_view field,
                                          std::int64_t least) {
    if (value == nullptr || value->kind() != JsonKind::Array ||
        value->elements().size() > kMaxRank) {
        return badField(std::string(field), verbatim(shortText(value)));
    }
    std::vector<std::int64_t> result;
    for (const JsonValue& element : value->elements()) {
        const auto extent = element.asInteger();
        if (!extent || *extent < least) {
            return badField(std::string(field), verbatim(shortText(&element)));
        }
        result.push_back(*extent);
    }
    return result;
}

Result<ArrayInfo> parseArrayInfo(std::string_view text, int version, std::string_view name) {
    if (text.size() > kMaxText) {
        return fail(ErrorCode::LimitExceeded, "The array's metadata is too long")
            .inFile(std::string(name))
            .butFound(sentence("%1 bytes", text.size()));
    }
    JsonOptions options;
    options.maxDepth = 32;
    options.maxValues = 10'000;
    CAIRN_TRY(const JsonValue root, parseJson(text, name, options));
    auto info = version == 2 ? parseV2(root) : parseV3(root);
    if (info) {
        if (auto sizes = checkSizes(*info); !sizes) {
            info = std::move(sizes).error();
        }
    }
    if (!info) {
        return Error(std::move(info).error()).inFile(std::string(name));
    }
    return info;
}

bool parseChunkKey(std::string_view key, std::vector<std::int64_t>& indices, std::uint8_t& forms) {
    indices.clear();
    forms = kDotted | kSlashed;
    if (key == "c") {
        forms = kPrefixedDots | kPrefixedSlashes;
        return true;
    }
    const bool prefixed = key.starts_with("c/") || key.starts_with("c.");
    if (prefixed) {
        forms = key[1] == '.' ? kPrefixedDots : kPrefixedSlashes;
        key.remove_prefix(2);
    }
    while (!key.empty() && indices.size() < kMaxRank) {
        std::int64_t index = 0;
        if (!takeIndex(key, index)) {
            return false;
        }
        indices.push_back(index);
        if (key.empty()) {
            return true;
        }
        const std::uint8_t fits = key.front() == '.'   ? kDotted | kPrefixedDots
                                  : key.front() == '/' ? kSlashed | kPrefixedSlashes
                                                       : 0;
        forms &= fits;
        if (forms == 0) {
            return false;
        }
        key.remove_prefix(1);
    }
    return false;
}

} // namespace cairn::zarr
