// SPDX-License-Identifier: Apache-2.0
#include "app/cli/parse.h"

#include "app/cli/common_options.h"
#include "core/families/config/words.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace cairn::cli {
namespace {

/// The variables of kCommonOptions, which all verbs share.
struct Common {
    std::array<bool, kCommonOptions.size()> switches{};
    std::array<std::string, kCommonOptions.size()> texts;

    static constexpr std::size_t position(std::string_view flags) {
        return static_cast<std::size_t>(std::ranges::find(kCommonOptions, flags, &Option::flags) -
                                        kCommonOptions.begin());
    }
    [[nodiscard]] const std::string& text(std::string_view flags) const {
        return texts.at(position(flags));
    }
    [[nodiscard]] bool has(std::string_view flags) const { return switches.at(position(flags)); }
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
    for (std::size_t i = 0; i < kCommonOptions.size(); ++i) {
        const Option& each = kCommonOptions.at(i);
        const std::string flags(each.flags);
        const std::string help(each.help);
        if (each.value.empty()) {
            app.add_flag(flags, common.switches.at(i), help);
        } else {
            const auto choices = wordsOf(each.choices);
            app.add_option(flags, common.texts.at(i), help)
                ->check(CLI::IsMember(std::vector<std::string>(choices.begin(), choices.end())))
                ->type_name(std::string(each.value));
        }
    }
}

std::string longName(std::string_view flags) {
    const std::size_t dashes = flags.find("--");
    return std::string(dashes == std::string_view::npos ? flags.substr(1)
                                                        : flags.substr(dashes + 2));
}

void bind(CLI::App& app, const Verb& verb, Common& common, Bound& bound) {
    bound.verb = &verb;
    bound.app = app.add_subcommand(std::string(verb.name), std::string(verb.summary));
    if (verb.hidden) {
        bound.app->group("");
    }
    for (const Positional& positional : verb.positionals) {
        if (positional.words == Words::OneOrMore || positional.words == Words::Any) {
            bound.app
                ->add_option(std::string(positional.name), bound.many, std::string(positional.help))
                ->type_name("")
                ->required(positional.words == Words::OneOrMore);
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
    std::string footer =
        verb.rest.empty() ? "" : "After `--`:\n  " + std::string(verb.rest) + "\n\n";
    footer += "Examples:";
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
    session.json = common.has("--json");
    session.quiet = common.has("-q,--quiet");
    session.verbose = common.has("-v,--verbose");
    const std::string& progress = common.text("--progress");
    session.progress = progress == "json"   ? ProgressMode::Json
                       : progress == "none" ? ProgressMode::None
                                            : ProgressMode::Auto;
    const char* noColor = std::getenv("NO_COLOR");
    const bool refused = noColor != nullptr && *noColor != '\0';
    const std::string& color = common.text("--color");
    const bool automatic = color.empty() || color == "auto";
    session.color = color == "always" || (automatic && !refused && ::isatty(STDOUT_FILENO) == 1);
}

/// The position of the `--` after which arguments belong to another program; argc: none do.
int endOfOwn(int argc, char** argv) {
    int i = 1;
    for (; i < argc && argv[i][0] == '-'; ++i) { // options before the verb
        const auto option = std::ranges::find_if(kCommonOptions, [&](const Option& each) {
            return !each.value.empty() && each.flags == std::string_view(argv[i]);
        });
        i += option != kCommonOptions.end() ? 1 : 0;
    }
    const auto verb = std::ranges::find_if(
        allVerbs(), [&](const Verb* each) { return i < argc && each->name == argv[i]; });
    if (verb == allVerbs().end() || (*verb)->rest.empty()) {
        return argc;
    }
    while (i < argc && std::string_view(argv[i]) != "--") {
        ++i;
    }
    return i;
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
    return fail(ErrorCode::InvalidArgument, verbatim(problem.what()))
        .withHint(sentence("`cairn-cli %1--help` shows its usage", verb));
}

} // namespace

Parsed parseArguments(int argc, char** argv, Session& session) {
    CLI::App app(std::string(kProgramSummary), "cairn-cli");
    Common common;
    bool version = false;
    constexpr auto& help = kProgramOptions[0];
    constexpr auto& about = kProgramOptions[1];
    app.set_help_flag(std::string(help.flags), std::string(help.help));
    app.add_flag(std::string(about.flags), version, std::string(about.help));
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
    const int end = endOfOwn(argc, argv);
    for (int i = 1; i < end; ++i) {
        if (std::string_view(argv[i]) == "--json") { // also applies to usage errors
            common.switches.at(Common::position("--json")) = true;
        }
    }
    try {
        app.parse(end, argv);
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
            if (end < argc) {
                parsed.arguments.rest.assign(argv + end + 1, argv + argc);
            }
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
