// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_output.h"
#include "app/cli/progress.h"
#include "app/cli/verb.h"
#include "core/base/counted.h"
#include "core/base/visible_text.h"
#include "core/io/location.h"
#include "core/jobs/record/sign_model.h"

#include <algorithm>
#include <sstream>

namespace cairn::cli::verb_sign {
namespace {

SignOptions signOptions(const Arguments& arguments) {
    SignOptions options;
    options.signature = arguments.text("output").value_or("");
    options.followLinks = arguments.has("follow-links");
    options.trustManifest = arguments.has("trust-manifest");
    std::istringstream ignored(arguments.text("ignore").value_or(""));
    for (std::string line; std::getline(ignored, line);) {
        options.ignored.emplace_back(line);
    }
    return options;
}

void writeJson(const SignReport& report, std::string_view method, Session& session) {
    JsonDocument document(session.out);
    document->member("signed", true);
    document->member("files", report.files.size());
    document->member("method", method);
    document->member("signature", report.signature.string());
    document->member("hashed_bytes", report.hashedBytes);
    document->key("signed_files");
    document->beginArray();
    for (const signing::SignedFile& file : report.files) {
        document->beginObject();
        document->member("path", file.path);
        document->member("sha256", file.digest);
        document->endObject();
    }
    document->endArray();
    document.finish();
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const signing::ModelSigner signer,
              signing::ModelSigner::open(arguments.text("key").value_or(""),
                                         arguments.text("cert").value_or("")));
    JobContext context(session.cancel);
    RealFileOps fileOps;
    Result<SignReport> report = [&] {
        const ProgressPrinter progress(session, [&] {
            const auto state = context.progress();
            return ProgressState{"hashing", state.verified, state.total};
        });
        return signModel(Location(arguments.at(0)).path(), signer, signOptions(arguments), fileOps,
                         context);
    }();
    CAIRN_CHECK(report);
    if (session.json) {
        writeJson(*report, signer.method(), session);
    } else {
        session.out.line(visibleText(report->signature.string()));
        if (!session.quiet) {
            session.out.line("signed " + counted(report->files.size(), "file") + ", " +
                             formatBytes(report->hashedBytes) + " hashed");
        }
    }
    return kExitOk;
}

constexpr auto kPositionals =
    std::to_array<Positional>({{"PATH", "A model: a folder, or a single file"}});
constexpr auto kOptions = std::to_array<Option>(
    {required(Option{"--key", "KEY", "Private key (P-256, P-384 or P-521) in PEM"}),
     {"--cert", "CHAIN", "PEM file with the key's certificate and its issuers"},
     {"-o,--output", "FILE", "The signature file (default: model.sig in PATH, or PATH.sig)"},
     {"--ignore", "PATH", "Leave out this file or folder; repeatable", '\n'},
     {"--follow-links", "", "Sign the content of links to files inside PATH"},
     {"--trust-manifest", "",
      "Take the digests of unchanged files from PATH's manifest, without reading the files; only "
      "for "
      "a manifest that you wrote"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"sign",
                 "Sign a model (OpenSSF Model Signing), offline",
                 kPositionals,
                 kOptions,
                 {"cairn-cli sign deploy --key signer.pem",
                  "cairn-cli sign deploy --key signer.pem --cert chain.pem --json",
                  "cairn-cli sign model.safetensors --key signer.pem -o model.sig"},
                 run};

} // namespace cairn::cli::verb_sign
