// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/pages/space/treemap_view.h"
#include "ui/text/plain_text.h"

#include <QAccessible>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <set>

namespace cairn::ui {
namespace {

SpaceMapPtr mapOf(const CheckpointPtr& checkpoint) {
    const auto map = SpaceMap::make(checkpoint, CancelToken());
    return map ? *map : nullptr;
}

/// A flat map of these sizes, the largest first.
SpaceMapPtr flat(std::vector<std::uint64_t> sizes) {
    std::ranges::sort(sizes, std::ranges::greater());
    auto map = std::make_shared<SpaceMap>();
    map->nodes.push_back({});
    map->nodes[0].firstChild = 1;
    map->nodes[0].childCount = static_cast<std::uint32_t>(sizes.size());
    for (const std::uint64_t size : sizes) {
        map->nodes[0].bytes += size;
        map->nodes.push_back({"tile", size});
    }
    return map;
}

/// The number of leaves that overlap, or leave the area.
int faults(const std::vector<MapTile>& tiles, const QRectF& area) {
    std::vector<QRectF> leaves;
    int wrong = 0;
    for (const MapTile& tile : tiles) {
        wrong += area.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(tile.rect) ? 0 : 1;
        if (tile.isLeaf) {
            leaves.push_back(tile.rect.adjusted(1e-6, 1e-6, -1e-6, -1e-6));
        }
    }
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        for (std::size_t k = i + 1; k < leaves.size(); ++k) {
            wrong += leaves[i].intersects(leaves[k]) ? 1 : 0;
        }
    }
    return wrong;
}

std::uint32_t nodeOfTensor(const SpaceMapPtr& map, std::size_t tensor) {
    return map->nodeOf.at(tensor);
}

} // namespace

class TreemapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    /// The example of Bruls, Huizing and van Wijk: 6 6 4 3 2 2 1 in 6 by 4.
    void areasAreAsTheSizes() {
        const SpaceMapPtr map = flat({6, 6, 4, 3, 2, 2, 1});
        MapStyle style;
        style.leastSide = 0.01;
        const QRectF area(0, 0, 6, 4);
        const auto tiles = layOutMap(*map, 0, area, style);
        QCOMPARE(tiles.size(), std::size_t{8});
        QCOMPARE(faults(tiles, area), 0);
        for (std::size_t i = 1; i < tiles.size(); ++i) {
            const double covered = tiles[i].rect.width() * tiles[i].rect.height();
            QVERIFY(std::abs(covered - static_cast<double>(map->nodes[tiles[i].node].bytes)) <
                    1e-9);
        }
        QCOMPARE(tiles[1].rect, QRectF(0, 0, 3, 2));
        QCOMPARE(tiles[2].rect, QRectF(0, 2, 3, 2));
        style.mirrored = true;
        QCOMPARE(layOutMap(*map, 0, area, style)[1].rect, QRectF(3, 0, 3, 2));
    }

    void nothingOverlapsInADeepTree() {
        const SpaceMapPtr map = mapOf(test::makeTransformer(12));
        MapStyle style;
        style.head = 14;
        style.margin = 2;
        for (const QRectF& area : {QRectF(0, 0, 700, 300), QRectF(3, 5, 90, 400)}) {
            const auto tiles = layOutMap(*map, 0, area, style);
            QVERIFY(tiles.size() > 20);
            QCOMPARE(faults(tiles, area), 0);
            for (const MapTile& tile : tiles) {
                QVERIFY(tile.rect.width() >= 2 && tile.rect.height() >= 2);
            }
        }
    }

    void oddSizes() {
        const QRectF area(0, 0, 300, 200);
        QCOMPARE(layOutMap(*flat({5}), 0, area, {})[1].rect, area);
        QCOMPARE(layOutMap(*flat({0, 0}), 0, area, {}).size(), std::size_t{1});
        QCOMPARE(layOutMap(*flat({}), 0, area, {}).size(), std::size_t{1});
        QVERIFY(layOutMap(*flat({5}), 0, QRectF(), {}).empty());
        QCOMPARE(layOutMap(*flat({UINT64_MAX / 2, 1, 0}), 0, area, {}).size(), std::size_t{2});
    }

    void clicksAndKeysChooseTiles() {
        TreemapView view;
        view.resize(600, 400);
        const SpaceMapPtr map = mapOf(test::makeTransformer(4));
        view.show(map);
        view.QWidget::show();
        QSignalSpy chosen(&view, &TreemapView::chosen);
        QSignalSpy entered(&view, &TreemapView::entered);
        QSignalSpy left(&view, &TreemapView::left);
        const MapTile largest = view.tiles()[view.stops().front()];
        QTest::mouseClick(&view, Qt::LeftButton, {}, largest.rect.center().toPoint());
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].value<std::uint32_t>(), largest.node);
        QCOMPARE(view.selected(), std::optional(largest.node));
        // Every tile is reached by the arrow keys, each step goes in its direction.
        const auto at = [&view] { return view.tiles()[*view.selectedTile()].rect.center(); };
        QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(5, 40));
        const QPointF before = at();
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(at().x() > before.x());
        const QPointF right = at();
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY(at().y() > right.y());
        QTest::keyClick(&view, Qt::Key_Left);
        QVERIFY(at().x() < right.x());
        // From any tile every other one is reached.
        std::set<std::uint32_t> reached{*view.selected()};
        std::vector<std::uint32_t> open{*view.selected()};
        while (!open.empty()) {
            const std::uint32_t from = open.back();
            open.pop_back();
            for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Left, Qt::Key_Up}) {
                view.select(from);
                QTest::keyClick(&view, key);
                if (reached.insert(*view.selected()).second) {
                    open.push_back(*view.selected());
                }
            }
        }
        QCOMPARE(reached.size(), view.stops().size());
        chosen.clear();
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.selected(), std::optional(largest.node));
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(entered.size(), 1);
        QTest::keyClick(&view, Qt::Key_Backspace);
        QTest::keyClick(&view, Qt::Key_Escape);
        QCOMPARE(left.size(), 2);
        QTest::mouseDClick(&view, Qt::LeftButton, {}, largest.rect.center().toPoint());
        QCOMPARE(entered.size(), 2);
    }

    void aTensorIsNamedWithItsOnlyModule() {
        TreemapView view;
        view.resize(900, 600);
        test::CheckpointMaker maker;
        const std::vector<FileIndex> file{maker.addShard("a")};
        maker.addTensor("model.layers.0.q_proj.weight", Dtype::Float32, {64, 64}, file);
        maker.addTensor("model.layers.0.norm.weight", Dtype::Float32, {64}, file);
        maker.addTensor("model.layers.0.norm.bias", Dtype::Float32, {64}, file);
        const SpaceMapPtr map = mapOf(maker.make());
        view.show(map);
        QStringList labels;
        for (const std::size_t stop : view.stops()) {
            labels << view.labelOf(view.tiles()[stop].node);
        }
        labels.sort();
        QCOMPARE(labels, (QStringList{QStringLiteral("bias"), QStringLiteral("q_proj.weight"),
                                      QStringLiteral("weight")}));
        QCOMPARE(view.labelOf(view.tiles()[1].node), QStringLiteral("model.layers.0"));
    }

    /// Of a module with more tensors than the map has pixels, ranges are tiles and have names.
    void aModuleOfManyEqualTensorsShowsRanges() {
        constexpr int kLayers = 100'000;
        test::CheckpointMaker maker;
        const std::vector<FileIndex> file{maker.addShard("a")};
        for (int layer = 0; layer < kLayers; ++layer) {
            maker.addTensor("l." + std::to_string(layer) + ".w", Dtype::Float32, {2, 2}, file);
        }
        const SpaceMapPtr map = mapOf(maker.make());
        TreemapView view;
        view.resize(780, 330);
        view.show(map);
        QCOMPARE(faults({view.tiles().begin(), view.tiles().end()}, view.rect()), 0);
        int named = 0;
        for (const MapTile& tile : view.tiles()) {
            named += tile.hasHead && map->nodes[tile.node].range ? 1 : 0;
        }
        QCOMPARE(named, 20); // of 5000
        const SpaceMap::Node& first = map->nodes[map->nodes[1].firstChild];
        QCOMPARE(text::fromCore(first.name), QStringLiteral("0 … 4999"));
        QCOMPARE(first.bytes, std::uint64_t{5000 * 16});
        QVERIFY(view.stops().size() > 400); // and of 200 in them
        // Each tensor is below the range of its number, and ranges are no part of a name.
        for (const std::size_t tensor : {std::size_t{0}, std::size_t{77'777}}) {
            std::uint32_t node = nodeOfTensor(map, tensor);
            std::uint64_t bytes = 16;
            for (; node != 0; node = map->nodes[node].parent) {
                QVERIFY(map->nodes[node].bytes >= bytes);
                bytes = map->nodes[node].bytes;
            }
        }
        view.select(nodeOfTensor(map, 77'777));
        QVERIFY(view.selectedTile().has_value());
        const std::uint32_t shown = view.tiles()[*view.selectedTile()].node;
        QCOMPARE(view.nameOf(shown), QStringLiteral("77600 … 77799"));
        QVERIFY2(view.describe(shown).startsWith(QStringLiteral("l.77600 … 77799, ")),
                 qPrintable(view.describe(shown)));
        // Entered, the tensors themselves are tiles.
        view.show(map, shown);
        QVERIFY(view.stops().size() >= 200);
    }

    void aTileThatIsTooSmallIsMarkedByWhatContainsIt() {
        TreemapView view;
        view.resize(300, 200);
        std::vector<std::uint64_t> sizes(3, 1000);
        sizes.push_back(1'000'000'000);
        const SpaceMapPtr map = flat(sizes);
        view.show(map);
        view.select(4);
        QVERIFY(!view.selectedTile().has_value());
        view.select(1);
        QVERIFY(view.selectedTile().has_value());
        view.select(SpaceMap::kNone); // of what is not drawn
        QVERIFY(!view.selected().has_value());
        QVERIFY(!view.selectedTile().has_value());
    }

    void screenReadersSeeTheTiles() {
        TreemapView view;
        view.resize(600, 400);
        const SpaceMapPtr map = mapOf(test::makeTransformer(4));
        view.show(map);
        view.QWidget::show();
        QAccessibleInterface* access = QAccessible::queryAccessibleInterface(&view);
        QVERIFY(access != nullptr);
        QCOMPARE(access->role(), QAccessible::List);
        QCOMPARE(access->childCount(), static_cast<int>(view.stops().size()));
        QAccessibleInterface* first = access->child(0);
        QCOMPARE(first->role(), QAccessible::ListItem);
        QVERIFY(first->text(QAccessible::Name).contains(QStringLiteral("B")));
        QVERIFY(first->text(QAccessible::Name).contains(QLatin1Char('.')));
        QVERIFY(first->rect().isValid());
        QCOMPARE(first->parent(), access);
        view.setFocus();
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.mapFromGlobal(first->rect().center()));
        QVERIFY(first->state().selected);
        const int before = access->childCount();
        view.resize(60, 40);
        QVERIFY(access->childCount() < before);
    }

    void aTensorIsNamedWithTheGroupsThatHaveNoHead() {
        TreemapView view;
        view.resize(900, 600);
        view.show(mapOf(test::makeTransformer(2)));
        int longer = 0;
        for (const MapTile& tile : view.tiles()) {
            if (!tile.isLeaf) {
                continue;
            }
            const QStringList lines = view.linesOf(tile, {400, 100});
            QVERIFY(!lines.isEmpty());
            const QString name = text::fromCore(
                view.map()->checkpoint->tensor(*view.map()->tensorOf(tile.node)).name);
            const QString written = lines.join(QString()).section(QStringLiteral(" · "), 0, 0);
            QVERIFY2(name.endsWith(written), qPrintable(written));
            const QString around = tile.below == 0 ? QString() : view.nameOf(tile.below);
            const QString rest = name.chopped(written.size());
            QVERIFY2(rest.isEmpty() || rest.endsWith(around + QLatin1Char('.')), qPrintable(rest));
            longer += written.count(QLatin1Char('.')) > 1 ? 1 : 0;
            QVERIFY(view.linesOf(tile, {70, 40}).size() <= 2);
            QVERIFY(view.linesOf(tile, {400, 18}).size() <= 1);
        }
        QVERIFY(longer > 0);
    }

    void anEnormousMapIsQuick() {
        TreemapView view;
        view.resize(1440, 900);
        std::vector<std::uint64_t> sizes(100'000, 1'000'000);
        const SpaceMapPtr map = flat(sizes);
        view.show(map);
        QImage picture(view.size(), QImage::Format_RGB32);
        QElapsedTimer clock;
        qint64 least = INT64_MAX;
        for (int i = 0; i < 3; ++i) {
            view.setHatched({});
            clock.start();
            view.render(&picture);
            least = std::min(least, clock.nsecsElapsed());
        }
        QVERIFY(view.tiles().size() > 99'000);
        qInfo("  %zu tiles painted in %.1f ms", view.tiles().size(),
              static_cast<double>(least) / 1e6);
        clock.start();
        const auto tiles = layOutMap(*map, 0, QRectF(view.rect()), {});
        qInfo("  laid out in %.1f ms", static_cast<double>(clock.nsecsElapsed()) / 1e6);
        clock.start();
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Down);
        qInfo("  two steps in %.1f ms", static_cast<double>(clock.nsecsElapsed()) / 1e6);
    }

    void modulesOfAnEnormousCheckpoint() {
        QElapsedTimer clock;
        const CheckpointPtr checkpoint = test::makeEnormous(100'000);
        clock.start();
        const SpaceMapPtr map = mapOf(checkpoint);
        qInfo("  arranged in %.0f ms", static_cast<double>(clock.nsecsElapsed()) / 1e6);
        TreemapView view;
        view.resize(900, 500);
        view.show(map);
        QVERIFY(test::saveScreenshots(view, QStringLiteral("treemap-enormous")));
        QCOMPARE(map->largestBelow(0).size(), SpaceMap::kLargest);
        QCOMPARE(*map->tensorOf(nodeOfTensor(map, 77)), TensorIndex(77));
        QCOMPARE(faults({view.tiles().begin(), view.tiles().begin() + 200}, view.rect()), 0);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::TreemapTest)
#include "treemap_test.moc"
