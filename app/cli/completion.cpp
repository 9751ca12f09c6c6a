// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json_writer.h"
#include "app/cli/reference.h"
#include "app/cli/verb.h"

namespace cairn::cli::verb_completion {
namespace {

Result<int> run(const Arguments& arguments, Session& session) {
    const std::string& shell = arguments.at(0);
    std::string (*write)() = shell == "bash"   ? &bashCompletion
                             : shell == "zsh"  ? &zshCompletion
                             : shell == "fish" ? &fishCompletion
                                               : nullptr;
    if (write == nullptr) {
        return fail(ErrorCode::InvalidArgument, "Unknown shell")
            .butFound(verbatim(shell))
            .expecting("bash, zsh or fish");
    }
    if (session.json) {
        JsonDocument document(session.out);
        document->member("shell", shell);
        document->member("text", write());
        document.finish();
    } else {
        session.out.write(write());
    }
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>(
    {{.name = "SHELL", .help = "bash, zsh or fish", .choices = "bash zsh fish"}});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"completion",
                 "Write the completion of verbs and options for a shell",
                 kPositionals,
                 {},
                 {"cairn-cli completion bash > cairn-cli.bash",
                  "cairn-cli completion zsh > _cairn-cli",
                  "cairn-cli completion fish > cairn-cli.fish"},
                 run,
                 {},
                 Work::Here};

} // namespace cairn::cli::verb_completion
