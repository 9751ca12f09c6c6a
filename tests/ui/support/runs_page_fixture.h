// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/scan/experiment_scan.h"
#include "tests/ui/support/made_sweep.h"
#include "ui/models/row_view.h"
#include "ui/pages/runs/run_row_delegate.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_page.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QSplitter>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace cairn::ui::test {

inline constexpr int kTimeoutMs = 60'000; ///< ms; the machine may be busy

/// What the user chose, without the experiments that were seen.
inline QJsonObject chosen(QJsonObject state) {
    state.remove(QStringLiteral("seen"));
    return state;
}

/// The page beside its panel, with marks as the navigator keeps them.
struct ShownRunsPage {
    QTemporaryDir folder;
    RunsPage* page = new RunsPage;
    QSplitter window;
    RunMarks marks;

    ShownRunsPage() {
        qputenv("XDG_CACHE_HOME", folder.filePath(QStringLiteral("cache")).toLocal8Bit());
        window.addWidget(page);
        window.addWidget(page->sidePanel());
        page->sidePanel()->show();
        window.setStretchFactor(0, 1);
        window.setSizes({810, 290});
        window.resize(1110, 800);
        window.show();
        QObject::connect(
            page, &RunsPage::marksEdited, page,
            [this](const std::vector<std::vector<std::filesystem::path>>& rows, bool marked) {
                for (const std::vector<std::filesystem::path>& runs : rows) {
                    if (marked) {
                        marks.addTogether(runs);
                        continue;
                    }
                    for (const std::filesystem::path& run : runs) {
                        marks.remove(run);
                    }
                }
                page->setMarks(marks);
            });
        QObject::connect(page, &RunsPage::clearFilterRequested, page,
                         [this] { page->setFilter({}); });
    }
    std::filesystem::path path() const { return folder.path().toStdString() + "/sweep"; }
    bool settled() {
        QTest::qWait(1);
        const bool isSettled = QTest::qWaitFor([&] { return page->isSettled(); }, kTimeoutMs);
        // What came last is laid out after that: a button without a height takes no click.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        return isSettled;
    }
    bool open() {
        const auto experiment = scanExperiment(path());
        if (!experiment) {
            return false;
        }
        page->showExperiment(std::make_shared<const Experiment>(*experiment));
        return settled();
    }
    /// As an experiment that was seen before: no run is marked unless the user marks it.
    bool sweep(int seeds = 5, int points = 20) {
        QJsonObject state = page->keptState();
        state.insert(QStringLiteral("seen"), QJsonArray{QString::fromStdString(path().string())});
        page->restoreState(state);
        return newSweep(seeds, points);
    }
    bool newSweep(int seeds = 5, int points = 20) {
        writeSweep(path(), seeds, points);
        return open();
    }
    int column(const QString& title) const {
        for (int i = 0; i < page->model()->columnCount(); ++i) {
            if (page->model()->headerData(i, Qt::Horizontal, Qt::DisplayRole) == title) {
                return i;
            }
        }
        return -1;
    }
    QStringList titles() const {
        QStringList titles;
        for (int i = 0; i < page->model()->columnCount(); ++i) {
            titles << page->model()->headerData(i, Qt::Horizontal, Qt::DisplayRole).toString();
        }
        return titles;
    }
    QString cell(int row, const QString& title) const {
        return page->model()->index(row, column(title)).data().toString();
    }
    int rowOf(const char* run) const { return page->model()->findRun(path() / run).row(); }
    QPoint place(int row, int column = 0) const {
        return page->view()->visualRect(page->model()->index(row, column)).center();
    }
    void click(int row, Qt::KeyboardModifiers modifiers = {}) {
        page->view()->scrollTo(page->model()->index(row, 0));
        QTest::mouseClick(page->view()->viewport(), Qt::LeftButton, modifiers, place(row));
    }
    void clickBox(int row) {
        QStyleOptionViewItem option;
        page->view()->scrollTo(page->model()->index(row, 0));
        option.rect = page->view()->visualRect(page->model()->index(row, 0));
        QTest::mouseClick(page->view()->viewport(), Qt::LeftButton, {},
                          RunRowDelegate::markRect(option).center());
    }
    bool clickHeader(const QString& title) {
        const QHeaderView* header = page->view()->header();
        const int at = column(title);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(at) + header->sectionSize(at) / 2,
                                 header->height() / 2));
        return settled();
    }
    bool filter(const char* text) {
        page->setFilter(QString::fromUtf8(text));
        return settled();
    }
};

} // namespace cairn::ui::test
