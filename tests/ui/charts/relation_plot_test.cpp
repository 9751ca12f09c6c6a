// SPDX-License-Identifier: GPL-3.0-or-later
// What the plots of a relation paint when something is chosen, and their pictures for files.
#include "tests/ui/support/made_relation.h"
#include "tests/ui/support/screenshots.h"
#include "ui/charts/parallel_plot.h"
#include "ui/charts/scatter_plot.h"
#include "ui/theme/theme.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTest>

#include <algorithm>
#include <cstdlib>

namespace cairn::ui {
namespace {

constexpr int kRuns = 1500;

std::vector<bool> firstOf(int runs, int chosen) {
    std::vector<bool> each(static_cast<std::size_t>(runs), false);
    std::fill_n(each.begin(), chosen, true);
    return each;
}

/// Pixels that differ visibly.
int unlike(const QImage& left, const QImage& right, const QPoint& at) {
    int count = 0;
    for (int y = 0; y < left.height(); ++y) {
        for (int x = 0; x < left.width(); ++x) {
            const QColor a = left.pixelColor(x, y);
            const QColor b = right.pixelColor(x + at.x(), y + at.y());
            const int off = std::max({std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                                      std::abs(a.blue() - b.blue())});
            count += off > 12 ? 1 : 0;
        }
    }
    return count;
}

} // namespace

class RelationPlotTest : public QObject {
    Q_OBJECT

    ParallelPlot m_parallel;
    ScatterPlot m_scatter;

    std::vector<RelationPlot*> plots() { return {&m_parallel, &m_scatter}; }
    void show(int runs) {
        m_parallel.resize(500, 220);
        m_scatter.resize(320, 220);
        m_parallel.show(test::madeRelation(runs));
        m_scatter.show(test::madeRelation(runs));
    }

private Q_SLOTS:
    void initTestCase() { QApplication::setPalette(test::lightPalette()); }

    void choosingPaintsTheChosenOnesAlone() {
        show(kRuns);
        for (RelationPlot* plot : plots()) {
            QImage image(plot->size(), QImage::Format_RGB32);
            const auto paint = [&](const char* what) {
                QElapsedTimer clock;
                clock.start();
                plot->render(&image);
                qInfo("%s: %.1f ms", what, static_cast<double>(clock.nsecsElapsed()) / 1e6);
            };
            paint("1,500 runs");
            const int before = plot->basesPainted();
            for (int chosen = 50; chosen <= 500; chosen += 50) {
                plot->setChosen(firstOf(kRuns, chosen));
                paint("50 more are chosen");
            }
            QCOMPARE(plot->basesPainted(), before + 1); // the others became faint
            plot->resize(plot->width() + 10, plot->height());
            paint("a new size");
            QCOMPARE(plot->basesPainted(), before + 2);
            plot->setChosen({});
            paint("none is chosen");
            QCOMPARE(plot->basesPainted(), before + 3);
            QPalette dark = test::darkPalette();
            plot->setPalette(dark);
            paint("other colours");
            QCOMPARE(plot->basesPainted(), before + 4);
            plot->setPalette(test::lightPalette());
        }
    }

    void aLineIsNamedAndClicked() {
        show(60);
        m_parallel.show(test::madeRelation(60)); // its size is known now
        m_parallel.QWidget::show();
        QTest::qWait(10);
        const RelationPtr& relation = m_parallel.relation();
        const auto middleOf = [&](std::size_t item) {
            return (m_parallel.placeOn(1, relation->axes[1].share(item)) +
                    m_parallel.placeOn(2, relation->axes[2].share(item))) /
                   2;
        };
        std::size_t clicked = 1000;
        connect(&m_parallel, &ParallelPlot::lineClicked, this,
                [&](std::size_t item) { clicked = item; });
        int found = 0;
        for (std::size_t item = 0; item < 60; ++item) {
            const QPoint at = middleOf(item).toPoint();
            QTest::mouseClick(&m_parallel, Qt::LeftButton, {}, at);
            QCOMPARE(clicked, *m_parallel.lineAt(at));
            found += clicked == item ? 1 : 0;
        }
        QVERIFY2(found > 40, qPrintable(QString::number(found))); // some lines cross there
        QTest::mouseMove(&m_parallel, middleOf(7).toPoint());
        QCOMPARE(m_parallel.cursor().shape(), Qt::PointingHandCursor);
        m_parallel.hide();
        // On a scale each line has the colour of its value.
        auto coloured = std::make_shared<Relation>(*relation);
        coloured->scale = std::make_shared<CurveScale>();
        for (std::size_t item = 0; item < 60; ++item) {
            coloured->items[item].share = item < 30 ? 0.0 : 1.0;
        }
        const auto greens = [&] {
            QImage image(m_parallel.size(), QImage::Format_RGB32);
            image.fill(theme::cardGround(m_parallel.palette()));
            m_parallel.render(&image, QPoint(), QRegion(), QWidget::DrawChildren);
            int count = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QColor color = image.pixelColor(x, y);
                    count += color.green() > color.red() + 40 && color.green() > color.blue() + 20;
                }
            }
            return count;
        };
        QVERIFY(greens() < 50);
        m_parallel.show(coloured);
        QVERIFY2(greens() > 500, qPrintable(QString::number(greens())));
    }

    void aPictureForAFileIsWhatIsSeen() {
        show(60);
        for (RelationPlot* plot : plots()) {
            plot->setChosen(firstOf(60, 7));
            QImage png;
            QVERIFY(png.loadFromData(plot->picture(ExportFormat::Png), "PNG"));
            QImage screen(plot->size() * 2, QImage::Format_RGB32);
            screen.setDevicePixelRatio(2);
            screen.fill(theme::cardGround(plot->palette()));
            plot->render(&screen, QPoint(), QRegion(), QWidget::DrawChildren);
            const int border = (png.width() - screen.width()) / 2;
            QVERIFY(border > 0);
            const QPoint at(border, png.height() - border - screen.height());
            // Letters on a transparent ground have other edges.
            const int odd = unlike(screen, png, at);
            const int shifted = unlike(screen, png, at + QPoint(2, 0));
            qInfo("%d pixels differ, shifted by one %d", odd, shifted);
            QVERIFY(odd < 2000 && odd * 5 < shifted);
            const QByteArray svg = plot->picture(ExportFormat::Svg);
            QVERIFY(svg.contains("<svg"));
            QVERIFY(svg.count("<path") + svg.count("<polyline") + svg.count("<ellipse") +
                        svg.count("<circle") >
                    60);
            QVERIFY(plot->picture(ExportFormat::Pdf).startsWith("%PDF"));
        }
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::RelationPlotTest)
#include "relation_plot_test.moc"
