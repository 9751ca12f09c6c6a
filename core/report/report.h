// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/io/file_ops.h"
#include "core/runs/table/run_grid_text.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// What is shared of Cairn's findings: a comparison, a table of runs, the health of a checkpoint,
/// as one HTML file or as Markdown for a pull request. English, with numbers as programs read them.
/// A plain value; any thread.
namespace cairn {

struct ReportCurve {
    std::string name;
    std::vector<double> x; ///< ascending
    std::vector<double> y; ///< parallel; what is not finite is left out
};

struct ReportBlock {
    enum class Kind : std::uint8_t {
        Heading,
        Text,  ///< a paragraph
        Bad,   ///< a paragraph that needs attention
        Good,  ///< a paragraph that is good news
        Table, ///< `grid`
        Chart, ///< `curves`, under `text`; `axis` names x. In Markdown only what it shows is named
    };
    Kind kind = Kind::Text;
    std::string text;
    TextGrid grid = {};
    std::vector<ReportCurve> curves = {};
    std::string axis = {};
};

struct Report {
    std::string title;
    std::vector<ReportBlock> blocks;
};

/// One file that needs nothing else: no scripts, no links to other files; charts are SVG. Follows
/// light and dark. Every text is escaped, and control characters are made visible.
std::string htmlText(const Report& report);
/// Of GitHub's kind.
std::string markdownText(const Report& report);

enum class ReportForm : std::uint8_t { Html, Markdown };
/// By the end of the file's name: ".html", ".htm" and ".md", ".markdown"; else Html.
ReportForm reportForm(const std::filesystem::path& file);

/// Writes a new file. Fails with OutputExists if there is one, and as FileOps.
Result<void> writeReport(FileOps& ops, const Report& report, ReportForm form,
                         const std::filesystem::path& file);

} // namespace cairn
