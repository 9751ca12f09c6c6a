// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/commands/report_actions.h"

#include "core/jobs/bundle/model_health.h"
#include "core/report/make_report.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/runs/run_arrangement.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/frame/actions.h"
#include "ui/shell/frame/page_set.h"
#include "ui/shell/frame/status_line.h"
#include "ui/shell/frame/window_parts.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/subject/shown_subject.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>

#include <array>

namespace cairn::ui {
namespace {

Result<Report> reportOfRuns(const RunPlace& left, const HistoryPtr& leftHistory,
                            const RunPlace& right, const HistoryPtr& rightHistory,
                            const RunComparison& comparison) {
    const std::array<ReportedRun, 2> runs{
        ReportedRun{left.run.name, &left.run, leftHistory.get()},
        ReportedRun{right.run.name, &right.run, rightHistory.get()}};
    return comparisonReport(runs, {&comparison, 1});
}

/// The rows, columns and order that are shown.
Result<Report> reportOfTable(const RunsData& data, const RunsQuery& query,
                             const CancelToken& cancel) {
    CAIRN_TRY(const RunsArrangement shown, arrangeRuns(data, query, cancel));
    return runsReport(data.experiment.path.string(), data.grid, shown.matching,
                      reportGrid(*shown.rows));
}

} // namespace

ReportActions::ReportActions(WindowParts& parts, const ShownSubject& subject, FileOps& fileOps)
    : m_parts(parts), m_subject(subject), m_fileOps(fileOps) {
    connect(parts.actions.saveReport, &QAction::triggered, this, &ReportActions::pickFile);
    connect(parts.actions.copyReport, &QAction::triggered, this, &ReportActions::copyMarkdown);
    connect(&parts, &WindowParts::changed, this, &ReportActions::updateActions);
}

bool ReportActions::isShown(const Page& page) const {
    return m_parts.isWorking() && m_parts.workspace->isShowingPages() &&
           m_parts.workspace->currentPage() == &page;
}

ReportActions::Maker ReportActions::maker() const {
    const ComparePage& compare = *m_parts.pages.compare;
    const bool isCompared = isShown(compare) && compare.comparison() != nullptr &&
                            compare.isComparing() && compare.historyOf(0) != nullptr &&
                            compare.historyOf(1) != nullptr;
    if (isCompared) {
        return [left = *compare.runOf(0), right = *compare.runOf(1),
                leftHistory = compare.historyOf(0), rightHistory = compare.historyOf(1),
                comparison = compare.comparison()](const CancelToken&) {
            return reportOfRuns(left, leftHistory, right, rightHistory, *comparison);
        };
    }
    const RunsPage& table = *m_parts.pages.runs;
    if (isShown(table) && table.data() != nullptr) {
        RunsQuery query = table.query();
        query.isUnfinished = false; // no rows of the filter before
        return [data = table.data(), query](const CancelToken& cancel) {
            return reportOfTable(*data, query, cancel);
        };
    }
    if (!m_subject.isCheckpointVisible()) {
        return {};
    }
    return [checkpoint = m_subject.checkpoint()](const CancelToken& cancel) -> Result<Report> {
        CAIRN_TRY(const HealthReport health,
                  checkWithConfig(*checkpoint, HealthOptions{cancel, true, nullptr, {}}));
        return healthReport(*checkpoint, health);
    };
}

QString ReportActions::suggestedName() const {
    const ComparePage& compare = *m_parts.pages.compare;
    if (m_parts.workspace->currentPage() == &compare && compare.isComparing()) {
        return tr("%1-and-%2.html").arg(compare.runOf(0)->name, compare.runOf(1)->name);
    }
    if (m_parts.pages.runs->data() != nullptr && isShown(*m_parts.pages.runs)) {
        const auto& folder = m_parts.pages.runs->data()->experiment.path;
        return tr("%1-runs.html").arg(text::fromPath(folder.filename()));
    }
    return tr("%1-health.html").arg(text::fromPath(m_subject.checkpointPath().filename()));
}

void ReportActions::pickFile() {
    auto* dialog = new QFileDialog(m_parts.window, tr("Save Report"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("HTML page (*.html)"), tr("Markdown (*.md)")});
    dialog->setDefaultSuffix(QStringLiteral("html"));
    dialog->selectFile(suggestedName());
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        const bool isMarkdown = filter.contains(QStringLiteral("*.md"));
        dialog->setDefaultSuffix(isMarkdown ? QStringLiteral("md") : QStringLiteral("html"));
    });
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { save(text::toPath(path)); });
    dialog->open();
}

void ReportActions::save(const std::filesystem::path& file) {
    const Maker make = maker();
    if (!make) {
        return;
    }
    m_parts.status->showMessage(tr("Making the report…"));
    m_making.start(
        [make, ops = &m_fileOps, file](const CancelToken& cancel) -> Result<bool> {
            CAIRN_TRY(const Report report, make(cancel));
            CAIRN_CHECK(writeReport(*ops, report, reportForm(file), file));
            return true;
        },
        [this, file](const Result<bool>& written) {
            if (written) {
                m_parts.status->showMessage(tr("Report saved: %1").arg(text::fromPath(file)));
            } else {
                fail(written.error());
            }
        });
}

void ReportActions::copyMarkdown() {
    const Maker make = maker();
    if (!make) {
        return;
    }
    m_parts.status->showMessage(tr("Making the report…"));
    m_making.start(
        [make](const CancelToken& cancel) -> Result<std::string> {
            CAIRN_TRY(const Report report, make(cancel));
            return markdownText(report);
        },
        [this](const Result<std::string>& markdown) {
            if (markdown) {
                QGuiApplication::clipboard()->setText(QString::fromStdString(*markdown));
                m_parts.status->showMessage(tr("Report copied as Markdown"));
            } else {
                fail(markdown.error());
            }
        });
}

void ReportActions::fail(const Error& error) {
    if (error.code == ErrorCode::Cancelled) {
        return;
    }
    const text::ErrorWords words = text::describe(error);
    m_parts.status->showMessage({});
    m_parts.messages->show({theme::Tone::Broken, words.title, words.detail, {}});
}

void ReportActions::updateActions() {
    const bool any = static_cast<bool>(maker());
    m_parts.actions.saveReport->setEnabled(any);
    m_parts.actions.copyReport->setEnabled(any);
}

} // namespace cairn::ui
