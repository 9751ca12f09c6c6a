// SPDX-License-Identifier: Apache-2.0
#include "core/codec/pickle/pickle_writer.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

namespace cairn::pickle {

PickleWriter::PickleWriter() {
    raw("\x80\x02");
}

void PickleWriter::flush() {
    m_bytes.insert(m_bytes.end(), m_pending.begin(),
                   m_pending.begin() + static_cast<std::ptrdiff_t>(m_used));
    m_used = 0;
}

void PickleWriter::raw(std::string_view text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    if (text.size() > kPending - m_used) {
        flush();
    }
    if (text.size() > kPending) {
        m_bytes.insert(m_bytes.end(), data, data + text.size());
        return;
    }
    std::copy_n(data, text.size(), m_pending.data() + m_used);
    m_used += text.size();
}

void PickleWriter::little(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) {
        op(static_cast<char>((value >> (8 * i)) & 0xFFU));
    }
}

void PickleWriter::integer(std::int64_t value) {
    if (value >= 0 && value <= 0xFF) {
        op('K', static_cast<std::uint64_t>(value), 1);
    } else if (value >= 0 && value <= 0xFFFF) {
        op('M', static_cast<std::uint64_t>(value), 2);
    } else if (value >= std::numeric_limits<std::int32_t>::min() &&
               value <= std::numeric_limits<std::int32_t>::max()) {
        op('J', static_cast<std::uint64_t>(value), 4);
    } else {
        op('\x8a');
        little(8, 1);
        little(static_cast<std::uint64_t>(value), 8);
    }
}

void PickleWriter::longBytes(const std::vector<std::uint8_t>& twosComplement) {
    if (twosComplement.size() <= 0xFF) {
        op('\x8a');
        little(twosComplement.size(), 1);
    } else {
        op('\x8b');
        little(twosComplement.size(), 4);
    }
    for (const std::uint8_t byte : twosComplement) {
        little(byte, 1);
    }
}

void PickleWriter::bigInteger(std::string_view decimal) {
    const bool negative = decimal.starts_with('-');
    std::vector<std::uint8_t> magnitude; // little-endian
    for (const char c : decimal.substr(negative ? 1 : 0)) {
        unsigned carry = c >= '0' && c <= '9' ? static_cast<unsigned>(c - '0') : 0U;
        for (std::uint8_t& byte : magnitude) {
            const unsigned product = byte * 10U + carry;
            byte = static_cast<std::uint8_t>(product & 0xFFU);
            carry = product >> 8U;
        }
        if (carry != 0) {
            magnitude.push_back(static_cast<std::uint8_t>(carry));
        }
    }
    magnitude.push_back(0); // sign byte
    if (negative) {
        unsigned carry = 1;
        for (std::uint8_t& byte : magnitude) {
            const unsigned sum = static_cast<unsigned>(static_cast<std::uint8_t>(~byte)) + carry;
            byte = static_cast<std::uint8_t>(sum & 0xFFU);
            carry = sum >> 8U;
        }
    }
    longBytes(magnitude);
}

void PickleWriter::number(double value) {
    op('G');
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int i = 7; i >= 0; --i) { // big-endian: the only such field of the format
        little(bits >> (8 * i), 1);
    }
}

void PickleWriter::text(std::string_view utf8) {
    op('X', utf8.size(), 4);
    raw(utf8);
}

void PickleWriter::bytes(std::span<const std::byte> bytes) {
    std::string latin1;
    for (const std::byte b : bytes) {
        const auto code = std::to_integer<unsigned>(b);
        if (code < 0x80) {
            latin1 += static_cast<char>(code);
        } else {
            latin1 += static_cast<char>(0xC0U | (code >> 6U));
            latin1 += static_cast<char>(0x80U | (code & 0x3FU));
        }
    }
    global("_codecs", "encode");
    mark();
    text(latin1);
    text("latin1");
    tuple();
    reduce();
}

void PickleWriter::global(std::string_view module, std::string_view name) {
    op('c');
    raw(module);
    op('\n');
    raw(name);
    op('\n');
}

std::vector<std::byte> PickleWriter::finish() && {
    op('.');
    flush();
    return std::move(m_bytes);
}

} // namespace cairn::pickle
