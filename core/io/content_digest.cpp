// SPDX-License-Identifier: Apache-2.0
#include "core/io/content_digest.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace cairn {

std::string_view digestKey(DigestKind kind) {
    return kind == DigestKind::Xxh3 ? "xxh3_128" : "sha256";
}

std::size_t digestSize(DigestKind kind) {
    return kind == DigestKind::Xxh3 ? 16 : 32;
}

struct ContentHash::Xxh3State {
    XXH3_state_t state;
    Xxh3State() { XXH3_128bits_reset(&state); }
};

ContentHash::ContentHash(DigestKind kind) : m_kind(kind) {
    if (kind == DigestKind::Xxh3) {
        m_xxh3 = std::make_unique<Xxh3State>();
    }
}

ContentHash::ContentHash(ContentHash&&) noexcept = default;
ContentHash& ContentHash::operator=(ContentHash&&) noexcept = default;
ContentHash::~ContentHash() = default;

void ContentHash::add(std::span<const std::byte> bytes) {
    if (m_xxh3 == nullptr) {
        m_sha256.add(bytes);
    } else {
        XXH3_128bits_update(&m_xxh3->state, bytes.data(), bytes.size());
    }
}

ContentDigest ContentHash::finish() {
    ContentDigest digest;
    digest.kind = m_kind;
    if (m_xxh3 == nullptr) {
        digest.value = m_sha256.finish();
        return digest;
    }
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&m_xxh3->state));
    std::ranges::copy(std::as_bytes(std::span(canonical.digest)), digest.value.begin());
    XXH3_128bits_reset(&m_xxh3->state);
    return digest;
}

} // namespace cairn
