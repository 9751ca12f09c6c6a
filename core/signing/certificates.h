// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/signing/ec_key.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

struct x509_st; // libcrypto's X509

namespace cairn::signing {

/// The date at which the certificates of a chain must be valid.
enum class CertificateTime : std::uint8_t {
    Now,
    WhenIssued, ///< at the start of the signer's own certificate
};

/// Certificates in order. A value type that shares them; any thread.
class Certificates {
public:
    /// Reads all certificates of a PEM file. Fails: UnsuitableKey if there is none, and the errors
    /// of reading.
    static Result<Certificates> read(const std::filesystem::path& path);
    /// Parses DER. `name` is for messages. Fails: BadSignature.
    static Result<Certificates> parse(std::span<const std::vector<std::byte>> der,
                                      const std::string& name);

    /// Each in DER.
    [[nodiscard]] std::vector<std::vector<std::byte>> encoded() const;
    /// The key of the first. Fails: UnsuitableKey.
    [[nodiscard]] Result<EcKey> signerKey() const;
    /// Moves the certificate of `key` to the front. False if there is none.
    bool beginWith(const EcKey& key);

    /// The first certificate may sign: it is valid today, and for signatures. Fails:
    /// CertificateRefused.
    [[nodiscard]] Result<void> checkSigner() const;
    /// The same, and a chain leads from it through the others to one of `trusted`. Fails:
    /// CertificateRefused with the reason.
    [[nodiscard]] Result<void> checkChain(const Certificates& trusted, CertificateTime time) const;

private:
    using Shared = std::shared_ptr<x509_st>;
    [[nodiscard]] Error refused(Sentence message) const;
    [[nodiscard]] Result<void> checkUsage() const;
    std::vector<Shared> m_list;
    std::string m_name;
};

} // namespace cairn::signing
