// SPDX-License-Identifier: Apache-2.0
#include "app/cli/common_options.h"
#include "app/cli/reference.h"

namespace cairn::cli {
namespace {

/// Text in which troff sees no request, no escape and no typographic dash.
std::string plain(std::string_view text) {
    std::string out;
    for (const char each : text) {
        if (each == '\\') {
            out += "\\e";
        } else if (each == '-') {
            out += "\\-";
        } else if (each == '\'') {
            out += "\\(aq";
        } else if (each == '.' && out.empty()) {
            out += "\\&.";
        } else {
            out += each;
        }
    }
    return out;
}

/// "-o,--output OUT" in bold and italics.
std::string term(const Option& option) {
    std::string flags = "\\fB" + plain(option.flags) + "\\fR";
    if (const auto comma = flags.find(','); comma != std::string::npos) {
        flags.replace(comma, 1, "\\fR, \\fB");
    }
    return flags + (option.value.empty() ? "" : " \\fI" + plain(option.value) + "\\fR");
}

std::string paragraph(const std::string& term, std::string_view text) {
    return ".TP\n" + term + "\n" + plain(text) + "\n";
}

std::string word(const Positional& positional) {
    const std::string name = "\\fI" + plain(positional.name) + "\\fR";
    return positional.words == Words::OneOrNone   ? "[" + name + "]"
           : positional.words == Words::OneOrMore ? name + " ..."
           : positional.words == Words::Any       ? "[" + name + " ...]"
                                                  : name;
}

std::string section(const Verb& verb) {
    std::string text = ".SS cairn\\-cli " + plain(verb.name);
    for (const Positional& positional : verb.positionals) {
        text += " " + word(positional);
    }
    text += verb.rest.empty() ? "" : " [\\-\\- ...]";
    text += "\n" + plain(verb.summary) + ".\n";
    for (const Positional& positional : verb.positionals) {
        text += paragraph("\\fI" + plain(positional.name) + "\\fR", positional.help);
    }
    for (const Option& option : verb.options) {
        text += paragraph(term(option), option.help);
    }
    if (!verb.rest.empty()) {
        text += paragraph("\\fB\\-\\-\\fR ...", verb.rest);
    }
    text += ".PP\nExamples:\n.PP\n.nf\n";
    for (const std::string_view example : verb.examples) {
        text += ".RS 4\n" + plain(example) + "\n.RE\n";
    }
    return text + ".fi\n";
}

constexpr std::string_view kExitStatus = R"(.SH EXIT STATUS
.TP
0
Done.
.TP
1
Differences were found, or a verification or health check failed.
.TP
2
Invalid arguments.
.TP
3
The input cannot be read or is not a checkpoint.
.TP
4
The output cannot be written.
.TP
5
Refused because it would not be safe.
.TP
130
Interrupted.
)";

} // namespace

std::string manualPage() {
    std::string text = ".TH CAIRN\\-CLI 1 \"\" \"Cairn " CAIRN_VERSION "\" \"User Commands\"\n"
                       ".SH NAME\ncairn\\-cli \\- inspect and convert training checkpoints\n"
                       ".SH SYNOPSIS\n.B cairn\\-cli\n\\fIVERB\\fR [\\fIoptions\\fR] "
                       "[\\fIarguments\\fR]\n.SH DESCRIPTION\n";
    text += plain(kProgramSummary) + "\n.SH OPTIONS\nEvery verb accepts:\n";
    for (const Option& option : kCommonOptions) {
        text += paragraph(term(option), option.help);
    }
    text += ".PP\nWithout a verb:\n";
    for (const Option& option : kProgramOptions) {
        text += paragraph(term(option), option.help);
    }
    text += ".SH VERBS\n";
    for (const Verb* verb : listedVerbs()) {
        text += section(*verb);
    }
    return text + std::string(kExitStatus);
}

} // namespace cairn::cli
