// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/gguf/metadata.h"
#include "core/model/output_layout.h"

#include <string>
#include <string_view>

namespace cairn::formats::gguf {

/// Key-value pairs in their file format, little-endian.
class MetadataWriter {
public:
    void text(std::string_view key, std::string_view value);
    void uint16(std::string_view key, std::uint16_t value);
    void uint32(std::string_view key, std::uint32_t value);
    void int32(std::string_view key, std::int32_t value);
    void float32(std::string_view key, float value);
    /// Adds numbers, texts, booleans and flat lists of them; integers get the smallest usual type.
    /// False: GGUF cannot represent this value, and nothing was added.
    bool value(std::string_view key, const Value& value);

    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    void begin(std::string_view key, MetaType type);
    bool list(std::string_view key, const Value& value);

    std::string m_bytes;
    std::uint64_t m_count = 0;
};

/// Append little-endian numbers, and texts with their length.
void appendText(std::string& out, std::string_view text);
template <std::integral T> void appendNumber(std::string& out, T number) {
    std::array<std::byte, sizeof(T)> bytes{};
    storeLittle<T>(bytes, 0, number);
    out += asText(bytes);
}

/// The output's metadata. Those of a GGUF source are kept; a Hugging Face config gives the
/// architecture and its sizes under ggml's keys; otherwise the architecture is "unknown". The
/// request's text metadata follow. Keys about the container (alignment, splits) are left to the
/// layout.
MetadataWriter describeModel(const LayoutRequest& request);

} // namespace cairn::formats::gguf
