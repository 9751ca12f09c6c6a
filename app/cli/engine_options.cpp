// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "core/base/quantity.h"
#include "core/signing/model_signer.h"

#include <charconv>
#include <memory>
#include <utility>

namespace cairn::cli {

Result<std::uint64_t> parseSize(std::string_view text) {
    if (const auto size = parseQuantity(text); size && *size > 0 && *size < 9e18) {
        return static_cast<std::uint64_t>(*size);
    }
    return fail(ErrorCode::InvalidArgument, "Invalid size")
        .butFound(verbatim(std::string(text)))
        .expecting("5GB, 500MB, 1GiB");
}

Result<std::size_t> partCount(std::string_view text) {
    constexpr std::size_t kMost = 100'000;
    std::size_t count = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || count < 1 ||
        count > kMost) {
        return fail(ErrorCode::InvalidArgument, "Invalid number of parts")
            .inField("--parts")
            .butFound(verbatim(std::string(text)))
            .expecting(sentence("1 to %1", kMost));
    }
    return count;
}

Result<EngineOptions> engineOptions(const Arguments& arguments) {
    EngineOptions engine;
    engine.provenance = arguments.has("provenance");
    engine.bom = arguments.has("bom");
    const auto key = arguments.text("sign");
    const auto certificates = arguments.text("sign-cert");
    if (certificates && !key) {
        return fail(ErrorCode::InvalidArgument, "A certificate cannot sign without its key")
            .inField("--sign-cert")
            .withHint("Use --sign KEY");
    }
    if (key) {
        CAIRN_TRY(signing::ModelSigner signer,
                  signing::ModelSigner::open(*key, certificates.value_or("")));
        engine.signer = std::make_shared<const signing::ModelSigner>(std::move(signer));
    }
    return engine;
}

} // namespace cairn::cli
