// SPDX-License-Identifier: Apache-2.0
#include "core/signing/ec_key.h"

#include "core/base/endian.h"
#include "core/io/hash.h"
#include "core/signing/openssl_handles.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace cairn::signing {
namespace {

constexpr std::uint64_t kMaxKey = std::uint64_t{1} << 20U;
constexpr const char* kPassword = "CAIRN_KEY_PASSWORD";

struct Curve {
    std::string_view name; ///< libcrypto's
    int bits;
};
constexpr auto kCurves =
    std::to_array<Curve>({{"prime256v1", 256}, {"secp384r1", 384}, {"secp521r1", 521}});

constexpr char kExpectedKey[] = "an elliptic key of P-256, P-384 or P-521 in PEM";

/// libcrypto's callback. Without a password there must be no question on the terminal.
int passwordOf(char* buffer, int size, int /*writing*/, void* asked) {
    *static_cast<bool*>(asked) = true;
    const char* password = std::getenv(kPassword);
    if (password == nullptr) {
        return -1;
    }
    const std::size_t length = std::min(std::strlen(password), static_cast<std::size_t>(size));
    std::copy_n(password, length, buffer);
    return static_cast<int>(length);
}

Error unsuitable(Sentence message, const std::filesystem::path& path) {
    ERR_clear_error();
    return fail(ErrorCode::UnsuitableKey, std::move(message))
        .inFile(path.string())
        .expecting(kExpectedKey);
}

bool holds(std::string_view text, std::string_view label) {
    return text.find("-----BEGIN " + std::string(label)) != std::string_view::npos;
}

const EVP_MD* digestOf(int bits, EcDigest digest) {
    if (digest == EcDigest::Sha256 || bits == 256) {
        return EVP_sha256();
    }
    return bits == 384 ? EVP_sha384() : EVP_sha512();
}

const unsigned char* octets(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string publicPem(EVP_PKEY* key) {
    // A key may have been stored with its point compressed; the hint is that of the full form.
    EVP_PKEY_set_utf8_string_param(key, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, "uncompressed");
    const Bio out(BIO_new(BIO_s_mem()));
    const bool written = PEM_write_bio_PUBKEY(out.get(), key) == 1;
    ERR_clear_error();
    return written ? textOf(out) : std::string();
}

} // namespace

Result<EcKey> EcKey::adopt(std::shared_ptr<EVP_PKEY> key, std::string name) {
    std::array<char, 64> group{};
    const bool named = EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_EC &&
                       EVP_PKEY_get_utf8_string_param(key.get(), OSSL_PKEY_PARAM_GROUP_NAME,
                                                      group.data(), group.size(), nullptr) == 1;
    const auto curve = std::ranges::find(kCurves, std::string_view(group.data()), &Curve::name);
    if (!named || curve == kCurves.end()) {
        const char* type = EVP_PKEY_get0_type_name(key.get());
        return unsuitable(named ? Sentence("The curve of the key is not supported")
                                : "The key is not an elliptic key",
                          name)
            .butFound(named             ? verbatim(group.data())
                      : type != nullptr ? sentence("a key of the type %1", type)
                                        : "a key of an unknown type");
    }
    return EcKey(std::move(key), curve->bits);
}

Result<EcKey> EcKey::readPrivate(const std::filesystem::path& path) {
    CAIRN_TRY(const std::string text, readNamedFile(path, kMaxKey));
    bool asked = false;
    EVP_PKEY* key = PEM_read_bio_PrivateKey(readerOf(text).get(), nullptr, passwordOf, &asked);
    if (key == nullptr) {
        if (asked) {
            return unsuitable("The private key is encrypted and the password does not open it",
                              path)
                .withHint(sentence("Set the environment variable %1", kPassword));
        }
        return unsuitable(
            holds(text, "PUBLIC KEY")
                ? Sentence("The file contains a public key; signing needs the private key")
                : "The file does not contain a private key",
            path);
    }
    return adopt(std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free), path.string());
}

Result<EcKey> EcKey::readPublic(const std::filesystem::path& path) {
    CAIRN_TRY(const std::string text, readNamedFile(path, kMaxKey));
    EVP_PKEY* key = PEM_read_bio_PUBKEY(readerOf(text).get(), nullptr, nullptr, nullptr);
    if (key == nullptr) {
        const bool isPrivate = holds(text, "EC PRIVATE KEY") || holds(text, "PRIVATE KEY");
        return unsuitable(
            holds(text, "CERTIFICATE")
                ? Sentence("The file contains a certificate instead of a public key; use --cert")
            : isPrivate ? Sentence("The file contains a private key instead of a public key")
                        : "The file does not contain a public key",
            path);
    }
    return adopt(std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free), path.string());
}

Result<std::vector<std::byte>> EcKey::sign(std::string_view message) const {
    const DigestContext context(EVP_MD_CTX_new());
    std::size_t size = 0;
    std::vector<std::byte> signature;
    bool ok = EVP_DigestSignInit(context.get(), nullptr, digestOf(m_bits, EcDigest::OfCurve),
                                 nullptr, m_key.get()) == 1 &&
              EVP_DigestSign(context.get(), nullptr, &size, octets(message), message.size()) == 1;
    if (ok) {
        signature.resize(size);
        ok = EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()),
                            &size, octets(message), message.size()) == 1;
        signature.resize(size);
    }
    ERR_clear_error();
    if (!ok) {
        return fail(ErrorCode::UnsuitableKey, "The key cannot sign");
    }
    return signature;
}

bool EcKey::verifies(std::string_view message, std::span<const std::byte> signature,
                     EcDigest digest) const {
    const DigestContext context(EVP_MD_CTX_new());
    const bool ok =
        EVP_DigestVerifyInit(context.get(), nullptr, digestOf(m_bits, digest), nullptr,
                             m_key.get()) == 1 &&
        EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                         signature.size(), octets(message), message.size()) == 1;
    ERR_clear_error();
    return ok;
}

std::string EcKey::hint() const {
    Sha256 hash;
    hash.add(asBytes(publicPem(m_key.get())));
    return hexText(hash.finish());
}

bool EcKey::hasSamePublicKey(const EcKey& other) const {
    return EVP_PKEY_eq(m_key.get(), other.m_key.get()) == 1;
}

} // namespace cairn::signing
