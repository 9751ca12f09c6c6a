// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_output.h"

#include "core/io/file_ops.h"

namespace cairn::cli {

bool printsMarkdown(const Arguments& arguments) {
    return arguments.text("markdown") == "-";
}

Result<void> writeReports(const Arguments& arguments, const std::function<Report()>& make,
                          Session& session) {
    const auto html = arguments.text("html");
    const auto markdown = arguments.text("markdown");
    if (!html && !markdown) {
        return {};
    }
    RealFileOps ops;
    const Report report = make();
    if (html) {
        CAIRN_CHECK(writeReport(ops, report, ReportForm::Html, *html));
    }
    if (printsMarkdown(arguments)) {
        session.out.write(markdownText(report));
    } else if (markdown) {
        CAIRN_CHECK(writeReport(ops, report, ReportForm::Markdown, *markdown));
    }
    return {};
}

} // namespace cairn::cli
