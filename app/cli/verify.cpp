// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/verify/verify.h"

#include "app/cli/json_output.h"
#include "app/cli/opened.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"
#include "core/io/location.h"
#include "core/jobs/record/manifest.h"
#include "core/jobs/record/read_manifest.h"
#include "core/jobs/record/sign_model.h"

#include <algorithm>
#include <utility>

namespace cairn::cli::verb_verify {
namespace {

/// Values of an option that may be repeated.
std::vector<std::filesystem::path> pathsOf(const Arguments& arguments, std::string_view option) {
    std::vector<std::filesystem::path> paths;
    std::string text = arguments.text(option).value_or("");
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        paths.emplace_back(text.substr(0, end));
        text.erase(0, end + 1);
    }
    return paths;
}

/// Whether the output was made from this part of the source.
Result<void> checkPart(const Opened& source, const Checkpoint& output) {
    const auto manifest = readManifest(manifestPath(output.path()));
    if (!manifest) {
        return fail(ErrorCode::InvalidArgument,
                    "Without a manifest, an output is compared with all of the checkpoint")
            .inFile(output.path().string())
            .butFound(verbatim("#" + source.member))
            .withHint(sentence("Leave out #%1", source.member));
    }
    const auto recorded = manifest->options.find("subtree");
    const std::string part = recorded != manifest->options.end() ? recorded->second : "";
    if (part != source.member) {
        return fail(ErrorCode::InvalidArgument, "The output was not made from this part")
            .inFile(output.path().string())
            .butFound(verbatim("#" + source.member))
            .expecting(part.empty() ? Sentence("all of the checkpoint") : verbatim("#" + part));
    }
    return {};
}

Result<VerifyResult> compare(const Arguments& arguments, Session& session, JobContext& context) {
    const auto& other = arguments.positionals.at(1);
    if (!other) {
        return verifyAgainstManifest(Location(arguments.at(0)).path(), context);
    }
    CAIRN_TRY(const Opened source, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(const Opened output, openPath(*other, session.cancel));
    if (!source.whole()) {
        CAIRN_CHECK(checkPart(source, *output.checkpoint));
    }
    return verifyCheckpoints(source.checkpoint, *output.checkpoint, context,
                             arguments.has("whole") ? VerifyScope::Everything
                                                    : VerifyScope::OutputTensors,
                             pathsOf(arguments, "with"));
}

Result<VerifyResult> compareSignature(const Arguments& arguments, JobContext& context) {
    signing::Trust trust;
    trust.publicKey = arguments.text("public-key").value_or("");
    trust.certificates = arguments.text("cert").value_or("");
    trust.time = arguments.has("at-issue-date") ? signing::CertificateTime::WhenIssued
                                                : signing::CertificateTime::Now;
    if (trust.publicKey.empty() == trust.certificates.empty()) {
        return fail(ErrorCode::InvalidArgument, "A signature is verified with either a public key "
                                                "or the certificates that you trust")
            .withHint("Use --public-key KEY or --cert CA");
    }
    if (arguments.positionals.at(1)) {
        return fail(ErrorCode::InvalidArgument, "A signature is of exactly one model")
            .butFound(verbatim(*arguments.positionals.at(1)));
    }
    SignatureOptions options;
    options.ignored = pathsOf(arguments, "ignore");
    options.ignoreUnsigned = arguments.has("ignore-unsigned");
    options.followLinks = arguments.has("follow-links");
    auto result = verifySignature(Location(arguments.at(0)).path(), *arguments.text("signature"),
                                  trust, options, context);
    // What the signature proves to be wrong is a result like any other.
    if (!result && (result.error().code == ErrorCode::SignatureMismatch ||
                    result.error().code == ErrorCode::CertificateRefused)) {
        Error error = std::move(result).error();
        VerifyResult refused;
        const std::string name = std::exchange(error.where.file, {});
        refused.mismatches.push_back(
            {error.code == ErrorCode::SignatureMismatch ? "signature" : "certificate", name,
             verbatim(describe(error))});
        return refused;
    }
    return result;
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
    document->memberOrNull("basis", result.basis);
    document->member("values", result.values);
    document->member("files_beside", result.filesBeside);
    document->key("not_compared");
    document->beginArray();
    for (const Sentence& part : result.notCompared) {
        document->string(part.text());
    }
    document->endArray();
    document.finish();
}

Result<int> run(const Arguments& arguments, Session& session) {
    for (const char* option :
         {"public-key", "cert", "at-issue-date", "ignore", "ignore-unsigned", "follow-links"}) {
        if (arguments.has(option) && !arguments.has("signature")) {
            return fail(ErrorCode::InvalidArgument, "This option needs a signature")
                .inField(std::string("--") + option)
                .withHint("Use --signature FILE");
        }
    }
    JobContext context(session.cancel);
    Result<VerifyResult> result = [&] {
        const ProgressPrinter progress(session, [&] {
            const auto state = context.progress();
            return ProgressState{"verifying", std::max(state.verified, state.read), state.total};
        });
        return arguments.has("signature") ? compareSignature(arguments, context)
                                          : compare(arguments, session, context);
    }();
    CAIRN_CHECK(result);
    if (session.json) {
        writeJson(*result, session);
    } else {
        session.out.line(result->verified ? "verified: " + std::to_string(result->compared.size()) +
                                                " compared, " + formatBytes(result->bytes)
                                          : std::string("NOT verified"));
        if (!result->basis.empty()) {
            session.out.line(visibleText(result->basis));
        }
        for (const Sentence& part : result->notCompared) {
            session.out.line(visibleText("not compared: " + part.text()));
        }
        for (const Mismatch& mismatch : result->mismatches) {
            session.out.line(
                visibleText(mismatch.what + " " + mismatch.name + ": " + mismatch.message.text()));
        }
    }
    return result->verified ? kExitOk : kExitDiffers;
}

constexpr auto kPositionals = std::to_array<Positional>({
    {"A", "The source; without B, an output with its manifest beside it"},
    {"B", "The output made from A", Words::OneOrNone},
});
constexpr auto kOptions = std::to_array<Option>(
    {{"--whole", "", "B must contain the same tensors, values, parameter groups and files as A"},
     {"--with", "PATH",
      "Where an adapter, a member of an average or the folder of --like is that B's manifest "
      "names, if it is not beside A or B; repeatable",
      '\n'},
     {"--signature", "FILE", "Prove this signature and compare the files of A with it"},
     {"--public-key", "KEY", "With --signature: the signer's public key in PEM"},
     {"--cert", "CA", "With --signature: PEM file with the certificates that you trust"},
     {"--at-issue-date", "",
      "With --cert: certificates must have been valid on the first day of the signer's, not today"},
     {"--ignore", "PATH", "With --signature: leave out this file or folder; repeatable", '\n'},
     {"--ignore-unsigned", "", "With --signature: further files are not a mismatch"},
     {"--follow-links", "", "With --signature: compare the content of links inside A"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"verify",
                 "Verify that B contains the same bytes as A",
                 kPositionals,
                 kOptions,
                 {"cairn-cli verify model.safetensors",
                  "cairn-cli verify step-400 model.safetensors --whole --json",
                  "cairn-cli verify deploy --signature deploy/model.sig --public-key "
                  "signer.pub"},
                 run};

} // namespace cairn::cli::verb_verify
