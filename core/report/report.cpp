// SPDX-License-Identifier: Apache-2.0
#include "core/report/report.h"

#include "core/base/visible_text.h"
#include "core/report/report_chart.h"

#include <span>

namespace cairn {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1c2128; --dim: #57606a; --ground: #ffffff; --card: #f4f6f8;
  --line: #d8dde3; --good: #1a7f37; --bad: #c42b1f; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ea; --dim: #9aa2aa; --ground: #1a1d21;
  --card: #212529; --line: #3a4047; --good: #55c486; --bad: #f47c6c; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground);
  max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.1em; margin-top: 2em; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3em .8em; border-bottom: 1px solid var(--line); text-align: left; }
th { color: var(--dim); font-weight: 500; } .number { text-align: right; }
figure { margin: 1.5em 0; background: var(--card); padding: 1em; border-radius: 6px; }
figcaption { color: var(--dim); } svg { width: 100%; height: auto; } svg text { fill: var(--dim); font: 11px system-ui, sans-serif; }
footer { color: var(--dim); margin-top: 3em; font-size: .85em; }
)";

void addTable(std::string& html, const TextGrid& grid) {
    const auto cell = [&](std::string_view tag, std::size_t column, const std::string& text) {
        const bool isNumber = column < grid.isNumber.size() && grid.isNumber[column];
        html += "<" + std::string(tag) + (isNumber ? " class=\"number\">" : ">") +
                escapedHtml(text) + "</" + std::string(tag) + ">";
    };
    html += "<div class=\"table\"><table><thead><tr>";
    for (std::size_t i = 0; i < grid.titles.size(); ++i) {
        cell("th", i, grid.titles[i]);
    }
    html += "</tr></thead><tbody>\n";
    for (const std::vector<std::string>& row : grid.rows) {
        html += "<tr>";
        for (std::size_t i = 0; i < row.size(); ++i) {
            cell("td", i, row[i]);
        }
        html += "</tr>\n";
    }
    html += "</tbody></table></div>\n";
}

void addBlock(std::string& html, const ReportBlock& block) {
    const auto element = [&](std::string_view start, std::string_view end) {
        html += std::string(start) + escapedHtml(block.text) + std::string(end) + "\n";
    };
    switch (block.kind) {
    case ReportBlock::Kind::Heading:
        element("<h2>", "</h2>");
        break;
    case ReportBlock::Kind::Text:
        element("<p>", "</p>");
        break;
    case ReportBlock::Kind::Bad:
        element("<p class=\"bad\">", "</p>");
        break;
    case ReportBlock::Kind::Good:
        element("<p class=\"good\">", "</p>");
        break;
    case ReportBlock::Kind::Table:
        addTable(html, block.grid);
        break;
    case ReportBlock::Kind::Chart:
        html += "<figure>" + chartSvg(block);
        element("<figcaption>", "</figcaption></figure>");
        break;
    }
}

/// Signs with a meaning in Markdown, in a paragraph or a heading.
std::string escapedMarkdown(const std::string& text) {
    std::string escaped;
    for (const char c : visibleText(text)) {
        if (std::string_view("\\`*_[]<>#|").find(c) != std::string_view::npos) {
            escaped += '\\';
        }
        escaped += c;
    }
    return escaped;
}

/// Control characters of a cell would reach a terminal, and tags a page.
TextGrid visibleGrid(TextGrid grid) {
    const auto show = [](std::vector<std::string>& cells) {
        for (std::string& cell : cells) {
            cell = visibleText(cell);
            for (std::size_t at = cell.find('<'); at != std::string::npos;
                 at = cell.find('<', at + 4)) {
                cell.replace(at, 1, "&lt;");
            }
        }
    };
    show(grid.titles);
    for (std::vector<std::string>& row : grid.rows) {
        show(row);
    }
    return grid;
}

std::string curveNames(const ReportBlock& block) {
    std::string names;
    for (const ReportCurve& curve : block.curves) {
        names += (names.empty() ? "" : ", ") + curve.name;
    }
    return names;
}

} // namespace

std::string htmlText(const Report& report) {
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
                       escapedHtml(report.title) + "</title>\n<style>" + std::string(kStyle) +
                       "</style></head>\n<body><h1>" + escapedHtml(report.title) + "</h1>\n";
    for (const ReportBlock& block : report.blocks) {
        addBlock(html, block);
    }
    return html + "<footer>Made by Cairn</footer></body></html>\n";
}

std::string markdownText(const Report& report) {
    std::string text = "# " + escapedMarkdown(report.title) + "\n";
    for (const ReportBlock& block : report.blocks) {
        switch (block.kind) {
        case ReportBlock::Kind::Heading:
            text += "\n## " + escapedMarkdown(block.text) + "\n";
            break;
        case ReportBlock::Kind::Text:
            text += "\n" + escapedMarkdown(block.text) + "\n";
            break;
        case ReportBlock::Kind::Bad:
        case ReportBlock::Kind::Good:
            text += "\n**" + escapedMarkdown(block.text) + "**\n";
            break;
        case ReportBlock::Kind::Table:
            text += "\n" + markdownText(visibleGrid(block.grid));
            break;
        case ReportBlock::Kind::Chart:
            text += "\n" + escapedMarkdown(block.text + ": " + curveNames(block)) + "\n";
            break;
        }
    }
    return text;
}

ReportForm reportForm(const std::filesystem::path& file) {
    const std::string end = file.extension().string();
    return end == ".md" || end == ".markdown" ? ReportForm::Markdown : ReportForm::Html;
}

Result<void> writeReport(FileOps& ops, const Report& report, ReportForm form,
                         const std::filesystem::path& file) {
    const std::string text = form == ReportForm::Html ? htmlText(report) : markdownText(report);
    const std::filesystem::path parent = file.parent_path();
    CAIRN_TRY(const FileHandle folder,
              ops.openFolder(parent.empty() ? std::filesystem::path(".") : parent));
    const std::string name = file.filename().string();
    CAIRN_TRY(const FileHandle made, ops.createFile(folder, name));
    if (auto written = ops.writeAt(made, 0, std::as_bytes(std::span(text))); !written) {
        (void)ops.removeFile(folder, name); // the first error is reported
        return written;
    }
    return {};
}

} // namespace cairn
