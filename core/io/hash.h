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
/// The bytes of a hexText(); a pair of other characters counts as 0.
std::vector<std::byte> hexBytes(std::string_view hex);

/// SHA-256 of a stream (FIPS 180-4, by libcrypto with the processor's own instructions). One thread
/// at a time; movable.
class Sha256 {
public:
    Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    ~Sha256();

    void add(std::span<const std::byte> bytes);
    /// The digest of all that was added; the object then starts again.
    Sha256Digest finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// A digest that is named by text: "md5", "sha1", "sha224", "sha256", "sha384", "sha512",
/// "blake2b", "blake2s", "crc32" (IEEE, eight digits). One thread at a time.
class NamedDigest {
public:
    /// Null: not one of these, or not allowed on this machine.
    static std::unique_ptr<NamedDigest> make(std::string_view algorithm);
    explicit NamedDigest(void* context);
    NamedDigest(const NamedDigest&) = delete;
    NamedDigest& operator=(const NamedDigest&) = delete;
    ~NamedDigest();

    void add(std::span<const std::byte> bytes);
    /// Lower-case hexadecimal of all that was added; once.
    std::string finish();

private:
    void* m_context; ///< libcrypto's; null: crc32
    std::uint32_t m_crc = 0;
};

/// CRC-32 as zip and zlib know it (IEEE 802.3, reflected): crc32(crc32(0, a), b) is that of a
/// followed by b.
std::uint32_t crc32(std::uint32_t start, std::span<const std::byte> bytes);

/// CRC-32 of a followed by b, from theirs and the length of b.
std::uint32_t crc32Combine(std::uint32_t a, std::uint32_t b, std::uint64_t lengthOfB);

} // namespace cairn
