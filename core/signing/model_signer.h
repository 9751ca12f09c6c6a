// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/signing/certificates.h"
#include "core/signing/ec_key.h"
#include "core/signing/signed_statement.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::signing {

/// A private key, and the certificates that vouch for it. Any thread.
class ModelSigner {
public:
    /// `certificates`: a PEM file that contains the key's own certificate and those between it and
    /// the one that readers trust; empty: readers need the public key. Fails: UnsuitableKey,
    /// CertificateRefused (expired, not for signatures, of another key), and the errors of reading.
    static Result<ModelSigner> open(const std::filesystem::path& key,
                                    const std::filesystem::path& certificates = {});

    /// The text of the signature file. Sorts the files first. Fails: NameNotRepresentable.
    [[nodiscard]] Result<std::string> sign(SignedManifest manifest) const;
    /// "key" or "certificate".
    [[nodiscard]] std::string_view method() const { return m_certificates ? "certificate" : "key"; }

private:
    ModelSigner(EcKey key, std::optional<Certificates> certificates)
        : m_key(std::move(key)), m_certificates(std::move(certificates)) {}
    EcKey m_key;
    std::optional<Certificates> m_certificates;
};

/// What the user trusts: exactly one of the two files.
struct Trust {
    std::filesystem::path publicKey;
    std::filesystem::path certificates; ///< those at which a chain may end
    CertificateTime time = CertificateTime::Now;
};

/// Reads a signature file and proves that the trusted key, or a holder of a certificate that a
/// trusted one vouches for, signed it. The model's files are not compared. Fails: UnsuitableKey,
/// CertificateRefused, SignatureMismatch (another key, changed), and the errors of parseBundle()
/// and parseStatement().
Result<SignedManifest> openSignature(const std::filesystem::path& signature, const Trust& trust);

/// The same for a signature in memory, whose name is for messages.
Result<SignedManifest> openSignatureText(std::string_view text, const std::string& name,
                                         const Trust& trust);

} // namespace cairn::signing
