// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

#include <array>

namespace cairn::cli {

inline constexpr std::string_view kProgramSummary =
    "Inspects sharded training checkpoints and converts them into deployable files; never executes "
    "their contents.";

/// The options of every verb: for the parser, completions and manual page.
inline constexpr auto kCommonOptions = std::to_array<Option>({
    {"--json", "", "Print one JSON document to standard output"},
    {"-q,--quiet", "", "No headings, no progress"},
    {"-v,--verbose", "", "Verbose output"},
    {.flags = "--progress",
     .value = "MODE",
     .help = "Progress on standard error: auto, none or json",
     .choices = "auto none json"},
    {.flags = "--color",
     .value = "WHEN",
     .help = "Colours: auto, always or never; NO_COLOR is honoured",
     .choices = "auto always never"},
});

/// The options of the program without a verb, besides the common ones.
inline constexpr auto kProgramOptions = std::to_array<Option>({
    {"-h,--help", "", "Show this help"},
    {"--version", "",
     "Show the version of the program, and of libtorch if its module is installed"},
});

} // namespace cairn::cli
