// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

using Sha256Digest = std::array<std::byte, 32>;

/// Lower-case hexadecimal.
std::string hexText(std::span<const std::byte> bytes);
/// Inverse of hexText(); a pair with other characters gives 0.
std::vector<std::byte> hexBytes(std::string_view hex);

/// SHA-256 of a stream (FIPS 180-4, by libcrypto with the processor's instructions). Not
/// thread-safe; movable.
class Sha256 {
public:
    Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    ~Sha256();

    void add(std::span<const std::byte> bytes);
    /// The digest of all added bytes; resets the object.
    Sha256Digest finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// A digest selected by name: "md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b",
/// "blake2s", "crc32" (IEEE, eight digits). Not thread-safe.
class NamedDigest {
public:
    /// Null: an unknown name, or not allowed on this machine.
    static std::unique_ptr<NamedDigest> make(std::string_view algorithm);
    explicit NamedDigest(void* context);
    NamedDigest(const NamedDigest&) = delete;
    NamedDigest& operator=(const NamedDigest&) = delete;
    ~NamedDigest();

    void add(std::span<const std::byte> bytes);
    /// The digest of all added bytes in lower-case hexadecimal. Call it once.
    std::string finish();

private:
    void* m_context; ///< libcrypto's context; null for crc32
    std::uint32_t m_crc = 0;
};

/// CRC-32 as in zip and zlib (IEEE 802.3, reflected): crc32(crc32(0, a), b) is the CRC of a
/// followed by b.
std::uint32_t crc32(std::uint32_t start, std::span<const std::byte> bytes);

/// CRC-32 of a followed by b, from both CRCs and the length of b.
std::uint32_t crc32Combine(std::uint32_t a, std::uint32_t b, std::uint64_t lengthOfB);

} // namespace cairn
