// SPDX-License-Identifier: Apache-2.0
#include "core/io/hash.h"

#include <openssl/evp.h>
#include <zlib.h>

#include <array>
#include <charconv>
#include <isa-l/crc.h>
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

std::vector<std::byte> hexBytes(std::string_view hex) {
    std::vector<std::byte> bytes(hex.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        unsigned value = 0;
        std::from_chars(hex.data() + 2 * i, hex.data() + 2 * i + 2, value, 16);
        bytes[i] = static_cast<std::byte>(value);
    }
    return bytes;
}

namespace {

/// Fetched once: EVP_sha256() would be fetched again for every digest, which takes longer than
/// hashing a small tensor.
const EVP_MD* sha256() {
    static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr); // never freed
    return fetched != nullptr ? fetched : EVP_sha256();
}

} // namespace

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    State() {
        if (context == nullptr || EVP_DigestInit_ex(context, sha256(), nullptr) != 1) {
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
    EVP_DigestInit_ex(m_state->context, sha256(), nullptr);
    return digest;
}

std::unique_ptr<NamedDigest> NamedDigest::make(std::string_view algorithm) {
    struct Row {
        std::string_view name;
        const EVP_MD* (*digest)();
    };
    static constexpr auto kRows = std::to_array<Row>({{"md5", EVP_md5},
                                                      {"sha1", EVP_sha1},
                                                      {"sha224", EVP_sha224},
                                                      {"sha256", EVP_sha256},
                                                      {"sha384", EVP_sha384},
                                                      {"sha512", EVP_sha512},
                                                      {"blake2b", EVP_blake2b512},
                                                      {"blake2s", EVP_blake2s256}});
    if (algorithm == "crc32") {
        return std::make_unique<NamedDigest>(nullptr);
    }
    for (const Row& row : kRows) {
        EVP_MD_CTX* context = row.name == algorithm ? EVP_MD_CTX_new() : nullptr;
        if (context == nullptr) {
            continue;
        }
        if (EVP_DigestInit_ex(context, row.digest(), nullptr) == 1) {
            return std::make_unique<NamedDigest>(context);
        }
        EVP_MD_CTX_free(context);
    }
    return nullptr;
}

NamedDigest::NamedDigest(void* context) : m_context(context) {}

NamedDigest::~NamedDigest() {
    EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(m_context));
}

void NamedDigest::add(std::span<const std::byte> bytes) {
    if (m_context == nullptr) {
        m_crc = crc32(m_crc, bytes);
    } else {
        EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(m_context), bytes.data(), bytes.size());
    }
}

std::string NamedDigest::finish() {
    std::array<std::byte, EVP_MAX_MD_SIZE> digest{};
    if (m_context == nullptr) {
        for (unsigned i = 0; i < 4; ++i) {
            digest[i] = static_cast<std::byte>(m_crc >> (24U - 8U * i));
        }
        return hexText(std::span(digest).first(4));
    }
    unsigned length = 0;
    EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(m_context),
                       reinterpret_cast<unsigned char*>(digest.data()), &length);
    return hexText(std::span(digest).first(length));
}

std::uint32_t crc32(std::uint32_t start, std::span<const std::byte> bytes) {
    // ten times as fast as zlib's
    return ::crc32_gzip_refl(start, reinterpret_cast<const unsigned char*>(bytes.data()),
                             bytes.size());
}

std::uint32_t crc32Combine(std::uint32_t a, std::uint32_t b, std::uint64_t lengthOfB) {
    static_assert(sizeof(z_off_t) == 8, "files are larger than 2 GiB");
    return static_cast<std::uint32_t>(::crc32_combine(a, b, static_cast<z_off_t>(lengthOfB)));
}

} // namespace cairn
