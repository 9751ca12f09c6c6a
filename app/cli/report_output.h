// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"
#include "core/report/report.h"

#include <functional>

namespace cairn::cli {

/// The options of verbs whose result can be shared.
inline constexpr Option kHtmlOption{"--html", "FILE",
                                    "Also write the result as one HTML file, with charts, "
                                    "without scripts"};
inline constexpr Option kMarkdownOption{"--markdown", "FILE",
                                        "Also write the result as Markdown, for a pull request; "
                                        "- writes it to standard output instead of the text"};

/// Whether standard output belongs to the Markdown.
bool printsMarkdown(const Arguments& arguments);

/// Writes the files that were asked for; nothing is overwritten. `make` is called once, if any is.
Result<void> writeReports(const Arguments& arguments, const std::function<Report()>& make,
                          Session& session);

} // namespace cairn::cli
