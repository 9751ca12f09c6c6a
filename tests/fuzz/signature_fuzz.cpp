// SPDX-License-Identifier: Apache-2.0
#include "core/base/endian.h"
#include "core/signing/certificates.h"
#include "core/signing/dsse.h"
#include "core/signing/signature_bundle.h"
#include "core/signing/signed_statement.h"

#include <cstdint>

/// Any bytes, as a signature file, a statement, a certificate and base64. Paths stay inside the
/// model, digests are hexadecimal, and what is written is read back.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cairn;
    using namespace cairn::signing;
    const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
    const std::string_view text = asText(bytes);
    if (base64Bytes(base64Text(bytes)) != std::vector(bytes.begin(), bytes.end())) {
        __builtin_trap();
    }
    const auto check = [](std::string_view statement) {
        const auto manifest = parseStatement(statement, "model.sig");
        if (!manifest) {
            return;
        }
        for (const SignedFile& file : manifest->files) {
            const std::string padded = "/" + file.path + "/";
            if (padded.find("/../") != padded.npos || padded.find("//") != padded.npos ||
                file.digest.size() < 64) {
                __builtin_trap();
            }
        }
    };
    check(text);
    if (const auto bundle = parseBundle(text, "model.sig")) {
        check(bundle->payload);
        (void)Certificates::parse(bundle->certificates, "model.sig");
        if (!parseBundle(bundleText(*bundle), "again")) {
            __builtin_trap();
        }
    }
    const std::vector<std::vector<std::byte>> der{{bytes.begin(), bytes.end()}};
    (void)Certificates::parse(der, "certificate");
    return 0;
}
