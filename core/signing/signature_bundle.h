// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The file of a signature: a Sigstore bundle v0.3 with a DSSE envelope.
namespace cairn::signing {

struct SignatureBundle {
    bool namesKey = false; ///< signed with a key; `hint` may be empty in files of old releases
    std::string hint;      ///< EcKey::hint() of that key
    std::vector<std::vector<std::byte>> certificates; ///< DER, the signer's own first
    std::string payload;                              ///< the statement
    std::vector<std::byte> signature;                 ///< DER
};

/// One line of JSON.
std::string bundleText(const SignatureBundle& bundle);

/// Inverse of bundleText(). Nothing is proved yet. `name` is for messages. Fails: BadSignature (not
/// JSON, truncated, another form), Unsupported (a keyless signature).
Result<SignatureBundle> parseBundle(std::string_view text, const std::string& name);

} // namespace cairn::signing
