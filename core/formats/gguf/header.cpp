// SPDX-License-Identifier: Apache-2.0
#include "core/formats/gguf/header.h"

#include "core/base/visible_text.h"

#include <bit>
#include <unordered_set>

namespace cairn::formats::gguf {
namespace {

constexpr std::uint64_t kMaxItems = 1'000'000;
constexpr std::uint64_t kMaxTensors = 10'000'000;
constexpr std::uint64_t kMaxArchitecture = 256;
constexpr std::size_t kMaxNotices = 100;

void note(Header& header, Error error) {
    if (header.notices.size() < kMaxNotices) {
        header.notices.push_back({Severity::Warning, std::move(error)});
    }
}

Error badHeader(const HeaderCursor& cursor, Sentence message, std::uint64_t at) {
    return fail(ErrorCode::GgufBadHeader, std::move(message)).inFile(cursor.source().name()).at(at);
}

Result<void> readVersion(HeaderCursor& cursor, Header& header) {
    CAIRN_TRY(const auto magic, cursor.peek(4, "magic"));
    if (asText(magic) != "GGUF") {
        const std::string found = visibleText(asText(magic));
        if (isOldContainer(asText(magic))) {
            return fail(ErrorCode::Unsupported, "A GGML file in a format older than GGUF")
                .inFile(cursor.source().name())
                .at(0)
                .butFound(sentence("\"%1\"", found))
                .withHint("Convert it with llama.cpp's convert_llama_ggml_to_gguf.py");
        }
        return badHeader(cursor, "Not a GGUF file: the magic number is missing", 0)
            .butFound(sentence("\"%1\"", found))
            .expecting("\"GGUF\"");
    }
    CAIRN_CHECK(cursor.skip(4, "magic"));
    CAIRN_TRY(header.version, cursor.number<std::uint32_t>("version"));
    if ((header.version & 0xFFFFU) == 0) { // big-endian, detected as in the reference reader
        header.bigEndian = true;
        header.version = __builtin_bswap32(header.version);
    }
    if (header.version < 1 || header.version > 3) {
        return fail(ErrorCode::Unsupported, "Unsupported GGUF version")
            .inFile(cursor.source().name())
            .inField("version")
            .at(4)
            .butFound(verbatim(std::to_string(header.version)))
            .expecting("1, 2 or 3");
    }
    cursor.setDialect(header.bigEndian, header.version >= 2);
    return {};
}

Result<std::uint64_t> boundedCount(HeaderCursor& cursor, std::string_view what, std::uint64_t least,
                                   std::uint64_t limit) {
    const std::uint64_t start = cursor.position();
    CAIRN_TRY(const std::uint64_t count, cursor.count(what));
    if (count > cursor.remaining() / least) {
        return fail(ErrorCode::Truncated, "The counts in the header exceed the size of the file")
            .inFile(cursor.source().name())
            .inField(std::string(what))
            .at(start)
            .butFound(verbatim(std::to_string(count)));
    }
    if (count > limit) {
        return fail(ErrorCode::LimitExceeded, "Implausible counts in the header")
            .inFile(cursor.source().name())
            .inField(std::string(what))
            .at(start)
            .butFound(verbatim(std::to_string(count)))
            .expecting(sentence("at most %1", limit));
    }
    return count;
}

std::optional<std::uint64_t> asCount(const Value& value) {
    const std::int64_t* number = value.asInt();
    return number != nullptr && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number))
                                             : std::nullopt;
}

/// Keeps the small values that the reader itself needs.
Result<void> takeItem(Header& header, const MetaItem& item, const Value& value,
                      const HeaderCursor& cursor) {
    if (item.key == "general.alignment") {
        const auto alignment = asCount(value);
        if (item.type != MetaType::Uint32 || !alignment || !std::has_single_bit(*alignment)) {
            return badHeader(cursor, "The alignment is not a power of two", item.offset)
                .inField(item.key)
                .butFound(alignment ? verbatim(std::to_string(*alignment)) : "not a number");
        }
        header.alignment = static_cast<std::uint32_t>(*alignment);
    } else if (item.key == "general.architecture" && value.asString() != nullptr) {
        header.architecture = *value.asString();
    } else if (item.key == "split.no") {
        header.splitNumber = asCount(value);
    } else if (item.key == "split.count") {
        header.splitCount = asCount(value);
    } else if (item.key == "split.tensors.count") {
        header.splitTensors = asCount(value);
    }
    return {};
}

bool isNeeded(const MetaItem& item) {
    return item.type != MetaType::Array &&
           (item.key == "general.alignment" || item.key == "general.architecture" ||
            item.key.starts_with("split."));
}

Result<void> readNeeded(HeaderCursor& cursor, Header& header, const MetaItem& item) {
    if (!isNeeded(item) || cursor.position() - item.offset > kMaxArchitecture) {
        return {};
    }
    ByteRange range{item.offset, cursor.position() - item.offset};
    std::vector<std::byte> bytes(static_cast<std::size_t>(range.length));
    CAIRN_CHECK(cursor.source().readAt(range.offset, bytes));
    HeaderCursor small(makeMemorySource(std::move(bytes), cursor.source().name()));
    small.setDialect(header.bigEndian, header.version >= 2);
    MetaItem here = item;
    here.offset = 0;
    std::uint64_t budget = 1;
    CAIRN_TRY(const Value value, readItem(small, here, budget, {}));
    return takeItem(header, item, value, cursor);
}

} // namespace

bool isOldContainer(std::string_view head) {
    // the magic numbers "ggml", "ggmf", "ggjt", "ggla" in little-endian files
    return head.starts_with("lmgg") || head.starts_with("fmgg") || head.starts_with("tjgg") ||
           head.starts_with("algg");
}

Result<Header> readHeader(HeaderCursor& cursor, const CancelToken& cancel) {
    Header header;
    CAIRN_CHECK(readVersion(cursor, header));
    const std::uint64_t width = cursor.countBytes();
    CAIRN_TRY(header.tensorCount, boundedCount(cursor, "tensor_count", width + 16, kMaxTensors));
    CAIRN_TRY(const std::uint64_t items,
              boundedCount(cursor, "metadata_kv_count", width + 5, kMaxItems));
    const std::uint64_t start = cursor.position();
    std::unordered_set<std::string> seen;
    for (std::uint64_t i = 0; i < items; ++i) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(MetaItem item, scanItem(cursor));
        if (!isValidUtf8(item.key)) {
            item.key = visibleText(item.key);
            note(header, fail(ErrorCode::BadEncoding, "A metadata key is not UTF-8")
                             .inFile(cursor.source().name())
                             .inField(item.key)
                             .at(item.offset));
        }
        if (!seen.insert(item.key).second) {
            note(header, fail(ErrorCode::GgufBadMetadata,
                              "Duplicate metadata key; the first value is shown")
                             .inFile(cursor.source().name())
                             .inField(item.key)
                             .at(item.offset));
            continue;
        }
        CAIRN_CHECK(readNeeded(cursor, header, item));
        header.items.push_back(std::move(item));
    }
    header.metadataBytes = cursor.position() - start;
    return header;
}

Result<Value> readMetadata(const ByteSourcePtr& source, const Header& header,
                           const CancelToken& cancel) {
    HeaderCursor cursor(source);
    cursor.setDialect(header.bigEndian, header.version >= 2);
    std::uint64_t budget = valueBudget(header.metadataBytes);
    std::vector<ValueItem> items;
    items.reserve(header.items.size() + 2);
    items.push_back({Value("GGUF.version"), Value(std::int64_t{header.version})});
    if (header.bigEndian) {
        items.push_back({Value("GGUF.byte_order"), Value("big")});
    }
    for (const MetaItem& item : header.items) {
        CAIRN_CHECK(cancel.check());
        CAIRN_TRY(Value value, readItem(cursor, item, budget, cancel));
        items.push_back({Value(item.key), std::move(value)});
    }
    return Value::dict(std::move(items));
}

} // namespace cairn::formats::gguf
