// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_writer.h"
#include "app/cli/reference.h"
#include "app/cli/verb.h"

namespace cairn::cli {
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

extern const Verb kManualVerb;
const Verb kManualVerb{
    "manual",
    "Write the manual page cairn-cli(1)",
    {},
    {},
    {"cairn-cli manual > cairn-cli.1", "cairn-cli manual | man -l -", "cairn-cli manual --json"},
    run};

} // namespace cairn::cli
