// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/statistics.h"
#include "core/formats/format.h"
#include "tests/bench/process_memory.h"
#include "ui/models/row_text.h"
#include "ui/models/row_view.h"
#include "ui/models/tensor_figures.h"
#include "ui/models/tensor_model.h"

#include <QApplication>
#include <QElapsedTimer>

#include <cstdio>
#include <malloc.h>
#include <string>

using namespace cairn;
using namespace cairn::ui;
using bench::forgetPeak;
using bench::statusMib;

namespace {

/// Prints how long the last step took.
class Report {
public:
    void operator()(const QString& what) {
        const double ms = static_cast<double>(m_clock.nsecsElapsed()) / 1e6;
        std::printf("%-44s %9.1f ms   %7.0f MiB now, %7.0f MiB peak\n", qPrintable(what), ms,
                    statusMib("VmRSS:"), statusMib("VmHWM:"));
        std::fflush(stdout);
        forgetPeak();
        m_clock.start();
    }

private:
    QElapsedTimer m_clock = [] {
        QElapsedTimer clock;
        clock.start();
        return clock;
    }();
};

TensorArrangementPtr arranged(const TensorTablePtr& table, const ArrangementRequest& request,
                              const TensorArrangementPtr& previous = {}) {
    return TensorArrangement::make(table, request, {}, previous).value();
}

void measureLists(const TensorTablePtr& table, Report& report) {
    const TensorArrangementPtr tree = arranged(table, {});
    report(QStringLiteral("tree"));
    const TensorArrangementPtr list = arranged(table, {false, {}, TensorColumn::Name, false});
    report(QStringLiteral("list"));
    for (int column = 0; column < kTensorColumns; ++column) {
        for (const bool asTree : {false, true}) {
            arranged(table, {asTree, {}, static_cast<TensorColumn>(column), true},
                     asTree ? tree : list);
            report(QStringLiteral("%1, sorted by column %2")
                       .arg(asTree ? QStringLiteral("tree") : QStringLiteral("list"))
                       .arg(column));
        }
    }
    for (const bool inTree : {true, false}) {
        TensorArrangementPtr shown = inTree ? tree : list;
        const QString typed = QStringLiteral("layers.77");
        for (qsizetype length = 1; length <= typed.size(); ++length) {
            shown =
                arranged(table, {inTree, typed.first(length), TensorColumn::Name, false}, shown);
            report(QStringLiteral("filter \"%1\": %2 rows")
                       .arg(typed.first(length))
                       .arg(shown->tensorCount()));
        }
    }
    for (const char* filter : {"size > 1", "shape ~ 2", "gate dtype == fp32", "/layers\\.7.*3/"}) {
        const auto found =
            arranged(table, {false, QString::fromUtf8(filter), TensorColumn::Name, false});
        report(QStringLiteral("filter %1: %2 rows")
                   .arg(QString::fromUtf8(filter))
                   .arg(found->tensorCount()));
    }
}

void measureCopy(const TensorTablePtr& table, Report& report) {
    TensorModel model;
    model.show(arranged(table, {false, {}, TensorColumn::Name, false}));
    RowView view;
    view.setModel(&model);
    view.setRootIsDecorated(false);
    view.resize(900, 700);
    view.show();
    QApplication::processEvents();
    report(QStringLiteral("list in a view"));
    view.selectAll();
    report(QStringLiteral("select all (GUI thread)"));
    RowTextRequest request;
    request.rows = RowRanges(view.selectionModel()->selection());
    for (int column = 0; column < kTensorColumns; ++column) {
        request.columns.push_back(column);
    }
    const std::uint64_t guess = estimateRows(model, request);
    report(QStringLiteral("ranges and estimate (GUI thread)"));
    const Result<RowText> text = rowsAsText(model, request);
    report(QStringLiteral("text of %1 rows, %2 MB, estimate %3 MB (worker)")
               .arg(request.rows.count())
               .arg(static_cast<double>(text->plain.size()) / 1e6, 0, 'f', 1)
               .arg(static_cast<double>(guess) / 1e6, 0, 'f', 1));
}

} // namespace

/// What the window does with a checkpoint of very many tensors: bench_window PATH
int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("bench_window PATH\n", stderr);
        return 2;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(count, arguments);
    Report report;
    const auto checkpoint = openCheckpoint(arguments[1]);
    if (!checkpoint) {
        std::fprintf(stderr, "%s\n", describe(checkpoint.error()).c_str());
        return 1;
    }
    report(QStringLiteral("open (core)"));
    malloc_trim(0);
    const double before = statusMib("VmRSS:");
    const TensorTablePtr table = TensorTable::make(*checkpoint, {}).value();
    report(QStringLiteral("index"));
    {
        const TensorArrangementPtr tree = arranged(table, {});
        malloc_trim(0);
        std::printf("index and tree: %.0f bytes a tensor\n",
                    (statusMib("VmRSS:") - before) * 1048576.0 /
                        static_cast<double>(std::max<std::size_t>(1, table->size())));
    }
    measureLists(table, report);
    measureCopy(table, report);
    const auto figures = readGroupFigures(*checkpoint, {}, false, {});
    report(QStringLiteral("statistics of all: %1")
               .arg(figures ? QStringLiteral("done")
                            : QString::fromStdString(describe(figures.error()))));
    return 0;
}
