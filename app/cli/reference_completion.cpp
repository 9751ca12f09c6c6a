// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common_options.h"
#include "app/cli/reference.h"

#include <functional>

namespace cairn::cli {
namespace {

/// "-o" and "--output" of "-o,--output".
std::vector<std::string> flagsOf(const Option& option) {
    const std::size_t comma = option.flags.find(',');
    std::vector<std::string> flags{std::string(option.flags.substr(0, comma))};
    if (comma != std::string_view::npos) {
        flags.emplace_back(option.flags.substr(comma + 1));
    }
    return flags;
}

std::string replaced(std::string_view text, char from, std::string_view by) {
    std::string out;
    for (const char each : text) {
        out += each == from ? std::string(by) : std::string(1, each);
    }
    return out;
}

/// One argument in a POSIX shell.
std::string shellQuoted(std::string_view text) {
    return "'" + replaced(text, '\'', "'\\''") + "'";
}

/// One argument in fish, where a backslash also counts between single quotes.
std::string quotedInFish(std::string_view text) {
    return "'" + replaced(replaced(text, '\\', "\\\\"), '\'', "\\'") + "'";
}

std::string words(std::span<const Option> options) {
    std::string out;
    for (const Option& option : options) {
        for (const std::string& flag : flagsOf(option)) {
            out += " " + flag;
        }
    }
    return out;
}

std::string allNames(std::string_view separator) {
    std::string names;
    for (const Verb* verb : listedVerbs()) {
        names += (names.empty() ? "" : std::string(separator)) + std::string(verb->name);
    }
    return names;
}

/// Calls `each` for all options of all verbs whose values are listed; a common option once.
void withChoices(const std::function<void(const Option&)>& each) {
    for (const Option& option : kCommonOptions) {
        if (!option.choices.empty()) {
            each(option);
        }
    }
}

/// What may follow the verb, if that is a list of words; else empty: the names of files.
std::string choicesOf(const Verb& verb) {
    return std::string(verb.positionals.empty() ? "" : verb.positionals.front().choices);
}

/// An entry of zsh's _arguments: '(-o --output)'{-o,--output}'[help]:OUT:_files'.
std::string zshEntry(const Option& option) {
    const std::string help =
        replaced(replaced(replaced(option.help, '[', "\\["), ']', "\\]"), ':', "\\:");
    const std::string value = option.value.empty()     ? ""
                              : option.choices.empty() ? ":" + std::string(option.value) + ":_files"
                                                       : ":" + std::string(option.value) + ":(" +
                                                             std::string(option.choices) + ")";
    std::string entries;
    for (const std::string& flag : flagsOf(option)) {
        entries += " \\\n            " +
                   shellQuoted((option.join != 0 ? "*" : "") + flag + "[" + help + "]" + value);
    }
    return entries;
}

/// One line of fish's complete(1).
std::string fishLine(const std::string& condition, const Option& option) {
    std::string line = "complete -c cairn-cli -n " + quotedInFish(condition);
    for (const std::string& flag : flagsOf(option)) {
        line += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
    }
    if (!option.choices.empty()) {
        line += " -x -a " + quotedInFish(option.choices);
    } else if (!option.value.empty()) {
        line += " -r -F";
    }
    return line + " -d " + quotedInFish(option.help) + "\n";
}

} // namespace

std::string bashCompletion() {
    std::string text = "# bash completion of cairn-cli\n"
                       "_cairn_cli() {\n"
                       "    local current=${COMP_WORDS[COMP_CWORD]} verb= words= values= i\n"
                       "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
                       "        case ${COMP_WORDS[i]} in\n"
                       "        " +
                       allNames("|") +
                       ") verb=${COMP_WORDS[i]}; break ;;\n"
                       "        esac\n"
                       "    done\n"
                       "    COMPREPLY=()\n"
                       "    case ${COMP_WORDS[COMP_CWORD - 1]} in\n";
    withChoices([&text](const Option& option) {
        text += "    " + std::string(option.flags) + ") COMPREPLY=($(compgen -W " +
                shellQuoted(option.choices) + " -- \"$current\")); return ;;\n";
    });
    text += "    esac\n"
            "    case $verb in\n"
            "    '') words=" +
            shellQuoted(allNames(" ") + words(kProgramOptions)) + " ;;\n";
    for (const Verb* verb : listedVerbs()) {
        const std::string choices = choicesOf(*verb);
        text += "    " + std::string(verb->name) + ") words=" + shellQuoted(words(verb->options)) +
                (choices.empty() ? "" : " values=" + shellQuoted(choices)) + " ;;\n";
    }
    return text +
           "    esac\n"
           "    if [[ $current == -* || -z $verb || -n $values ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$words $values" +
           words(kCommonOptions) +
           "\" -- \"$current\"))\n"
           "    fi\n" // else the names of files
           "}\n"
           "complete -o default -o bashdefault -F _cairn_cli cairn-cli\n";
}

std::string zshCompletion() {
    std::string common;
    for (const Option& option : kCommonOptions) {
        common += zshEntry(option);
    }
    std::string program;
    for (const Option& option : kProgramOptions) {
        program += zshEntry(option);
    }
    std::string text = "#compdef cairn-cli\n"
                       "_cairn_cli() {\n"
                       "    local -a verbs\n"
                       "    local state line\n"
                       "    verbs=(\n";
    for (const Verb* verb : listedVerbs()) {
        text += "        " +
                shellQuoted(std::string(verb->name) + ":" + replaced(verb->summary, ':', "\\:")) +
                "\n";
    }
    text += "    )\n"
            "    _arguments -C" +
            program + common +
            " \\\n            '1: :->verb' '*:: :->arguments'\n"
            "    case $state in\n"
            "    verb) _describe verb verbs ;;\n"
            "    arguments)\n"
            "        case $words[1] in\n";
    for (const Verb* verb : listedVerbs()) {
        text += "        " + std::string(verb->name) + ") _arguments";
        for (const Option& option : verb->options) {
            text += zshEntry(option);
        }
        const std::string choices = choicesOf(*verb);
        text += common + " \\\n            " +
                shellQuoted(choices.empty() ? "*:file:_files" : "1:value:(" + choices + ")") +
                " ;;\n";
    }
    return text + "        esac ;;\n"
                  "    esac\n"
                  "}\n"
                  "_cairn_cli \"$@\"\n";
}

std::string fishCompletion() {
    const std::string none = "not __fish_seen_subcommand_from " + allNames(" ");
    std::string text = "# fish completion of cairn-cli\n";
    for (const Verb* verb : listedVerbs()) {
        text += "complete -c cairn-cli -f -n " + quotedInFish(none) + " -a " +
                std::string(verb->name) + " -d " + quotedInFish(verb->summary) + "\n";
    }
    for (const Option& option : kProgramOptions) {
        text += fishLine(none, option);
    }
    for (const Option& option : kCommonOptions) {
        text += fishLine("true", option);
    }
    for (const Verb* verb : listedVerbs()) {
        const std::string seen = "__fish_seen_subcommand_from " + std::string(verb->name);
        if (const std::string choices = choicesOf(*verb); !choices.empty()) {
            text += "complete -c cairn-cli -f -n " + quotedInFish(seen) + " -a " +
                    quotedInFish(choices) + "\n";
        }
        for (const Option& option : verb->options) {
            text += fishLine(seen, option);
        }
    }
    return text;
}

} // namespace cairn::cli
