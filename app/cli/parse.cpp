// SPDX-License-Identifier: Apache-2.0
#include "app/cli/parse.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstdlib>
#include <deque>
#include <memory>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace cairn::cli {
namespace {

constexpr const char* kAbout = "Inspects sharded training checkpoints and converts them into "
                               "deployable files; never executes their contents.";

struct Common {
    bool json = false;
    bool quiet = false;
    bool verbose = false;
    std::string progress = "auto";
    std::string color = "auto";
};

/// The variables of one verb; CLI11 keeps references to the strings.
struct Bound {
    const Verb* verb = nullptr;
    CLI::App* app = nullptr;
    std::deque<std::string> texts;
    std::vector<std::string> many; ///< values of the last positional if it takes several
    std::deque<bool> switches;
    std::vector<std::pair<CLI::Option*, std::string*>> positionals;
    std::vector<std::pair<CLI::Option*, std::pair<std::string, std::string*>>> options;
};

void addCommon(CLI::App& app, Common& common) {
    app.add_flag("--json", common.json, "Print one JSON document to standard output");
    app.add_flag("-q,--quiet", common.quiet, "No headings, no progress");
    app.add_flag("-v,--verbose", common.verbose, "Verbose output");
    app.add_option("--progress", common.progress, "Progress on standard error: auto, none or json")
        ->check(CLI::IsMember({"auto", "none", "json"}))
        ->type_name("MODE");
    app.add_option("--color", common.color, "Colours: auto, always or never; NO_COLOR is honoured")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->type_name("WHEN");
}

std::string longName(std::string_view flags) {
    const std::size_t dashes = flags.find("--");
    return std::string(dashes == std::string_view::npos ? flags.substr(1)
                                                        : flags.substr(dashes + 2));
}

void bind(CLI::App& app, const Verb& verb, Common& common, Bound& bound) {
    bound.verb = &verb;
    bound.app = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    for (const Positional& positional : verb.positionals) {
        if (positional.words == Words::OneOrMore) {
            bound.app
                ->add_option(std::string(positional.name), bound.many, std::string(positional.help))
                ->type_name("")
                ->required(positional.words != Words::OneOrNone);
            continue;
        }
        std::string& text = bound.texts.emplace_back();
        CLI::Option* option =
            bound.app->add_option(std::string(positional.name), text, std::string(positional.help))
                ->type_name("");
        option->required(positional.words != Words::OneOrNone);
        bound.positionals.emplace_back(option, &text);
    }
    for (const Option& each : verb.options) {
        CLI::Option* option = nullptr;
        std::string* text = nullptr;
        if (each.value.empty()) {
            option = bound.app->add_flag(std::string(each.flags), bound.switches.emplace_back(),
                                         std::string(each.help));
        } else {
            text = &bound.texts.emplace_back();
            option = bound.app->add_option(std::string(each.flags), *text, std::string(each.help))
                         ->type_name(std::string(each.value));
            if (each.join != 0) {
                option->join(each.join);
            }
        }
        option->required(each.required);
        bound.options.emplace_back(option, std::pair(longName(each.flags), text));
    }
    addCommon(*bound.app, common);
    std::string footer = "Examples:";
    for (const std::string_view example : verb.examples) {
        footer += "\n  " + std::string(example);
    }
    bound.app->footer(footer);
}

Arguments collect(const Bound& bound) {
    Arguments arguments;
    for (const auto& [option, text] : bound.positionals) {
        arguments.positionals.push_back(option->count() > 0 ? std::optional(*text) : std::nullopt);
    }
    for (const std::string& word : bound.many) {
        arguments.positionals.emplace_back(word);
    }
    for (const auto& [option, target] : bound.options) {
        if (option->count() > 0) {
            arguments.values[target.first] = target.second != nullptr ? *target.second : "";
        }
    }
    return arguments;
}

void apply(const Common& common, Session& session) {
    session.json = common.json;
    session.quiet = common.quiet;
    session.verbose = common.verbose;
    session.progress = common.progress == "json"   ? ProgressMode::Json
                       : common.progress == "none" ? ProgressMode::None
                                                   : ProgressMode::Auto;
    const char* noColor = std::getenv("NO_COLOR");
    const bool refused = noColor != nullptr && *noColor != '\0';
    session.color = common.color == "always" ||
                    (common.color == "auto" && !refused && ::isatty(STDOUT_FILENO) == 1);
}

const CLI::App& chosen(const CLI::App& app, const std::deque<Bound>& verbs) {
    for (const Bound& bound : verbs) {
        if (bound.app->parsed()) {
            return *bound.app;
        }
    }
    return app;
}

Error usageError(const CLI::ParseError& problem, const CLI::App& at) {
    std::string verb =
        at.get_name().empty() || at.get_parent() == nullptr ? "" : at.get_name() + " ";
    return fail(ErrorCode::InvalidArgument, problem.what())
        .withHint("`cairn-cli " + verb + "--help` shows its usage");
}

} // namespace

Parsed parseArguments(int argc, char** argv, Session& session) {
    CLI::App app(kAbout, "cairn-cli");
    Common common;
    bool version = false;
    app.set_help_flag("-h,--help", "Show this help");
    app.add_flag("--version", version,
                 "Show the version of the program, and of libtorch if its module is installed");
    addCommon(app, common);
    app.footer("Examples:\n  cairn-cli ls step-400\n  cairn-cli info run/checkpoint-500 --json\n"
               "  cairn-cli consolidate step-400 -o model.safetensors\n\n`cairn-cli VERB --help` "
               "shows more about a verb.");
    std::deque<Bound> verbs;
    for (const Verb* verb : allVerbs()) {
        bind(app, *verb, common, verbs.emplace_back());
    }
    app.require_subcommand(0, 1);
    Parsed parsed;
    for (int i = 1; i < argc; ++i) {
        common.json =
            common.json || std::string_view(argv[i]) == "--json"; // also applies to usage errors
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        parsed.help = chosen(app, verbs).help();
    } catch (const CLI::ParseError& problem) {
        parsed.error = usageError(problem, chosen(app, verbs));
    }
    apply(common, session);
    if (parsed.error || !parsed.help.empty()) {
        return parsed;
    }
    for (const Bound& bound : verbs) {
        if (bound.app->parsed()) {
            parsed.verb = bound.verb;
            parsed.arguments = collect(bound);
            return parsed;
        }
    }
    parsed.version = version;
    if (!version) {
        parsed.error = fail(ErrorCode::InvalidArgument, "Which verb?")
                           .withHint("`cairn-cli --help` lists them");
    }
    return parsed;
}

} // namespace cairn::cli
