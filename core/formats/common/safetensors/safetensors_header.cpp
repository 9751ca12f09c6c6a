// SPDX-License-Identifier: Apache-2.0
//
// One pass over the header with simdjson's On-Demand front end, straight into the table; a million
// tensors are common in optimizer states. Names stay in the parser's own string buffer, which the
// header keeps alive. What is wrong with one tensor never hides the others: a value of the wrong
// kind is skipped and noted, only text that is not JSON ends the reading.
#include "core/formats/common/safetensors/safetensors_header.h"

#include "core/base/endian.h"
#include "core/base/large_pages.h"
#include "core/formats/common/safetensors/safetensors_rules.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace cairn {
namespace {

namespace od = simdjson::ondemand;

/// `"":{"dtype":"F32","shape":[],"data_offsets":[0,0]},` is the shortest possible entry.
constexpr std::size_t kLeastEntry = 50;

/// The buffer that the names point into.
struct HeaderText {
    std::unique_ptr<char[]> bytes; ///< the header, then the parser's padding
    std::size_t length = 0;        ///< of the header
    od::parser parser;
};

/// One tensor's object as far as it could be parsed.
struct RawTensor {
    std::string_view dtype;
    std::array<std::int64_t, kMaxRank> shape; ///< the first `rank` are set
    std::size_t rank = 0;
    std::array<std::uint64_t, 2> offsets{};
    enum Field : unsigned { Dtype = 1, Shape = 2, Offsets = 4, All = 7 };
    unsigned seen = 0;
};

/// True for errors that concern one value only; the iterator is then still before it.
bool isLocal(simdjson::error_code code) {
    return code == simdjson::INCORRECT_TYPE || code == simdjson::NUMBER_ERROR ||
           code == simdjson::NUMBER_OUT_OF_RANGE;
}

class HeaderParser {
public:
    HeaderParser(const ByteSource& source, SafetensorsHeader& header, HeaderText& text)
        : m_source(source), m_header(header), m_text(text) {}

    Result<void> parse() {
        od::document document;
        if (const auto error = m_text.parser
                                   .iterate(m_text.bytes.get(), m_text.length,
                                            m_text.length + simdjson::SIMDJSON_PADDING)
                                   .get(document)) {
            return failed(error, nullptr);
        }
        m_document = &document;
        od::object root;
        if (const auto error = document.get_object().get(root)) {
            return failed(error, nullptr);
        }
        // Unused capacity takes no memory.
        reserveInLargePages(m_header.tensors, m_text.length / kLeastEntry + 1);
        for (auto member : root) {
            od::field field;
            if (const auto error = std::move(member).get(field)) {
                return failed(error, &document);
            }
            std::string_view name;
            if (const auto error = field.unescaped_key().get(name)) {
                return failed(error, &document);
            }
            od::value value = field.value();
            CAIRN_CHECK(name == "__metadata__" ? takeMetadata(value) : takeTensor(name, value));
        }
        const char* rest = nullptr;
        if (document.current_location().get(rest) != simdjson::OUT_OF_BOUNDS) {
            return failed(simdjson::TAPE_ERROR, &document);
        }
        return {};
    }

private:
    /// An error of the complete header. Errors of the first pass have no location.
    Error failed(simdjson::error_code code, od::document* document) const {
        if (code == simdjson::UTF8_ERROR) {
            return fail(ErrorCode::BadEncoding, "The safetensors header is not UTF-8 text")
                .inFile(m_source.name())
                .at(8);
        }
        std::uint64_t offset = 8;
        const char* position = nullptr;
        if (document != nullptr &&
            document->current_location().get(position) == simdjson::SUCCESS &&
            position >= m_text.bytes.get() && position < m_text.bytes.get() + m_text.length) {
            offset += static_cast<std::uint64_t>(position - m_text.bytes.get());
        }
        return fail(ErrorCode::SafetensorsBadHeader, "The safetensors header is not a JSON object")
            .inFile(m_source.name())
            .at(offset)
            .butFound(verbatim(simdjson::error_message(code)))
            .withHint("The file is damaged or not a safetensors file; copy it again");
    }

    void note(std::string_view tensor, Error error) {
        noteSafetensors(m_header, m_source, tensor, std::move(error));
    }

    Result<void> takeMetadata(od::value& value) {
        bool none = false; // MLX writes null without metadata; the reference reader accepts it
        if (value.is_null().get(none) == simdjson::SUCCESS && none) {
            return {};
        }
        od::object object;
        if (const auto error = value.get_object().get(object)) {
            if (!isLocal(error)) {
                return failed(error, m_document);
            }
            note({}, fail(ErrorCode::SafetensorsBadMetadata, "__metadata__ is not an object")
                         .inField("__metadata__"));
            return {};
        }
        for (auto member : object) {
            od::field field;
            std::string_view key;
            if (auto error = std::move(member).get(field); error != simdjson::SUCCESS) {
                return failed(error, m_document);
            }
            if (auto error = field.unescaped_key().get(key); error != simdjson::SUCCESS) {
                return failed(error, m_document);
            }
            std::string_view text;
            const auto error = field.value().get_string().get(text);
            if (error == simdjson::SUCCESS) {
                addMetadata(key, text);
            } else if (isLocal(error)) {
                note({}, fail(ErrorCode::SafetensorsBadMetadata, "A metadata value is not a string")
                             .inField("__metadata__." + std::string(key)));
            } else {
                return failed(error, m_document);
            }
        }
        return {};
    }

    void addMetadata(std::string_view key, std::string_view text) {
        if (m_header.metadata.size() < SafetensorsHeader::kMaxMetadata) {
            m_header.metadata.emplace_back(key, text);
        } else if (!m_metadataFull) {
            m_metadataFull = true;
            note({}, fail(ErrorCode::SafetensorsBadMetadata, "Too many metadata entries")
                         .inField("__metadata__")
                         .expecting(sentence("at most %1", m_header.metadata.size())));
        }
    }

    Result<void> takeTensor(std::string_view name, od::value& value) {
        od::object object;
        if (const auto error = value.get_object().get(object)) {
            if (!isLocal(error)) {
                return failed(error, m_document);
            }
            note(name, fail(ErrorCode::SafetensorsBadHeader, "A tensor's entry is not an object"));
            return {};
        }
        RawTensor raw;
        std::optional<Error> problem;
        for (auto member : object) {
            od::field field;
            std::string_view key;
            if (auto error = std::move(member).get(field); error != simdjson::SUCCESS) {
                return failed(error, m_document);
            }
            if (auto error = keyOf(field, key); error != simdjson::SUCCESS) {
                return failed(error, m_document);
            }
            od::value content = field.value();
            if (const auto error = takeField(key, content, raw, problem)) {
                return failed(error, m_document);
            }
        }
        if (!problem && raw.seen != RawTensor::All) {
            problem = fail(ErrorCode::SafetensorsBadHeader, "A tensor's entry is incomplete")
                          .expecting("dtype, shape and data_offsets");
        }
        if (problem) {
            note(name, std::move(*problem));
            return {};
        }
        addTensor(name, raw);
        return {};
    }

    /// Does not unescape the three usual keys: a million tensors have three million of them.
    static simdjson::error_code keyOf(od::field& field, std::string_view& key) {
        const od::raw_json_string written = field.key();
        for (const std::string_view usual : {"dtype", "shape", "data_offsets"}) {
            if (written.unsafe_is_equal(usual)) {
                key = usual;
                return simdjson::SUCCESS;
            }
        }
        return field.unescaped_key().get(key);
    }

    /// Reads one field of a tensor's object. Returns an error that ends the parsing; an error of
    /// this tensor only goes to `problem`.
    simdjson::error_code takeField(std::string_view key, od::value& content, RawTensor& raw,
                                   std::optional<Error>& problem) {
        const unsigned bit = key == "dtype"          ? RawTensor::Dtype
                             : key == "shape"        ? RawTensor::Shape
                             : key == "data_offsets" ? RawTensor::Offsets
                                                     : 0U;
        if ((raw.seen & bit) != 0) {
            problem =
                fail(ErrorCode::SafetensorsBadHeader, "Duplicate field").inField(std::string(key));
        }
        raw.seen |= bit;
        simdjson::error_code error = simdjson::SUCCESS;
        if (bit == RawTensor::Dtype) {
            error = content.get_string().get(raw.dtype);
            if (isLocal(error)) {
                problem = fail(ErrorCode::SafetensorsBadHeader, "The dtype is not a string")
                              .inField("dtype");
            }
        } else if (bit == RawTensor::Shape) {
            error = takeShape(content, raw);
            if (isLocal(error)) {
                problem = fail(ErrorCode::SafetensorsBadShape,
                               "The shape is not a list of up to 64 non-negative integers")
                              .inField("shape");
            }
        } else if (bit == RawTensor::Offsets) {
            error = takeOffsets(content, raw);
            if (isLocal(error)) {
                problem = fail(ErrorCode::SafetensorsBadOffsets,
                               "The data offsets are not two non-negative integers")
                              .inField("data_offsets");
            }
        }
        return isLocal(error) ? simdjson::SUCCESS : error;
    }

    /// Reads to the end of the list even if an element is invalid, so that the iterator stays in
    /// sync.
    static simdjson::error_code takeShape(od::value& content, RawTensor& raw) {
        od::array array;
        if (const auto error = content.get_array().get(array)) {
            return error;
        }
        auto result = simdjson::SUCCESS;
        for (auto element : array) {
            std::uint64_t extent = 0;
            const auto error = element.get_uint64().get(extent);
            if (error != simdjson::SUCCESS && !isLocal(error)) {
                return error;
            }
            if (error != simdjson::SUCCESS || raw.rank == kMaxRank ||
                extent > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
                result = simdjson::NUMBER_ERROR;
            } else {
                raw.shape[raw.rank++] = static_cast<std::int64_t>(extent);
            }
        }
        return result;
    }

    static simdjson::error_code takeOffsets(od::value& content, RawTensor& raw) {
        od::array array;
        if (const auto error = content.get_array().get(array)) {
            return error;
        }
        auto result = simdjson::SUCCESS;
        std::size_t count = 0;
        for (auto element : array) {
            std::uint64_t offset = 0;
            const auto error = element.get_uint64().get(offset);
            if (error != simdjson::SUCCESS && !isLocal(error)) {
                return error;
            }
            if (error != simdjson::SUCCESS || count == 2) {
                result = simdjson::NUMBER_ERROR;
            } else {
                raw.offsets[count++] = offset;
            }
        }
        return count == 2 ? result : simdjson::NUMBER_ERROR;
    }

    void addTensor(std::string_view name, const RawTensor& raw) {
        SafetensorsTensor& tensor = m_header.tensors.emplace_back();
        tensor.name = name;
        tensor.begin = raw.offsets[0];
        tensor.end = raw.offsets[1];
        const auto shape = std::span(raw.shape).first(raw.rank);
        auto error = assessSafetensorsTensor(tensor, raw.dtype, shape, m_header.dataSize, m_dtypes);
        if (error) {
            note(name, std::move(*error));
        }
    }

    const ByteSource& m_source;
    SafetensorsHeader& m_header;
    HeaderText& m_text;
    od::document* m_document = nullptr;
    SafetensorsDtypeCache m_dtypes;
    bool m_metadataFull = false;
};

} // namespace

std::string_view SafetensorsHeader::find(std::string_view key) const {
    for (const auto& [name, value] : metadata) {
        if (name == key) {
            return value;
        }
    }
    return {};
}

Result<SafetensorsHeader> readSafetensorsHeader(const ByteSource& source) {
    const auto cutOff = [&](std::uint64_t wanted) {
        return fail(ErrorCode::Truncated, "The safetensors header is truncated")
            .inFile(source.name())
            .at(0)
            .butFound(sentence("%1 bytes", source.size()))
            .expecting(sentence("at least %1", wanted))
            .withHint("The file is still being copied or was damaged; compare its size with the "
                      "original");
    };
    std::array<std::byte, 8> prefix{};
    if (source.size() < prefix.size()) {
        return cutOff(prefix.size());
    }
    CAIRN_CHECK(source.readAt(0, prefix));
    const auto length = loadLittle<std::uint64_t>(prefix);
    if (length > kMaxSafetensorsHeader) {
        return fail(ErrorCode::SafetensorsHeaderTooLarge, "The safetensors header is too large")
            .inFile(source.name())
            .at(0)
            .butFound(sentence("%1 bytes", length))
            .expecting(sentence("at most %1", kMaxSafetensorsHeader))
            .withHint("The file is damaged or not a safetensors file");
    }
    if (length > source.size() - prefix.size()) {
        return cutOff(prefix.size() + length);
    }
    SafetensorsHeader header;
    header.dataStart = prefix.size() + length;
    header.dataSize = source.size() - header.dataStart;
    const auto text = std::make_shared<HeaderText>();
    text->length = static_cast<std::size_t>(length);
    text->bytes = std::make_unique_for_overwrite<char[]>(text->length + simdjson::SIMDJSON_PADDING);
    adviseLargePages(text->bytes.get(), text->length);
    CAIRN_CHECK(source.readAt(prefix.size(),
                              std::as_writable_bytes(std::span(text->bytes.get(), text->length))));
    std::fill_n(text->bytes.get() + text->length, simdjson::SIMDJSON_PADDING, ' ');
    CAIRN_CHECK(HeaderParser(source, header, *text).parse());
    header.text = text;
    checkSafetensorsRules(header, source);
    return header;
}

} // namespace cairn
