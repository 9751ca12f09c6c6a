// SPDX-License-Identifier: Apache-2.0
#include "core/io/hash.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <new>

namespace cairn {

std::string hexText(std::span<const std::byte> bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::byte byte : bytes) {
        text.push_back(kDigits[std::to_integer<unsigned>(byte) >> 4U]);
        text.push_back(kDigits[std::to_integer<unsigned>(byte) & 15U]);
    }
    return text;
}

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    State() {
        if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1) {
            EVP_MD_CTX_free(context);
            throw std::bad_alloc();
        }
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
    EVP_DigestUpdate(m_state->context, bytes.data(), bytes.size());
}

Sha256Digest Sha256::finish() {
    Sha256Digest digest{};
    EVP_DigestFinal_ex(m_state->context, reinterpret_cast<unsigned char*>(digest.data()), nullptr);
    EVP_DigestInit_ex(m_state->context, EVP_sha256(), nullptr);
    return digest;
}

std::uint32_t crc32(std::uint32_t start, std::span<const std::byte> bytes) {
    return static_cast<std::uint32_t>(
        ::crc32_z(start, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t crc32Combine(std::uint32_t a, std::uint32_t b, std::uint64_t lengthOfB) {
    static_assert(sizeof(z_off_t) == 8, "files are larger than 2 GiB");
    return static_cast<std::uint32_t>(::crc32_combine(a, b, static_cast<z_off_t>(lengthOfB)));
}

} // namespace cairn
