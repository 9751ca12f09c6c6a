// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_writer.h"
#include "app/cli/sample_writer.h"
#include "app/cli/verb.h"
#include "core/base/visible_text.h"

namespace cairn::cli::verb_sample {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    RealFileOps fileOps;
    CAIRN_CHECK(writeSample(arguments.at(0), fileOps));
    if (session.json) {
        JsonDocument document(session.out);
        document->member("path", arguments.at(0));
        document.finish();
    } else if (!session.quiet) {
        session.out.line("The sample experiment is in " + visibleText(arguments.at(0)));
    }
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>({{"DIR", "Output folder"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"sample",
                 "Write the sample experiment into a folder",
                 kPositionals,
                 {},
                 {"cairn-cli sample /tmp/sample", "cairn-cli sample /tmp/sample --json",
                  "cairn-cli sample demo && cairn-cli runs demo"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_sample
