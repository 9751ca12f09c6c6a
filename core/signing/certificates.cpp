// SPDX-License-Identifier: Apache-2.0
#include "core/signing/certificates.h"

#include "core/signing/openssl_handles.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <algorithm>

namespace cairn::signing {
namespace {

constexpr std::uint64_t kMaxFile = std::uint64_t{4} << 20U;
constexpr std::size_t kMost = 1000; ///< the trust store of a system has about 150

std::string dateText(const ASN1_TIME* time) {
    const Bio out(BIO_new(BIO_s_mem()));
    return ASN1_TIME_print(out.get(), time) == 1 ? textOf(out) : std::string("an invalid date");
}

std::string subjectOf(const X509* certificate) {
    const Bio out(BIO_new(BIO_s_mem()));
    X509_NAME_print_ex(out.get(), X509_get_subject_name(certificate), 0,
                       XN_FLAG_ONELINE & ~ASN1_STRFLGS_ESC_MSB);
    return textOf(out);
}

/// One sentence for the usual reasons, libcrypto's words for the others.
Sentence reasonText(int code) {
    switch (code) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
        return "A certificate of the signature has expired";
    case X509_V_ERR_CERT_NOT_YET_VALID:
        return "A certificate of the signature is not yet valid";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        return "No chain leads from the signer's certificate to a trusted one";
    default:
        return sentence("The certificates of the signature are not accepted: %1",
                        X509_verify_cert_error_string(code));
    }
}

} // namespace

Error Certificates::refused(Sentence message) const {
    ERR_clear_error();
    return fail(ErrorCode::CertificateRefused, std::move(message)).inFile(m_name);
}

Result<Certificates> Certificates::read(const std::filesystem::path& path) {
    Certificates all;
    all.m_name = path.string();
    CAIRN_TRY(const std::string text, readNamedFile(path, kMaxFile));
    const Bio reader = readerOf(text);
    while (X509* each = PEM_read_bio_X509(reader.get(), nullptr, nullptr, nullptr)) {
        all.m_list.emplace_back(each, X509_free);
        if (all.m_list.size() > kMost) {
            return fail(ErrorCode::LimitExceeded, "The file contains too many certificates")
                .inFile(all.m_name);
        }
    }
    const bool atEnd = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    ERR_clear_error();
    if (all.m_list.empty() || !atEnd) {
        return fail(ErrorCode::UnsuitableKey,
                    all.m_list.empty() ? Sentence("The file does not contain a certificate")
                                       : "A certificate of the file is damaged")
            .inFile(all.m_name)
            .expecting("certificates in PEM");
    }
    return all;
}

Result<Certificates> Certificates::parse(std::span<const std::vector<std::byte>> der,
                                         const std::string& name) {
    Certificates all;
    all.m_name = name;
    for (const auto& each : der) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(each.data());
        const unsigned char* at = bytes;
        X509* certificate = d2i_X509(nullptr, &at, static_cast<long>(each.size()));
        ERR_clear_error();
        if (certificate == nullptr) {
            return fail(ErrorCode::BadSignature, "A certificate of the signature is invalid")
                .inFile(name);
        }
        all.m_list.emplace_back(certificate, X509_free);
        if (at != bytes + each.size()) {
            return fail(ErrorCode::BadSignature, "A certificate of the signature is invalid")
                .inFile(name);
        }
    }
    return all;
}

std::vector<std::vector<std::byte>> Certificates::encoded() const {
    std::vector<std::vector<std::byte>> all;
    for (const Shared& each : m_list) {
        std::vector<std::byte> bytes(
            static_cast<std::size_t>(std::max(i2d_X509(each.get(), nullptr), 0)));
        auto* at = reinterpret_cast<unsigned char*>(bytes.data());
        i2d_X509(each.get(), &at);
        all.push_back(std::move(bytes));
    }
    return all;
}

Result<EcKey> Certificates::signerKey() const {
    EVP_PKEY* key = X509_get_pubkey(m_list.front().get());
    ERR_clear_error();
    if (key == nullptr) {
        return fail(ErrorCode::UnsuitableKey, "The certificate does not contain a readable key")
            .inFile(m_name);
    }
    return EcKey::adopt(std::shared_ptr<EVP_PKEY>(key, EVP_PKEY_free), m_name);
}

bool Certificates::beginWith(const EcKey& key) {
    const auto own = std::ranges::find_if(m_list, [&](const Shared& each) {
        EVP_PKEY* its = X509_get_pubkey(each.get());
        if (its == nullptr) {
            return false;
        }
        const auto adopted = EcKey::adopt(std::shared_ptr<EVP_PKEY>(its, EVP_PKEY_free), m_name);
        return adopted && adopted->hasSamePublicKey(key);
    });
    ERR_clear_error();
    if (own == m_list.end()) {
        return false;
    }
    std::rotate(m_list.begin(), own, std::next(own));
    return true;
}

/// As the reference implementation: the key usage "digital signature", or else the extended one
/// "code signing".
Result<void> Certificates::checkUsage() const {
    X509* signer = m_list.front().get();
    const std::uint32_t flags = X509_get_extension_flags(signer);
    const bool signs =
        (flags & EXFLAG_KUSAGE) != 0 && (X509_get_key_usage(signer) & KU_DIGITAL_SIGNATURE) != 0;
    const bool signsCode =
        (flags & EXFLAG_XKUSAGE) != 0 && (X509_get_extended_key_usage(signer) & XKU_CODE_SIGN) != 0;
    if (signs || signsCode) {
        return {};
    }
    return refused("The certificate is not meant for signatures")
        .butFound(verbatim(subjectOf(signer)))
        .expecting("the key usage \"digital signature\" or \"code signing\"");
}

Result<void> Certificates::checkSigner() const {
    const X509* signer = m_list.front().get();
    const ASN1_TIME* from = X509_get0_notBefore(signer);
    const ASN1_TIME* until = X509_get0_notAfter(signer);
    if (X509_cmp_current_time(until) <= 0) {
        return refused("The certificate has expired")
            .butFound(sentence("valid until %1", dateText(until)))
            .withHint("Sign with a certificate that is valid");
    }
    if (X509_cmp_current_time(from) >= 0) {
        return refused("The certificate is not yet valid")
            .butFound(sentence("valid from %1", dateText(from)));
    }
    return checkUsage();
}

Result<void> Certificates::checkChain(const Certificates& trusted, CertificateTime time) const {
    const Store store(X509_STORE_new());
    for (const Shared& anchor : trusted.m_list) {
        X509_STORE_add_cert(store.get(), anchor.get());
    }
    const std::unique_ptr<STACK_OF(X509), void (*)(STACK_OF(X509)*)> others(
        sk_X509_new_null(), [](STACK_OF(X509) * stack) { sk_X509_free(stack); });
    for (const Shared& each : std::span(m_list).subspan(1)) {
        sk_X509_push(others.get(), each.get());
    }
    const StoreContext context(X509_STORE_CTX_new());
    X509* signer = m_list.front().get();
    X509_STORE_CTX_init(context.get(), store.get(), signer, others.get());
    if (time == CertificateTime::WhenIssued) {
        tm date{};
        if (ASN1_TIME_to_tm(X509_get0_notBefore(signer), &date) != 1) {
            return refused("The certificate has an invalid date");
        }
        X509_VERIFY_PARAM_set_time(X509_STORE_CTX_get0_param(context.get()), ::timegm(&date));
    }
    if (X509_verify_cert(context.get()) != 1) {
        const int code = X509_STORE_CTX_get_error(context.get());
        const X509* culprit = X509_STORE_CTX_get_current_cert(context.get());
        const bool expired = code == X509_V_ERR_CERT_HAS_EXPIRED;
        return refused(reasonText(code))
            .butFound(culprit == nullptr ? Sentence()
                      : expired          ? sentence("%1, valid until %2", subjectOf(culprit),
                                                    dateText(X509_get0_notAfter(culprit)))
                                         : verbatim(subjectOf(culprit)))
            .withHint(
                expired && time == CertificateTime::Now
                    ? Sentence("If it was signed while the certificate was valid, "
                               "--at-issue-date checks the chain at that certificate's first day")
                    : "");
    }
    return checkUsage();
}

} // namespace cairn::signing
