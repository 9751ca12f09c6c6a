// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/signing/dsse.h"
#include "core/signing/model_signer.h"
#include "core/signing/signature_bundle.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>

namespace cairn::signing {
namespace {

namespace fs = std::filesystem;

const fs::path kData = fs::path(CAIRN_SOURCE_DIR) / "tests/data/signing"; // signing_fixtures.py

std::string contentOf(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

Trust publicKey(const std::string& name) {
    return {kData / (name + ".pub"), {}, CertificateTime::Now};
}
Trust certificates(const std::string& name, CertificateTime time = CertificateTime::Now) {
    return {{}, kData / (name + ".pem"), time};
}

/// A correctly signed bundle with this statement.
std::string signedBundle(const std::string& payload) {
    const auto key = EcKey::readPrivate(kData / "p256.pem");
    SignatureBundle bundle;
    bundle.namesKey = true;
    bundle.hint = key->hint();
    bundle.payload = payload;
    bundle.signature = *key->sign(preAuthEncoding(payload));
    return bundleText(bundle);
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, text.npos) << from;
    return at == text.npos ? text : text.replace(at, from.size(), to);
}

/// The statement of a signature by the reference implementation.
std::string statement() {
    return parseBundle(contentOf(kData / "p256.sig"), "p256.sig")->payload;
}

TEST(Signing, ReadsSignaturesOfTheReferenceImplementation) {
    for (const char* name : {"p256", "p384", "p521"}) {
        const auto manifest = openSignature(kData / (std::string(name) + ".sig"), publicKey(name));
        ASSERT_TRUE(manifest) << describe(manifest.error());
        EXPECT_EQ(manifest->model, "model");
        ASSERT_EQ(manifest->files.size(), 6U);
        EXPECT_EQ(manifest->files[0].path, ".hidden");
        EXPECT_EQ(manifest->files[3].path, "sub/b.bin");
        EXPECT_EQ(manifest->files[4].path, "sub.txt"); // by components, not by bytes
    }
    const auto shards = openSignature(kData / "shards.sig", publicKey("p256"));
    ASSERT_TRUE(shards) << describe(shards.error());
    EXPECT_EQ(shards->shardBytes, 1000U);
    EXPECT_EQ(shards->files[3].begin, 1000U);
    const auto early = openSignature(kData / "early.sig", publicKey("p384"));
    ASSERT_TRUE(early) << describe(early.error());
    EXPECT_EQ(early->files.size(), 6U);
}

TEST(Signing, WritesTheStatementThatItReads) {
    const auto manifest = openSignature(kData / "p256.sig", publicKey("p256"));
    ASSERT_TRUE(manifest);
    const auto text = statementText(*manifest);
    ASSERT_TRUE(text);
    const auto again = parseStatement(*text, "again");
    ASSERT_TRUE(again) << describe(again.error());
    EXPECT_EQ(again->files.size(), manifest->files.size());
    EXPECT_EQ(again->ignored, manifest->ignored);
    std::vector<SignedFile> sorted = manifest->files;
    std::ranges::reverse(sorted);
    sortFiles(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        EXPECT_EQ(sorted[i].path, manifest->files[i].path);
    }
}

TEST(Signing, EveryKeySignsWhatItVerifies) {
    const auto manifest = openSignature(kData / "p256.sig", publicKey("p256"));
    for (const char* name : {"p256", "p384", "p521"}) {
        const auto signer = ModelSigner::open(kData / (std::string(name) + ".pem"));
        ASSERT_TRUE(signer) << describe(signer.error());
        const auto text = signer->sign(*manifest);
        ASSERT_TRUE(text);
        EXPECT_TRUE(openSignatureText(*text, "own", publicKey(name)));
        const auto other = openSignatureText(*text, "own", publicKey("other"));
        ASSERT_FALSE(other);
        EXPECT_EQ(other.error().code, ErrorCode::SignatureMismatch);
        // One bit of the statement.
        auto bundle = parseBundle(*text, "own");
        bundle->payload = replaced(bundle->payload, "sub.txt", "sub.txs");
        const auto changed = openSignatureText(bundleText(*bundle), "own", publicKey(name));
        ASSERT_FALSE(changed);
        EXPECT_EQ(changed.error().code, ErrorCode::SignatureMismatch);
    }
}

TEST(Signing, RefusesUnsuitableKeys) {
    const auto isUnsuitable = [](const auto& result, std::string_view message) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::UnsuitableKey);
        EXPECT_NE(result.error().message.text().find(message), std::string::npos)
            << result.error().message.text();
    };
    isUnsuitable(EcKey::readPrivate(kData / "rsa.pem"), "not an elliptic key");
    isUnsuitable(EcKey::readPrivate(kData / "k256.pem"), "curve");
    isUnsuitable(EcKey::readPrivate(kData / "p256.pub"), "public key");
    isUnsuitable(EcKey::readPrivate(kData / "model/a.txt"), "does not contain a private key");
    isUnsuitable(EcKey::readPublic(kData / "p256.pem"), "private key instead");
    isUnsuitable(EcKey::readPublic(kData / "root.pem"), "certificate instead");
    isUnsuitable(EcKey::readPublic(kData / "rsa.pub"), "not an elliptic key");
    ::unsetenv("CAIRN_KEY_PASSWORD");
    isUnsuitable(EcKey::readPrivate(kData / "locked.pem"), "encrypted");
    ::setenv("CAIRN_KEY_PASSWORD", "wrong", 1);
    isUnsuitable(EcKey::readPrivate(kData / "locked.pem"), "encrypted");
    ::setenv("CAIRN_KEY_PASSWORD", "secret", 1);
    EXPECT_TRUE(EcKey::readPrivate(kData / "locked.pem"));
    ::unsetenv("CAIRN_KEY_PASSWORD");
    const auto missing = EcKey::readPrivate(kData / "none.pem");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
}

TEST(Signing, ChecksTheChainOfCertificates) {
    const auto open = [](const std::string& name, const Trust& trust) {
        return openSignature(kData / (name + ".sig"), trust);
    };
    EXPECT_TRUE(open("chain", certificates("root")));
    EXPECT_TRUE(open("chain-code", certificates("root")));
    EXPECT_TRUE(open("chain-expired", certificates("root", CertificateTime::WhenIssued)));
    struct Case {
        const char* name;
        const char* trusted;
        const char* message;
    };
    for (const Case& each : {Case{"chain-expired", "root", "has expired"},
                             Case{"chain-future", "root", "not yet valid"},
                             Case{"chain-usage", "root", "not meant for signatures"},
                             Case{"chain-none", "root", "not meant for signatures"},
                             Case{"chain", "other-root", "No chain"}}) {
        const auto result = open(each.name, certificates(each.trusted));
        ASSERT_FALSE(result) << each.name;
        EXPECT_EQ(result.error().code, ErrorCode::CertificateRefused) << each.name;
        EXPECT_NE(result.error().message.text().find(each.message), std::string::npos)
            << result.error().message.text();
    }
    EXPECT_EQ(open("p256", certificates("root")).error().code, ErrorCode::SignatureMismatch);
    EXPECT_EQ(open("chain", publicKey("p256")).error().code, ErrorCode::SignatureMismatch);
}

TEST(Signing, SignsOnlyWithACertificateOfTheKeyThatIsValid) {
    const auto manifest = openSignature(kData / "p256.sig", publicKey("p256"));
    const auto signer = ModelSigner::open(kData / "p256.pem", kData / "chain.pem");
    ASSERT_TRUE(signer) << describe(signer.error());
    EXPECT_EQ(signer->method(), "certificate");
    EXPECT_TRUE(openSignatureText(*signer->sign(*manifest), "own", certificates("root")));
    for (const char* chain : {"chain-expired", "chain-future", "chain-usage", "other-root"}) {
        const auto refused =
            ModelSigner::open(kData / "p256.pem", kData / (std::string(chain) + ".pem"));
        ASSERT_FALSE(refused) << chain;
        EXPECT_EQ(refused.error().code, ErrorCode::CertificateRefused) << chain;
    }
}

TEST(Signing, RefusesDamagedBundles) {
    const std::string good = contentOf(kData / "p256.sig");
    ASSERT_TRUE(openSignatureText(good, "good", publicKey("p256")));
    const auto refused = [](const std::string& text, ErrorCode code) {
        const auto result = openSignatureText(text, "bad", publicKey("p256"));
        ASSERT_FALSE(result) << text.substr(0, 100);
        EXPECT_EQ(result.error().code, code) << describe(result.error());
        EXPECT_FALSE(result.error().message.empty());
    };
    for (std::size_t size = 0; size < good.size(); size += 37) {
        refused(good.substr(0, size), ErrorCode::BadSignature);
    }
    refused(replaced(good, "bundle.v0.3+json", "bundle.v0.9+json"), ErrorCode::BadSignature);
    refused(replaced(good, "vnd.in-toto+json", "vnd.other+json"), ErrorCode::BadSignature);
    refused(replaced(good, "\"signatures\":[", "\"signatures\":[],\"s\":["),
            ErrorCode::BadSignature);
    refused(replaced(good, "\"publicKey\"", "\"nobodysKey\""), ErrorCode::BadSignature);
    refused(replaced(good, "\"publicKey\"", "\"certificate\""), ErrorCode::Unsupported);
    refused(replaced(good, "\"sig\":\"", "\"sig\":\"*"), ErrorCode::BadSignature);
    refused(replaced(good, "\"sig\":\"M", "\"sig\":\"N"), ErrorCode::SignatureMismatch);
    refused("[]", ErrorCode::BadSignature);
    refused(std::string(100'000, '['), ErrorCode::BadSignature);
}

TEST(Signing, RefusesSignedStatementsThatItCannotCheck) {
    const std::string good = statement();
    ASSERT_TRUE(openSignatureText(signedBundle(good), "good", publicKey("p256")));
    struct Case {
        const char* from;
        const char* to;
        ErrorCode code;
    };
    const std::string zeros(64, '0');
    const auto cases = std::to_array<Case>({
        {"signature/v1.0", "signature/v9.0", ErrorCode::BadSignature},
        {"Statement/v1", "Statement/v7", ErrorCode::BadSignature},
        {"\"hash_type\": \"sha256\"", "\"hash_type\": \"blake3\"", ErrorCode::Unsupported},
        {"\"algorithm\": \"sha256\"", "\"algorithm\": \"md5\"", ErrorCode::Unsupported},
        {"\"algorithm\": \"sha256\"", "\"algorithm\": \"blake2b\"", ErrorCode::BadSignature},
        {"\"method\": \"files\"", "\"method\": \"tensors\"", ErrorCode::BadSignature},
        {"\"method\": \"files\"", "\"method\": \"shards\"", ErrorCode::BadSignature},
        {"\"a.txt\"", "\"../a.txt\"", ErrorCode::OutsideFolder},
        {"\"a.txt\"", "\"/etc/passwd\"", ErrorCode::OutsideFolder},
        {"\"a.txt\"", "\"sub/../../a.txt\"", ErrorCode::OutsideFolder},
        {"\"a.txt\"", "\"a\\u0000b\"", ErrorCode::OutsideFolder},
        {"\"a.txt\"", "\"\"", ErrorCode::OutsideFolder},
        {"\"a.txt\"", "\"sub.txt\"", ErrorCode::BadSignature}, // twice
        {"\"a.txt\"", "7", ErrorCode::BadSignature},
        {"\"resources\"", "\"others\"", ErrorCode::BadSignature},
        {"\"subject\"", "\"object\"", ErrorCode::BadSignature},
    });
    for (const Case& each : cases) {
        const std::string text = signedBundle(replaced(good, each.from, each.to));
        const auto result = openSignatureText(text, "bad", publicKey("p256"));
        ASSERT_FALSE(result) << each.to;
        EXPECT_EQ(result.error().code, each.code) << each.to << ": " << describe(result.error());
    }
    // The digest of one file was exchanged without the summary.
    const std::size_t digest = good.find("\"digest\": \"") + 11;
    std::string other = good;
    other.replace(digest, 64, zeros);
    EXPECT_EQ(openSignatureText(signedBundle(other), "bad", publicKey("p256")).error().code,
              ErrorCode::BadSignature);
}

TEST(Signing, EncodesAsTheSpecificationsSay) {
    EXPECT_EQ(preAuthEncoding("hello"), "DSSEv1 28 application/vnd.in-toto+json 5 hello");
    EXPECT_EQ(earlyPreAuthEncoding("it's \"\n\x80"),
              "DSSEV1 28 application/vnd.in-toto+json 8 b'it\\'s \"\\n\\x80'");
    const std::string text = "any carnal pleas";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        const auto bytes = asBytes(std::string_view(text).substr(0, size));
        const auto back = base64Bytes(base64Text(bytes));
        ASSERT_TRUE(back);
        EXPECT_TRUE(std::ranges::equal(*back, bytes));
    }
    EXPECT_EQ(base64Text(asBytes("any carnal pleas")), "YW55IGNhcm5hbCBwbGVhcw==");
    for (const char* bad : {"A", "AA=A", "*AAA", "AAAAA"}) {
        EXPECT_FALSE(base64Bytes(bad)) << bad;
    }
}

} // namespace
} // namespace cairn::signing
