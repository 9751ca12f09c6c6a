// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/formats/common/code_scan/code_scanner.h"

#include <string_view>
#include <utility>

// Stable-Baselines3 stores values that JSON cannot represent as pickles in its JSON: each field of
// `data` with a ":serialized:" entry is decoded and unpickled when the model is loaded
// (common/save_util.py, json_to_data).

namespace cairn::formats {
namespace {

using pickle::Verdict;

constexpr std::string_view kSerialized = ":serialized:";
constexpr std::uint64_t kMaxFields = std::uint64_t{64} << 20;

/// 0 to 63; other values are not digits.
unsigned digitOf(char c) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t at = kDigits.find(c);
    return at == std::string_view::npos ? 64U : static_cast<unsigned>(at);
}

struct Decoded {
    std::vector<std::byte> bytes;
    bool whole = true;
};

/// As Python's binascii.a2b_base64: other characters are skipped, and data after the padding is
/// ignored.
Decoded decodeBase64(std::string_view text) {
    Decoded decoded;
    unsigned bits = 0;
    std::size_t digits = 0; // in the group of four
    std::size_t pads = 0;
    for (const char c : text) {
        if (c == '=') {
            if (digits >= 2 && digits + ++pads >= 4) {
                return decoded;
            }
            continue;
        }
        const unsigned digit = digitOf(c);
        if (digit == 64) {
            continue;
        }
        pads = 0;
        bits = (bits << 6U | digit) & 0xFFFFFFU;
        digits = (digits + 1) % 4;
        if (digits != 1) {
            const std::size_t left = digits == 0   ? 0
                                     : digits == 2 ? 4
                                                   : 2; // bits of an incomplete byte
            decoded.bytes.push_back(static_cast<std::byte>(bits >> left & 0xFFU));
        }
    }
    decoded.whole = digits == 0;
    return decoded;
}

} // namespace

Result<void> CodeScanner::scanFields(const ByteSource& source, const CodePlace& place) {
    if (source.size() > kMaxFields) {
        notExamined(place, "the fields are too large");
        return {};
    }
    const auto bytes = readRange(source, {0, source.size()});
    if (!bytes) {
        notExamined(place, bytes.error().message);
        return {};
    }
    const auto json = parseJson(asText(*bytes), place.text());
    if (!json) {
        worsen(Verdict::Malformed, place, json.error().message);
        return {};
    }
    for (const JsonMember& field : json->members()) {
        CAIRN_CHECK(m_cancel.check());
        for (const JsonMember& part : field.value.members()) {
            const auto text = part.value.asString();
            if (part.key != kSerialized || !text) {
                continue;
            }
            const Decoded decoded = decodeBase64(*text);
            const CodePlace inner = place.inside(field.key);
            CAIRN_CHECK(add(pickle::scanPickle(decoded.bytes, optionsFor(inner)), inner));
            if (!decoded.whole) {
                worsen(Verdict::Malformed, inner, "The base64 text is truncated");
            }
        }
    }
    return {};
}

} // namespace cairn::formats
