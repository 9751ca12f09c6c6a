// SPDX-License-Identifier: Apache-2.0
#include "core/store/serve.h"

#include "app/cli/verb.h"

#include <unistd.h>

namespace cairn::cli::verb_serve {
namespace {

constexpr auto kOptions = std::to_array<Option>({
    required({"--stdio", "", "Answer on standard output what standard input asks"}),
});

Result<int> run(const Arguments& /*arguments*/, Session& /*session*/) {
    CAIRN_CHECK(store::serve(STDIN_FILENO, STDOUT_FILENO, {CAIRN_VERSION}));
    return kExitOk;
}

} // namespace

extern const Verb kVerb;
const Verb kVerb{
    .name = "serve",
    .summary = "The far end of host:/path: started by another cairn-cli through ssh, and ends with "
               "its standard input",
    .positionals = {},
    .options = kOptions,
    .examples = {"cairn-cli serve --stdio", "ssh host cairn-cli serve --stdio",
                 "cairn-cli ls host:/path"},
    .run = run,
    .rest = {},
    .work = Work::Here,
    .hidden = true};

} // namespace cairn::cli::verb_serve
