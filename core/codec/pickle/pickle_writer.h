// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::pickle {

/// Writes a pickle of protocol 2, opcode by opcode, with nothing but what torch's weights_only unpickler takes
/// (torch/_weights_only_unpickler.py). The caller keeps the stack in order; nothing is checked. A value type.
class PickleWriter {
public:
    PickleWriter();

    void none() { op('N'); }
    void boolean(bool value) { op(value ? '\x88' : '\x89'); }
    void integer(std::int64_t value);
    /// An integer beyond 64 bits from its decimal text; "0" for text that is not a number.
    void bigInteger(std::string_view decimal);
    void number(double value);
    void text(std::string_view utf8);
    /// bytes, which protocol 2 spells as _codecs.encode(text, "latin1").
    void bytes(std::span<const std::byte> bytes);

    void global(std::string_view module, std::string_view name);
    void mark() { op('('); }
    void emptyList() { op(']'); }
    void emptyDict() { op('}'); }
    void emptyTuple() { op(')'); }
    void appends() { op('e'); }   ///< list MARK items -> list
    void setItems() { op('u'); }  ///< dict MARK keys and values -> dict
    void tuple() { op('t'); }     ///< MARK items -> tuple
    void reduce() { op('R'); }    ///< callable arguments -> object
    void persistentId() { op('Q'); }

    /// Remembers the top of the stack; get() pushes it again.
    std::uint32_t put();
    void get(std::uint32_t slot);

    /// Ends the pickle and hands it over.
    std::vector<std::byte> finish() &&;

private:
    void op(char code) { m_bytes.push_back(static_cast<std::byte>(code)); }
    void raw(std::string_view text);
    void little(std::uint64_t value, int count);
    void longBytes(const std::vector<std::uint8_t>& twosComplement);

    std::vector<std::byte> m_bytes;
    std::uint32_t m_nextSlot = 0;
};

} // namespace cairn::pickle
