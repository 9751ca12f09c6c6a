// SPDX-License-Identifier: Apache-2.0
#include "core/runs/compare/compare.h"

#include "app/cli/compare_output.h"
#include "app/cli/report_output.h"
#include "app/cli/run_listing.h"
#include "app/cli/verb.h"
#include "core/base/counted.h"
#include "core/report/make_report.h"
#include "core/runs/table/run_settings.h"

#include <charconv>
#include <cmath>

namespace cairn::cli::verb_compare {
namespace {

Result<Side> openSide(const std::string& path, Session& session) {
    Side side;
    side.argument = path;
    CAIRN_TRY(side.run, openRun(path, session));
    // The folders in which a training was resumed are beside its first one.
    const auto root = side.run.resumedIn.empty() ? side.run.path : side.run.path.parent_path();
    CAIRN_TRY(side.history, readHistory(side.run.path, root, session.cancel));
    addCheckpointRecords(side.history, side.run, session.cancel);
    return side;
}

Result<std::vector<Glob>> globsOf(const Arguments& arguments, std::string_view option) {
    std::vector<Glob> globs;
    if (const auto text = arguments.text(option)) {
        CAIRN_TRY(Glob glob, Glob::parse(*text));
        globs.push_back(std::move(glob));
    }
    return globs;
}

Result<CompareOptions> optionsOf(const Arguments& arguments) {
    CompareOptions options;
    CAIRN_TRY(options.metrics, globsOf(arguments, "metric"));
    CAIRN_TRY(options.ignore, globsOf(arguments, "ignore"));
    options.byMeaning = !arguments.has("exact-names");
    const auto numberOf = [&](std::string_view option) -> Result<std::optional<double>> {
        const auto text = arguments.text(option);
        double number = 0;
        if (!text) {
            return std::optional<double>();
        }
        const char* end = text->data() + text->size();
        const auto parsed = std::from_chars(text->data(), end, number);
        if (parsed.ec != std::errc() || parsed.ptr != end || !std::isfinite(number)) {
            return fail(ErrorCode::InvalidArgument, "Not a number")
                .inField("--" + std::string(option))
                .butFound(verbatim(*text));
        }
        return std::optional(number);
    };
    CAIRN_TRY(options.threshold, numberOf("threshold"));
    CAIRN_TRY(const auto tolerance, numberOf("tolerance"));
    options.tolerance = tolerance.value_or(options.tolerance);
    if (options.tolerance < 0) {
        return fail(ErrorCode::InvalidArgument, "A tolerance must be a non-negative number")
            .inField("--tolerance")
            .butFound(verbatim(*arguments.text("tolerance")));
    }
    return options;
}

Result<int> run(const Arguments& arguments, Session& session) {
    CAIRN_TRY(const CompareOptions options, optionsOf(arguments));
    if (arguments.positionals.size() < 2) {
        return fail(ErrorCode::InvalidArgument, "A comparison needs at least two runs")
            .butFound(counting(arguments.positionals.size(), "run"))
            .withHint("`cairn-cli compare --help` shows its usage");
    }
    std::vector<Side> sides;
    for (const std::optional<std::string>& path : arguments.positionals) {
        CAIRN_TRY(Side side, openSide(path.value_or(""), session));
        sides.push_back(std::move(side));
    }
    std::vector<RunComparison> pairs;
    for (std::size_t i = 1; i < sides.size(); ++i) {
        pairs.push_back(
            compareRuns(sides[0].history, sides[i].history, &sides[0].run, &sides[i].run, options));
    }
    CAIRN_CHECK(writeReports(
        arguments,
        [&] {
            std::vector<ReportedRun> runs;
            for (const Side& side : sides) {
                runs.push_back({side.run.name, &side.run, &side.history});
            }
            return comparisonReport(runs, pairs);
        },
        session));
    if (!printsMarkdown(arguments)) {
        session.json ? writeComparison(sides, pairs, session)
                     : printComparison(sides, pairs, session);
    }
    return kExitOk;
}

constexpr auto kPositionals = std::to_array<Positional>(
    {{"RUN", "The folders of two or more runs; each is compared with the first",
      Words::OneOrMore}});
constexpr auto kOptions = std::to_array<Option>({
    {"--metric", "GLOB", "Only metrics whose name matches (*, ?, {a,b})"},
    {"--ignore", "GLOB", "Ignore settings whose dotted key, or its last part, matches"},
    {"--threshold", "VALUE", "Report where each curve first reaches this value"},
    {"--exact-names", "",
     "Do not compare metrics whose names only mean the same: loss and train_loss, val_loss and "
     "eval_loss"},
    {"--tolerance", "PART", "Relative difference from which curves diverge (0.01)"},
    kHtmlOption,
    kMarkdownOption,
});

} // namespace

extern const Verb kVerb;
const Verb kVerb{"compare",
                 "Compare runs: curves, settings, checkpoints",
                 kPositionals,
                 kOptions,
                 {"cairn-cli compare outputs/a outputs/b outputs/c",
                  "cairn-cli compare a b --metric '*loss*' --threshold 2.0",
                  "cairn-cli compare a b --ignore '{name,seed,*_dir}' --json"},
                 run};

} // namespace cairn::cli::verb_compare

namespace cairn::cli {

std::vector<const ScannedRun*> runsOf(std::span<const Side> sides) {
    std::vector<const ScannedRun*> runs;
    for (const Side& side : sides) {
        runs.push_back(&side.run);
    }
    return runs;
}

} // namespace cairn::cli
