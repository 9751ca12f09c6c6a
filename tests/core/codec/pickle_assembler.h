// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

/// Writes pickles opcode by opcode, including ones that no pickler would write.
class PickleAssembler {
public:
    PickleAssembler& op(int code) {
        m_text += static_cast<char>(code);
        return *this;
    }
    PickleAssembler& raw(std::string_view bytes) {
        m_text += bytes;
        return *this;
    }
    template <class T> PickleAssembler& little(T value) {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        m_text.append(bytes, sizeof(T));
        return *this;
    }
    PickleAssembler& proto(int version) { return op(0x80).op(version); }
    PickleAssembler& frame(std::uint64_t length) { return op(0x95).little(length); }
    PickleAssembler& text(std::string_view value) { // BINUNICODE
        return op('X').little(static_cast<std::uint32_t>(value.size())).raw(value);
    }
    PickleAssembler& bytes(std::string_view value) { // BINBYTES
        return op('B').little(static_cast<std::uint32_t>(value.size())).raw(value);
    }
    PickleAssembler& integer(std::int32_t value) { return op('J').little(value); }
    PickleAssembler& global(std::string_view module, std::string_view name) {
        return op('c').raw(module).raw("\n").raw(name).raw("\n");
    }
    PickleAssembler& stackGlobal(std::string_view module, std::string_view name) {
        return text(module).text(name).op(0x93);
    }
    PickleAssembler& put(int index) { return op('q').op(index); }
    PickleAssembler& get(int index) { return op('h').op(index); }
    PickleAssembler& reduce() { return op('R'); }
    PickleAssembler& stop() { return op('.'); }
    PickleAssembler& repeat(std::string_view bytes, std::size_t times) {
        for (std::size_t i = 0; i < times; ++i) {
            m_text += bytes;
        }
        return *this;
    }

    [[nodiscard]] const std::string& str() const { return m_text; }
    operator std::span<const std::byte>() const {
        return std::as_bytes(std::span(m_text.data(), m_text.size()));
    }

private:
    std::string m_text;
};
