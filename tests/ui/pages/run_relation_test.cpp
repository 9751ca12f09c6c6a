// SPDX-License-Identifier: GPL-3.0-or-later
// The scatter plot and the parallel coordinates of the Runs page, with real mouse and key events:
// what is chosen in one place is chosen in the table, the curves and the other plot.
#include "tests/ui/support/runs_page_fixture.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/chart_grid.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/parallel_plot.h"
#include "ui/charts/scatter_plot.h"
#include "ui/pages/runs/choice_list.h"
#include "ui/pages/runs/relation_cards.h"
#include "ui/pages/runs/run_relation.h"
#include "ui/pages/runs/runs_footer.h"
#include "ui/pages/runs/runs_side.h"
#include "ui/widgets/button.h"

#include <QAction>
#include <QListWidget>
#include <QMenu>
#include <QSignalSpy>

#include <cmath>

namespace cairn::ui {
namespace {

using Shown = test::ShownRunsPage;

/// A drag of the left button through the points.
void drag(QWidget& widget, const QPointF& from, const QPointF& to) {
    QTest::mousePress(&widget, Qt::LeftButton, {}, from.toPoint());
    QTest::mouseMove(&widget, ((from + to) / 2).toPoint());
    QTest::mouseMove(&widget, to.toPoint());
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to.toPoint());
}

QStringList selectedNames(const Shown& shown) {
    QStringList names;
    for (const QModelIndex& index : shown.page->view()->selectionModel()->selectedRows()) {
        names << index.data().toString();
    }
    return names;
}

std::size_t count(const std::vector<bool>& chosen) {
    return static_cast<std::size_t>(std::ranges::count(chosen, true));
}

std::size_t itemNamed(const Relation& relation, const QString& name) {
    for (std::size_t i = 0; i < relation.items.size(); ++i) {
        if (relation.items[i].name == name) {
            return i;
        }
    }
    return relation.items.size();
}

std::size_t axisNamed(const Relation& relation, const QString& title) {
    for (std::size_t i = 0; i < relation.axes.size(); ++i) {
        if (relation.axes[i].title == title) {
            return i;
        }
    }
    return relation.axes.size();
}

void openList(Button* button) {
    QTest::mouseClick(button, Qt::LeftButton);
}

bool chooseInList(ChoiceList& list, const QString& name) {
    for (int row = 0; row < list.list()->count(); ++row) {
        QListWidgetItem* item = list.list()->item(row);
        if (item->text() == name) {
            list.list()->scrollToItem(item);
            QTest::mouseClick(list.list()->viewport(), Qt::LeftButton, {},
                              list.list()->visualItemRect(item).center());
            return true;
        }
    }
    return false;
}

const QString kRun = QStringLiteral("lr-0.0003-seed-2");

} // namespace

class RunRelationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void axesFitTheirValues() {
        RelationAxis axis;
        axis.values = {1e-4, 3e-4, 1e-3, NAN};
        axis.fit();
        QVERIFY(axis.scale == Scale::Linear);
        axis.stops = {1e-4, 3e-4, 1e-3};
        axis.fit();
        QVERIFY(axis.scale == Scale::Log); // a sweep over one decade
        QCOMPARE(axis.ticks(2).size(), std::size_t{3});
        QCOMPARE(axis.ticks(2)[1].label, QStringLiteral("0.0003"));
        axis.stops.clear();
        axis.fit();
        axis.scale = Scale::Log;
        axis.range = withMargin({1e-4, 1e-3}, Scale::Log, 0.06);
        QVERIFY(axis.has(0) && !axis.has(3) && !axis.has(4));
        QVERIFY(axis.share(0) > 0 && axis.share(2) < 1);
        QVERIFY(std::abs(axis.share(1) - 0.48) < 0.03); // log10(3) of the way
        axis.values = {0, 5, 500};
        axis.fit();
        QVERIFY(axis.scale == Scale::Linear); // zero has no logarithm
        axis.values = {NAN, INFINITY};
        axis.fit();
        QVERIFY(axis.range.low < axis.range.high);
        axis.values = {0, 1, 0};
        axis.categories = {QStringLiteral("adamw"), QStringLiteral("sgd")};
        axis.fit();
        QCOMPARE(axis.ticks(1).size(), std::size_t{2});
        QCOMPARE(axis.text(1), QStringLiteral("sgd"));
        QCOMPARE(axis.textAt(0.1), QStringLiteral("adamw"));
    }

    void aLogarithmicAxisIsAWishOfTheUser() {
        RelationAxis axis;
        axis.values = {1e-5, 3e-4, 1e-2, NAN};
        axis.fit();
        QVERIFY(axis.scale == Scale::Log && axis.canBeLog());
        QStringList labels;
        for (const AxisTick& tick : axis.ticks(4)) {
            labels << tick.label;
        }
        QCOMPARE(labels.join(QLatin1Char(' ')), QStringLiteral("1e-5 0.0001 0.001 0.01"));
        axis.fit(Scale::Linear);
        QVERIFY(axis.scale == Scale::Linear);
        QVERIFY(axis.range.low < 1e-5 && axis.range.high > 1e-2);
        axis.values = {1, 2};
        axis.fit(Scale::Log);
        QVERIFY(axis.scale == Scale::Log);
        for (const double off : {0.0, -1.0}) { // it cannot be
            axis.values = {off, 1e-3, 10};
            axis.fit(Scale::Log);
            QVERIFY(axis.scale == Scale::Linear && !axis.canBeLog());
        }
        axis.values = {NAN};
        QVERIFY(!axis.canBeLog());
    }

    /// The menu of a plot changes the scale of its axes; it is kept, and brushes keep their values.
    void theScaleIsChosenInAMenu() {
        Shown shown;
        QVERIFY(shown.sweep());
        RelationCards& cards = *shown.page->footer()->relation();
        const auto actionOf = [&](RelationPlot* plot, const QString& title) {
            QMenu* menu = cards.scaleMenu(plot);
            Q_EMIT menu->aboutToShow();
            const QList<QAction*> all = menu->actions();
            const auto at = std::ranges::find_if(
                all, [&](const QAction* action) { return action->text().startsWith(title); });
            return at != all.end() ? *at : nullptr;
        };
        QSignalSpy kept(&cards, &RelationCards::stateChanged);
        QVERIFY(cards.scatter()->relation()->axes[0].scale == Scale::Log);
        QAction* lr = actionOf(cards.scatter(), QStringLiteral("lr"));
        QVERIFY(lr != nullptr && lr->isCheckable() && lr->isChecked() && lr->isEnabled());
        lr->trigger();
        QCOMPARE(kept.count(), 1);
        QVERIFY(shown.settled());
        QVERIFY(cards.scatter()->relation()->axes[0].scale == Scale::Linear);
        const std::size_t at = axisNamed(*cards.parallel()->relation(), QStringLiteral("lr"));
        QVERIFY(cards.parallel()->relation()->axes[at].scale == Scale::Linear); // the same column
        QVERIFY(!actionOf(cards.parallel(), QStringLiteral("lr"))->isChecked());
        const QJsonObject state = cards.keptState();
        actionOf(cards.parallel(), QStringLiteral("lr"))->trigger();
        QVERIFY(shown.settled());
        QVERIFY(cards.scatter()->relation()->axes[0].scale == Scale::Log);
        QVERIFY(cards.keptState() != state);
        cards.restoreState(state);
        QVERIFY(shown.settled());
        QVERIFY(cards.scatter()->relation()->axes[0].scale == Scale::Linear);
        cards.restoreState({{QStringLiteral("logarithmic"), QStringLiteral("nonsense")}});
        QVERIFY(shown.settled());
        QVERIFY(cards.scatter()->relation()->axes[0].scale == Scale::Log);
    }

    /// A filter changes the ends of an axis, and not the values that are brushed.
    void aBrushKeepsItsValues() {
        RelationAxis wide;
        wide.values = {0, 100};
        wide.fit();
        RelationAxis narrow = wide;
        narrow.values = {40, 60};
        narrow.fit();
        const double low = wide.share(0) + 0.5 * (wide.share(1) - wide.share(0)); // of 50
        const auto part = narrow.partOf(wide, {low, 1});
        QVERIFY(part && std::abs(narrow.valueAt(part->low) - 50) < 1e-9);
        QCOMPARE(part->high, 1.0);
        QVERIFY(!narrow.partOf(wide, {0, wide.share(0)})); // nothing of it is left
        narrow.categories = {QStringLiteral("a"), QStringLiteral("b")};
        QVERIFY(!narrow.partOf(wide, {low, 1}));
    }

    void aSettingAgainstTheMainMetric() {
        Shown shown;
        QVERIFY(shown.sweep());
        const RelationCards& cards = *shown.page->footer()->relation();
        QVERIFY(cards.isVisible());
        QCOMPARE(cards.xButton()->text(), QStringLiteral("lr"));
        QCOMPARE(cards.yButton()->text(), QStringLiteral("best eval_loss"));
        const Relation& relation = *cards.scatter()->relation();
        QCOMPARE(cards.scatter()->itemCount(), 15);
        const std::size_t run = itemNamed(relation, kRun);
        QCOMPARE(relation.axes[0].values[run], 0.0003);
        // As the table has it.
        for (int row = 0; row < 15; ++row) {
            if (shown.cell(row, QStringLiteral("run")) == kRun) {
                QVERIFY(std::abs(shown.cell(row, QStringLiteral("best eval_loss")).toDouble() -
                                 relation.axes[1].values[run]) < 0.001);
            }
        }
        QVERIFY(cards.scatter()->accessibleDescription().contains(QStringLiteral("lr")));
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-relation")));
    }

    void aClickOnAPointChoosesItsRun() {
        Shown shown;
        QVERIFY(shown.sweep());
        ScatterPlot* plot = shown.page->footer()->relation()->scatter();
        QSignalSpy chosen(shown.page, &RunsPage::runChosen);
        const std::size_t run = itemNamed(*plot->relation(), kRun);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->placeOf(run)->toPoint());
        QCOMPARE(selectedNames(shown).size(), 1);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(shown.page->side()->headline(), selectedNames(shown).front());
        QVERIFY(shown.page->side()->headline().startsWith(QStringLiteral("lr-0.0003")));
        // A row of the table is shown in the plots; a click beside all points chooses none.
        shown.click(0);
        QCOMPARE(count(plot->chosen()), std::size_t{1});
        QVERIFY(plot->chosen()[itemNamed(*plot->relation(), shown.cell(0, QStringLiteral("run")))]);
        QTest::mouseClick(plot, Qt::LeftButton, {}, QPoint(plot->width() - 2, 2));
        QVERIFY(selectedNames(shown).isEmpty());
        // By keys: to a point, chosen with Space; Escape chooses none.
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Home);
        QTest::keyClick(plot, Qt::Key_Space);
        QCOMPARE(selectedNames(shown).size(), 1);
        QTest::keyClick(plot, Qt::Key_Escape);
        QVERIFY(selectedNames(shown).isEmpty());
    }

    void aBoxChoosesRunsInTheTableAndTheCurves() {
        Shown shown;
        QVERIFY(shown.sweep());
        for (const int row : {0, 5, 10}) { // one of each learning rate
            shown.clickBox(row);
        }
        QVERIFY(shown.settled());
        ScatterPlot* plot = shown.page->footer()->relation()->scatter();
        const Relation& relation = *plot->relation();
        QRectF box;
        for (std::size_t i = 0; i < relation.items.size(); ++i) {
            if (relation.axes[0].values[i] == 0.0003) {
                const QRectF point(*plot->placeOf(i) - QPointF(2, 2), QSizeF(4, 4));
                box = box.isNull() ? point : box.united(point);
            }
        }
        QSignalSpy announced(shown.page, &RunsPage::runChosen);
        drag(*plot, box.topLeft() - QPointF(3, 3), box.bottomRight() + QPointF(3, 3));
        QCOMPARE(selectedNames(shown).size(), 5);
        for (const QString& name : selectedNames(shown)) {
            QVERIFY(name.contains(QStringLiteral("0.0003")));
        }
        QCOMPARE(announced.size(), 0); // the navigator stays where it is
        QTRY_VERIFY(shown.page->charts()->chart(QStringLiteral("eval_loss")) != nullptr);
        const CurveChart& chart = *shown.page->charts()->chart(QStringLiteral("eval_loss"));
        QTRY_COMPARE(chart.chartContent().curves.size(), std::size_t{3});
        int faint = 0;
        for (const ChartCurve& curve : chart.chartContent().curves) {
            faint += curve.faint ? 1 : 0;
            QVERIFY(!curve.faint || !curve.run.contains(QStringLiteral("0.0003")));
        }
        QCOMPARE(faint, 2);
        QCOMPARE(count(shown.page->footer()->relation()->parallel()->brushed()), std::size_t{0});
        QVERIFY(test::saveScreenshots(shown.window, QStringLiteral("runs-brushed")));
        // The choice of a row in the table is no brush: all curves are drawn as they are.
        shown.click(0);
        for (const ChartCurve& curve : chart.chartContent().curves) {
            QVERIFY(!curve.faint);
        }
    }

    void brushesOfSeveralAxes() {
        Shown shown;
        QVERIFY(shown.sweep());
        ParallelPlot* plot = shown.page->footer()->relation()->parallel();
        const Relation& relation = *plot->relation();
        const std::size_t rate = axisNamed(relation, QStringLiteral("lr"));
        const std::size_t metric = axisNamed(relation, QStringLiteral("best eval_loss"));
        QVERIFY(rate < relation.axes.size() && metric < relation.axes.size());
        const double middle = relation.axes[rate].share(itemNamed(relation, kRun));
        drag(*plot, plot->placeOn(rate, middle - 0.1), plot->placeOn(rate, middle + 0.1));
        QCOMPARE(selectedNames(shown).size(), 5);
        // The lower half of their values in addition.
        const double lowest =
            relation.axes[metric].share(itemNamed(relation, QStringLiteral("lr-0.0003-seed-1")));
        const double third =
            relation.axes[metric].share(itemNamed(relation, QStringLiteral("lr-0.0003-seed-3")));
        drag(*plot, plot->placeOn(metric, 0), plot->placeOn(metric, (lowest + third) / 2 + 0.001));
        const QStringList few = selectedNames(shown);
        QVERIFY2(!few.isEmpty() && few.size() < 5, qPrintable(few.join(QLatin1Char(' '))));
        QVERIFY(plot->itemText(static_cast<int>(metric)).contains(QStringLiteral("brushed")));
        // Sorted or filtered, the brush stays.
        QVERIFY(shown.clickHeader(QStringLiteral("best eval_loss")));
        QCOMPARE(selectedNames(shown).size(), few.size());
        QVERIFY(plot->hasBrush());
        // A click on an axis removes its brush; Escape all.
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->placeOn(metric, 0.9).toPoint());
        QCOMPARE(selectedNames(shown).size(), 5);
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Escape);
        QVERIFY(selectedNames(shown).isEmpty() && !plot->hasBrush());
        // The same by keys: the first axis, its lower edge upwards.
        QTest::keyClick(plot, Qt::Key_Home);
        for (int i = 0; i < 8; ++i) {
            QTest::keyClick(plot, Qt::Key_Up);
        }
        QVERIFY(plot->brush(0) && plot->brush(0)->low > 0.35);
        QVERIFY(selectedNames(shown).size() < 15 && !selectedNames(shown).isEmpty());
        QTest::keyClick(plot, Qt::Key_Delete);
        QVERIFY(!plot->hasBrush());
        // A selection in the table ends the brush.
        drag(*plot, plot->placeOn(rate, middle - 0.1), plot->placeOn(rate, middle + 0.1));
        shown.click(0);
        QVERIFY(!plot->hasBrush());
        QCOMPARE(selectedNames(shown).size(), 1);
    }

    void groupsAreChosenByTheirRuns() {
        Shown shown;
        QVERIFY(shown.sweep());
        shown.page->setGroupBy({"lr"});
        QVERIFY(shown.settled());
        QCOMPARE(shown.page->model()->rowCount(), 3);
        ScatterPlot* plot = shown.page->footer()->relation()->scatter();
        QCOMPARE(plot->itemCount(), 15); // runs
        QTest::mouseClick(plot, Qt::LeftButton, {},
                          plot->placeOf(itemNamed(*plot->relation(), kRun))->toPoint());
        QCOMPARE(selectedNames(shown).size(), 1);
        QVERIFY(selectedNames(shown).front().contains(QStringLiteral("0.0003")));
    }

    void axesAreChosenAndKept() {
        QJsonObject kept;
        {
            Shown shown;
            QVERIFY(shown.sweep());
            RelationCards* cards = shown.page->footer()->relation();
            openList(cards->xButton());
            QVERIFY(cards->columnList()->isVisible());
            QVERIFY(chooseInList(*cards->columnList(), QStringLiteral("seed")));
            QVERIFY(!cards->columnList()->isVisible());
            QTRY_COMPARE(cards->xButton()->text(), QStringLiteral("seed"));
            openList(cards->axesButton());
            QListWidget* list = cards->axisList()->list();
            for (int row = 0; row < list->count(); ++row) {
                if (list->item(row)->text() == QStringLiteral("step")) {
                    list->setCurrentRow(row);
                    QTest::keyClick(list, Qt::Key_Space);
                }
            }
            cards->axisList()->close();
            QVERIFY(shown.settled());
            QVERIFY(axisNamed(*cards->parallel()->relation(), QStringLiteral("step")) <
                    cards->parallel()->relation()->axes.size());
            kept = shown.page->keptState();
        }
        Shown again;
        again.page->restoreState(kept);
        QVERIFY(again.sweep());
        QCOMPARE(again.page->footer()->relation()->xButton()->text(), QStringLiteral("seed"));
        QCOMPARE(test::chosen(again.page->keptState()), test::chosen(kept));
    }

    /// A worker relates the runs: what it made of rows that are shown no more is dropped, and a
    /// brush whose axis is removed chooses no run any more.
    void whatAWorkerMakesIsOfTheLastRows() {
        Shown shown;
        QVERIFY(shown.sweep());
        RelationCards* cards = shown.page->footer()->relation();
        ParallelPlot* plot = cards->parallel();
        const RelationPtr before = plot->relation();
        const auto seeds = [&](const char* filter) {
            shown.page->setFilter(QString::fromUtf8(filter));
            return QTest::qWaitFor([&] { return !cards->isSettled(); }, test::kTimeoutMs);
        };
        QVERIFY(seeds("seed <= 3"));
        QVERIFY(plot->relation() == before); // not on the GUI thread
        shown.page->setFilter(QStringLiteral("seed == 1"));
        QVERIFY(shown.settled());
        QCOMPARE(cards->scatter()->itemCount(), 3);
        QCOMPARE(plot->relation()->items.size(), std::size_t{3});
        QVERIFY(shown.filter(""));
        const std::size_t rate = axisNamed(*plot->relation(), QStringLiteral("lr"));
        const double middle =
            plot->relation()->axes[rate].share(itemNamed(*plot->relation(), kRun));
        drag(*plot, plot->placeOn(rate, middle - 0.1), plot->placeOn(rate, middle + 0.1));
        QCOMPARE(selectedNames(shown).size(), 5);
        openList(cards->axesButton());
        QListWidget* list = cards->axisList()->list();
        for (int row = 0; row < list->count(); ++row) {
            if (list->item(row)->text() == QStringLiteral("lr")) {
                list->setCurrentRow(row);
                QTest::keyClick(list, Qt::Key_Space);
            } else if (list->item(row)->text() == QStringLiteral("step")) {
                list->setCurrentRow(row); // an axis in its place
                QTest::keyClick(list, Qt::Key_Space);
            }
        }
        cards->axisList()->close();
        QVERIFY(shown.settled());
        QCOMPARE(axisNamed(*plot->relation(), QStringLiteral("lr")), plot->relation()->axes.size());
        QVERIFY(!plot->hasBrush());
        QVERIFY(selectedNames(shown).isEmpty());
    }

    void nothingToRelateIsNotShown() {
        Shown shown;
        test::writeCheckpoint(shown.path() / "only" / "checkpoint-100");
        QVERIFY(shown.open());
        QVERIFY(!shown.page->footer()->relation()->isVisible());
        QVERIFY(shown.sweep(1));
        QVERIFY(shown.page->footer()->relation()->isVisible());
        shown.page->setFilter(QStringLiteral("lr == 5"));
        QVERIFY(shown.settled());
        QVERIFY(!shown.page->footer()->relation()->isVisible());
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::RunRelationTest)
#include "run_relation_test.moc"
