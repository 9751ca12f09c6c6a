// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify.h"

#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"
#include "core/io/location.h"

#include <algorithm>

namespace cairn::cli {
namespace {

Result<VerifyResult> compare(const Arguments& arguments, Session& session, JobContext& context) {
    const auto& other = arguments.positionals.at(1);
    if (!other) {
        return verifyAgainstManifest(Location(arguments.at(0)).path(), context);
    }
    CAIRN_TRY(const Opened source, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(const Opened output, openPath(*other, session.cancel));
    return verifyCheckpoints(*source.checkpoint, *output.checkpoint, context,
                             arguments.has("whole") ? VerifyScope::AllTensors
                                                    : VerifyScope::OutputTensors);
}

void writeJson(const VerifyResult& result, Session& session) {
    JsonDocument document(session.out);
    document->member("verified", result.verified);
    document->key("compared");
    document->beginArray();
    for (const std::string& name : result.compared) {
        document->string(name);
    }
    document->endArray();
    document->key("mismatches");
    document->beginArray();
    for (const Mismatch& mismatch : result.mismatches) {
        document->beginObject();
        document->member("what", mismatch.what);
        document->member("name", mismatch.name);
        document->member("message", mismatch.message);
        document->endObject();
    }
    document->endArray();
    document->member("bytes", result.bytes);
    document.finish();
}

Result<int> run(const Arguments& arguments, Session& session) {
    JobContext context(session.cancel);
    Result<VerifyResult> result = [&] {
        const ProgressPrinter progress(session, [&] {
            const auto state = context.progress();
            return ProgressState{"verifying", std::max(state.verified, state.read), state.total};
        });
        return compare(arguments, session, context);
    }();
    CAIRN_CHECK(result);
    if (session.json) {
        writeJson(*result, session);
    } else {
        session.out.line(result->verified ? "verified: " + std::to_string(result->compared.size()) +
                                                " compared, " + formatBytes(result->bytes)
                                          : std::string("NOT verified"));
        for (const Mismatch& mismatch : result->mismatches) {
            session.out.line(
                visibleText(mismatch.what + " " + mismatch.name + ": " + mismatch.message));
        }
    }
    return result->verified ? kExitOk : kExitDiffers;
}

constexpr auto kPositionals = std::to_array<Positional>({
    {"A", "The source; without B, an output with its manifest beside it"},
    {"B", "The output made from A", Words::OneOrNone},
});
constexpr auto kOptions =
    std::to_array<Option>({{"--whole", "", "B must contain every tensor of A"}});

} // namespace

extern const Verb kVerifyVerb;
const Verb kVerifyVerb{"verify",
                       "Verify that B contains the same bytes as A",
                       kPositionals,
                       kOptions,
                       {"cairn-cli verify model.safetensors",
                        "cairn-cli verify step-400 model.safetensors",
                        "cairn-cli verify step-400 model.safetensors --whole --json"},
                       run};

} // namespace cairn::cli
