// SPDX-License-Identifier: Apache-2.0
#include "app/cli/job_output.h"
#include "app/cli/verb.h"
#include "core/jobs/archive/pack_archive.h"
#include "core/jobs/queue/listed_run.h"

#include <charconv>

namespace cairn::cli::verb_pack {
namespace {

constexpr int kHighestLevel = 19;

Result<int> levelOf(const Arguments& arguments) {
    const std::string text = arguments.text("level").value_or("1");
    int level = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
    if (error != std::errc() || end != text.data() + text.size() || level < 1 ||
        level > kHighestLevel) {
        return fail(ErrorCode::InvalidArgument, "Invalid compression level")
            .butFound(verbatim(text))
            .expecting(sentence("1 to %1", kHighestLevel));
    }
    return level;
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const Opened source, openPath(arguments.at(0), session.cancel));
    CAIRN_TRY(const PackOptions options, packOptions(arguments, source, session));
    ListedOptions listed{session.command, session.digest};
    listed.engine.part = session.part;
    return runJob(session, [&](FileOps& fileOps, JobContext& context) {
        return runListedPack(source.checkpoint, options, listed, fileOps, context);
    });
}

constexpr auto kPositionals = std::to_array<Positional>({{"SRC", "A checkpoint of any format"}});
constexpr auto kOptions =
    std::to_array<Option>({required(kOutputOption), kLevelOption, kDeltaOption});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"pack",
                 "Write a smaller archive of a checkpoint, verified",
                 kPositionals,
                 kOptions,
                 {"cairn-cli pack step-400 -o step-400.cairnz",
                  "cairn-cli pack step-500 -o step-500.cairnz --delta step-400 --json",
                  "cairn-cli pack model.safetensors -o model.cairnz --level 9"},
                 run};

} // namespace cairn::cli::verb_pack

namespace cairn::cli {

Result<PackOptions> packOptions(const Arguments& arguments, const Opened& source,
                                Session& session) {
    if (!source.whole()) {
        return fail(ErrorCode::InvalidArgument, "An archive contains a complete checkpoint")
            .butFound(verbatim(source.member))
            .withHint("Consolidate the part with --only, then pack the result");
    }
    PackOptions options;
    options.output = arguments.text("output").value();
    CAIRN_TRY(options.level, verb_pack::levelOf(arguments));
    if (const auto earlier = arguments.text("delta")) {
        CAIRN_TRY(const Opened opened, openPath(*earlier, session.cancel));
        options.earlier = opened.checkpoint;
    }
    return options;
}

} // namespace cairn::cli
