// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_writer.h"
#include "app/cli/reference.h"
#include "app/cli/verb.h"

namespace cairn::cli::verb_manual {
namespace {

Result<int> run(const Arguments&, Session& session) {
    if (session.json) {
        JsonDocument document(session.out);
        document->member("text", manualPage());
        document.finish();
    } else {
        session.out.write(manualPage());
    }
    return kExitOk;
}

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    "manual",
    "Write the manual page cairn-cli(1)",
    {},
    {},
    {"cairn-cli manual > cairn-cli.1", "cairn-cli manual | man -l -", "cairn-cli manual --json"},
    run,
    {},
    Work::Here};

} // namespace cairn::cli::verb_manual
