// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/codec/ocdbt/ocdbt.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Private to this folder.
namespace cairn::ocdbt {

inline constexpr std::uint32_t kManifestMagic = 0x0CDB3A2A;
inline constexpr std::uint32_t kNodeMagic = 0x0CDB20DE;
inline constexpr std::uint64_t kMissing =
    ~std::uint64_t{0}; ///< offset and length of a missing node

/// Reads numbers from a decoded body. After a read beyond the end, or a varint of more than 64
/// bits, failed() stays true and every read returns 0.
class Cursor {
public:
    explicit Cursor(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    std::uint8_t byte();
    std::uint64_t varint();
    std::uint64_t fixed64();
    std::span<const std::byte> take(std::uint64_t length);

    /// `count` varints; allocates nothing if the body is too short for so many.
    std::vector<std::uint64_t> varints(std::uint64_t count);

    [[nodiscard]] bool failed() const { return m_failed; }
    [[nodiscard]] std::size_t remaining() const { return m_bytes.size() - m_at; }
    [[nodiscard]] std::size_t position() const { return m_at; }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    bool m_failed = false;
};

/// One row of a data file table: where the file is and what the paths inside it are relative to.
struct TableFile {
    std::string path; ///< relative to the store
    std::string base; ///< base for the paths in the nodes of this file
};

/// The file table at the start of a manifest's or node's body; `base` is the base path of the node
/// that contains it. False: malformed.
bool readFileTable(Cursor& cursor, std::string_view base, std::vector<TableFile>& files);

/// Checks magic, length, version and checksum of a manifest or node and decodes its body. Errors
/// have no file name; offsets are within `stored`.
Result<std::vector<std::byte>> openEnvelope(std::span<const std::byte> stored, std::uint32_t magic,
                                            const Limits& limits);

} // namespace cairn::ocdbt
