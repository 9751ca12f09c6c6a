// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct evp_pkey_st; // libcrypto's EVP_PKEY

namespace cairn::signing {

/// The digest of an ECDSA signature. OfCurve: SHA-256, SHA-384 or SHA-512 by the key's size.
enum class EcDigest : std::uint8_t { OfCurve, Sha256 };

/// A private or public key of P-256, P-384 or P-521. A value type that shares the key; any thread.
class EcKey {
public:
    /// Reads a private key in PEM. An encrypted one is opened with the password in the environment
    /// variable CAIRN_KEY_PASSWORD. Fails: UnsuitableKey, and the errors of reading.
    static Result<EcKey> readPrivate(const std::filesystem::path& path);
    /// Reads a public key in PEM. Fails in the same way.
    static Result<EcKey> readPublic(const std::filesystem::path& path);
    /// Shares a key of libcrypto. `name` is for messages. Fails: UnsuitableKey for another type or
    /// curve.
    static Result<EcKey> adopt(std::shared_ptr<evp_pkey_st> key, std::string name);

    /// ECDSA of the curve's digest of `message`, in DER. REQUIRES: a private key.
    [[nodiscard]] Result<std::vector<std::byte>> sign(std::string_view message) const;
    /// False for every signature that does not match, also for one that is not DER.
    [[nodiscard]] bool verifies(std::string_view message, std::span<const std::byte> signature,
                                EcDigest digest = EcDigest::OfCurve) const;

    /// SHA-256 of the public key in PEM, by which a signature names its key.
    [[nodiscard]] std::string hint() const;
    [[nodiscard]] bool hasSamePublicKey(const EcKey& other) const;

private:
    EcKey(std::shared_ptr<evp_pkey_st> key, int bits) : m_key(std::move(key)), m_bits(bits) {}
    std::shared_ptr<evp_pkey_st> m_key;
    int m_bits;
};

} // namespace cairn::signing
