// SPDX-License-Identifier: Apache-2.0
#include "core/signing/signature_bundle.h"

#include "core/base/endian.h"
#include "core/codec/json/json_value.h"
#include "core/signing/dsse.h"

#include <nlohmann/json.hpp>

namespace cairn::signing {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMediaType = "application/vnd.dev.sigstore.bundle.v0.3+json";
constexpr std::size_t kMostCertificates = 32;

/// Text at nested keys; empty if there is none.
std::string_view textAt(const JsonValue* value, std::string_view key) {
    const JsonValue* member = value != nullptr ? value->find(key) : nullptr;
    return member != nullptr ? member->asString().value_or("") : std::string_view();
}

class BundleParser {
public:
    explicit BundleParser(const std::string& name) : m_name(name) {}

    Result<SignatureBundle> parse(std::string_view text) {
        const auto root = parseJson(text, m_name, {.allowNonFinite = false});
        if (!root || root->kind() != JsonKind::Object) {
            return fail(ErrorCode::BadSignature, "The signature file is not valid JSON")
                .inFile(m_name)
                .expecting("a Sigstore bundle")
                .withHint("The file may be truncated; get another copy");
        }
        const std::string_view media = textAt(&*root, "mediaType");
        if (media != kMediaType) {
            return bad("The file is not a signature of a model", "mediaType")
                .butFound(media.empty() ? Sentence("none") : verbatim(std::string(media)))
                .expecting(verbatim(std::string(kMediaType)));
        }
        SignatureBundle bundle;
        CAIRN_CHECK(readMaterial(root->find("verificationMaterial"), bundle));
        CAIRN_CHECK(readEnvelope(root->find("dsseEnvelope"), bundle));
        return bundle;
    }

private:
    [[nodiscard]] Error bad(Sentence message, std::string_view field) const {
        return fail(ErrorCode::BadSignature, std::move(message))
            .inFile(m_name)
            .inField(std::string(field));
    }

    Result<void> readMaterial(const JsonValue* material, SignatureBundle& bundle) {
        if (material == nullptr) {
            return bad("The signature does not name its key", "verificationMaterial");
        }
        if (material->find("certificate") != nullptr) {
            return fail(ErrorCode::Unsupported,
                        "The signature is keyless (Sigstore); only signatures of keys and of "
                        "certificate chains can be verified offline")
                .inFile(m_name);
        }
        const JsonValue* key = material->find("publicKey");
        const JsonValue* chain = material->find("x509CertificateChain");
        const JsonValue* list = chain != nullptr ? chain->find("certificates") : nullptr;
        bundle.namesKey = key != nullptr;
        bundle.hint = textAt(key, "hint");
        if (list != nullptr) {
            for (const JsonValue& each : list->elements()) {
                auto bytes = base64Bytes(textAt(&each, "rawBytes"));
                if (!bytes || bytes->empty() || bundle.certificates.size() >= kMostCertificates) {
                    return bad("A certificate of the signature is invalid", "rawBytes");
                }
                bundle.certificates.push_back(std::move(*bytes));
            }
        }
        if (bundle.namesKey == !bundle.certificates.empty()) {
            return bad("The signature does not name its key", "verificationMaterial")
                .expecting("publicKey or x509CertificateChain");
        }
        return {};
    }

    Result<void> readEnvelope(const JsonValue* envelope, SignatureBundle& bundle) {
        if (envelope == nullptr) {
            return bad("The signature has no envelope", "dsseEnvelope");
        }
        const std::string_view type = textAt(envelope, "payloadType");
        if (type != kPayloadType) {
            return bad("The signed payload has an unknown type", "payloadType")
                .butFound(type.empty() ? Sentence("none") : verbatim(std::string(type)))
                .expecting(verbatim(std::string(kPayloadType)));
        }
        const auto payload = base64Bytes(textAt(envelope, "payload"));
        const JsonValue* signatures = envelope->find("signatures");
        const bool single = signatures != nullptr && signatures->elements().size() == 1;
        auto signature =
            single ? base64Bytes(textAt(&signatures->elements()[0], "sig")) : std::nullopt;
        if (!payload || payload->empty()) {
            return bad("The signed payload is missing or invalid", "payload");
        }
        if (!signature || signature->empty()) {
            return bad("The signature is missing or invalid", "signatures");
        }
        bundle.payload = asText(*payload);
        bundle.signature = std::move(*signature);
        return {};
    }

    const std::string& m_name;
};

} // namespace

std::string bundleText(const SignatureBundle& bundle) {
    Json material;
    if (bundle.certificates.empty()) {
        material["publicKey"] = {{"hint", bundle.hint}};
    } else {
        Json list = Json::array();
        for (const auto& certificate : bundle.certificates) {
            list.push_back({{"rawBytes", base64Text(certificate)}});
        }
        material["x509CertificateChain"] = {{"certificates", std::move(list)}};
    }
    material["tlogEntries"] = Json::array();
    const Json signature = {{"sig", base64Text(bundle.signature)}, {"keyid", ""}};
    return Json{{"mediaType", kMediaType},
                {"verificationMaterial", std::move(material)},
                {"dsseEnvelope",
                 {{"payload", base64Text(asBytes(bundle.payload))},
                  {"payloadType", kPayloadType},
                  {"signatures", Json::array({signature})}}}}
        .dump();
}

Result<SignatureBundle> parseBundle(std::string_view text, const std::string& name) {
    return BundleParser(name).parse(text);
}

} // namespace cairn::signing
