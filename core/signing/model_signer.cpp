// SPDX-License-Identifier: Apache-2.0
#include "core/signing/model_signer.h"

#include "core/signing/dsse.h"
#include "core/signing/openssl_handles.h"
#include "core/signing/signature_bundle.h"

namespace cairn::signing {
namespace {

constexpr std::uint64_t kMaxSignature = std::uint64_t{256} << 20U;

Error mismatch(Sentence message, const std::string& name) {
    return fail(ErrorCode::SignatureMismatch, std::move(message)).inFile(name);
}

/// `early`: the digest that signatures from before 1.0 used with this kind of material.
Result<void> proveBy(const EcKey& key, const SignatureBundle& bundle, EcDigest early,
                     const std::string& name) {
    if (key.verifies(preAuthEncoding(bundle.payload), bundle.signature) ||
        key.verifies(earlyPreAuthEncoding(bundle.payload), bundle.signature, early)) {
        return {};
    }
    return mismatch("The signature does not match its content", name)
        .withHint("The signature file was changed, or it was signed with a different key");
}

Result<void> proveByKey(const SignatureBundle& bundle, const Trust& trust,
                        const std::string& name) {
    CAIRN_TRY(const EcKey key, EcKey::readPublic(trust.publicKey));
    if (!bundle.namesKey) {
        return mismatch("The signature was made with a certificate, not with a plain key", name)
            .withHint("Verify it with --cert");
    }
    if (!bundle.hint.empty() && bundle.hint != key.hint()) {
        return mismatch("The signature was made with a different key", name)
            .butFound(sentence("key %1", bundle.hint.substr(0, 128)))
            .expecting(sentence("key %1", key.hint()));
    }
    return proveBy(key, bundle, EcDigest::OfCurve, name);
}

Result<void> proveByCertificates(const SignatureBundle& bundle, const Trust& trust,
                                 const std::string& name) {
    CAIRN_TRY(const Certificates trusted, Certificates::read(trust.certificates));
    if (bundle.certificates.empty()) {
        return mismatch("The signature was made with a plain key, not with a certificate", name)
            .withHint("Verify it with --public-key");
    }
    CAIRN_TRY(const Certificates chain, Certificates::parse(bundle.certificates, name));
    CAIRN_CHECK(chain.checkChain(trusted, trust.time));
    CAIRN_TRY(const EcKey key, chain.signerKey());
    return proveBy(key, bundle, EcDigest::Sha256, name);
}

} // namespace

Result<ModelSigner> ModelSigner::open(const std::filesystem::path& key,
                                      const std::filesystem::path& certificates) {
    CAIRN_TRY(EcKey own, EcKey::readPrivate(key));
    if (certificates.empty()) {
        return ModelSigner(std::move(own), std::nullopt);
    }
    CAIRN_TRY(Certificates chain, Certificates::read(certificates));
    if (!chain.beginWith(own)) {
        return fail(ErrorCode::CertificateRefused, "No certificate of the file belongs to the key")
            .inFile(certificates.string())
            .withHint(sentence("The file must contain the certificate that was issued for %1",
                               key.string()));
    }
    CAIRN_CHECK(chain.checkSigner());
    return ModelSigner(std::move(own), std::move(chain));
}

Result<std::string> ModelSigner::sign(SignedManifest manifest) const {
    sortFiles(manifest.files);
    SignatureBundle bundle;
    CAIRN_TRY(bundle.payload, statementText(manifest));
    CAIRN_TRY(bundle.signature, m_key.sign(preAuthEncoding(bundle.payload)));
    if (m_certificates) {
        bundle.certificates = m_certificates->encoded();
    } else {
        bundle.namesKey = true;
        bundle.hint = m_key.hint();
    }
    return bundleText(bundle);
}

Result<SignedManifest> openSignatureText(std::string_view text, const std::string& name,
                                         const Trust& trust) {
    CAIRN_TRY(const SignatureBundle bundle, parseBundle(text, name));
    CAIRN_CHECK(trust.publicKey.empty() ? proveByCertificates(bundle, trust, name)
                                        : proveByKey(bundle, trust, name));
    return parseStatement(bundle.payload, name);
}

Result<SignedManifest> openSignature(const std::filesystem::path& signature, const Trust& trust) {
    CAIRN_TRY(const std::string text, readNamedFile(signature, kMaxSignature));
    return openSignatureText(text, signature.string(), trust);
}

} // namespace cairn::signing
