// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cairn::pickle {

/// Writes a pickle of protocol 2, opcode by opcode, using only what torch's weights_only unpickler
/// accepts (torch/_weights_only_unpickler.py). The caller must keep the stack valid; nothing is
/// checked. A value type.
class PickleWriter {
public:
    PickleWriter();

    void none() { op('N'); }
    void boolean(bool value) { op(value ? '\x88' : '\x89'); }
    void integer(std::int64_t value);
    /// An integer beyond 64 bits from its decimal text; "0" if the text is not a number.
    void bigInteger(std::string_view decimal);
    void number(double value);
    void text(std::string_view utf8);
    /// A bytes object, which protocol 2 writes as _codecs.encode(text, "latin1").
    void bytes(std::span<const std::byte> bytes);

    void global(std::string_view module, std::string_view name);
    void mark() { op('('); }
    void emptyList() { op(']'); }
    void emptyDict() { op('}'); }
    void emptyTuple() { op(')'); }
    void appends() { op('e'); }  ///< list MARK items -> list
    void setItems() { op('u'); } ///< dict MARK keys and values -> dict
    void tuple() { op('t'); }    ///< MARK items -> tuple
    void reduce() { op('R'); }   ///< callable arguments -> object
    void build() { op('b'); }    ///< object state -> object with these attributes
    void persistentId() { op('Q'); }

    /// Memoises the top of the stack; get() pushes it again.
    std::uint32_t put() {
        op('r', m_nextSlot, 4);
        return m_nextSlot++;
    }
    void get(std::uint32_t slot) { op('j', slot, 4); }

    /// Reserves space for a pickle of about `bytes` bytes.
    void reserve(std::size_t bytes) { m_bytes.reserve(bytes); }

    /// Ends the pickle and returns it.
    std::vector<std::byte> finish() &&;

private:
    static constexpr std::size_t kPending = 4096;

    void op(char code) {
        if (m_used == kPending) {
            flush();
        }
        m_pending[m_used++] = static_cast<std::byte>(code);
    }
    /// An opcode and its argument. REQUIRES: count <= 8.
    void op(char code, std::uint64_t value, std::size_t count) {
        if (kPending - m_used < 9) {
            flush();
        }
        m_pending[m_used] = static_cast<std::byte>(code);
        for (std::size_t i = 0; i < 8; ++i) { // one store of 8 bytes; the excess is overwritten
            m_pending[m_used + 1 + i] = static_cast<std::byte>((value >> (8 * i)) & 0xFFU);
        }
        m_used += 1 + count;
    }
    void raw(std::string_view text);
    void little(std::uint64_t value, int count);
    void longBytes(const std::vector<std::uint8_t>& twosComplement);
    void flush();

    std::array<std::byte, kPending> m_pending; ///< collects short opcodes
    std::size_t m_used = 0;
    std::vector<std::byte> m_bytes; ///< everything before m_pending
    std::uint32_t m_nextSlot = 0;
};

} // namespace cairn::pickle
