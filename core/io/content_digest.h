// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/hash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

/// Digests that identify content: whether two tensors are equal. No I/O.
namespace cairn {

/// Xxh3: XXH3 with 128 bits (xxHash 0.8, as `xxh128sum` prints it), at the speed of memory. It
/// proves nothing against somebody who makes two contents with one digest: use Sha256 for what is
/// signed.
enum class DigestKind : std::uint8_t { Xxh3, Sha256 };

/// The key in manifests: "xxh3_128", "sha256".
std::string_view digestKey(DigestKind kind);
/// 16 or 32.
std::size_t digestSize(DigestKind kind);

struct ContentDigest {
    std::array<std::byte, 32> value{}; ///< zeros after the digest
    DigestKind kind = DigestKind::Sha256;

    [[nodiscard]] std::span<const std::byte> bytes() const {
        return std::span(value).first(digestSize(kind));
    }
    friend bool operator==(const ContentDigest&, const ContentDigest&) = default;
};

/// The digest of a stream. Not thread-safe; movable.
class ContentHash {
public:
    explicit ContentHash(DigestKind kind);
    ContentHash(ContentHash&&) noexcept;
    ContentHash& operator=(ContentHash&&) noexcept;
    ~ContentHash();

    void add(std::span<const std::byte> bytes);
    /// The digest of all added bytes; resets the object.
    ContentDigest finish();

private:
    struct Xxh3State;
    DigestKind m_kind;
    Sha256 m_sha256;
    std::unique_ptr<Xxh3State> m_xxh3; ///< null for Sha256
};

} // namespace cairn
