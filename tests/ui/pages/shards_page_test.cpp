// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/models/shard_evenness.h"
#include "ui/pages/shards/piece_grid.h"
#include "ui/pages/shards/shard_map.h"
#include "ui/pages/shards/shards_page.h"
#include "ui/pages/summary/shard_card.h"
#include "ui/widgets/card.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

namespace cairn::ui {
namespace {

void open(ShardsPage& page, const CheckpointPtr& checkpoint) {
    QSignalSpy settled(&page, &ShardsPage::settled);
    page.showCheckpoint(checkpoint);
    QVERIFY(settled.wait(20000));
}

void reveal(ShardsPage& page, const CheckpointPtr& checkpoint, TensorIndex tensor) {
    QSignalSpy settled(&page, &ShardsPage::settled);
    page.showTensor(checkpoint, tensor);
    QVERIFY(settled.wait());
}

bool showsText(const QWidget& page, const QString& text) {
    for (const QLabel* label : page.findChildren<QLabel*>()) {
        if (label->isVisible() && label->text().contains(text)) {
            return true;
        }
    }
    return false;
}

/// Four shards, the third with far fewer bytes.
CheckpointPtr makeUneven() {
    test::CheckpointMaker maker;
    std::vector<FileIndex> ranks;
    for (int rank = 0; rank < 4; ++rank) {
        ranks.push_back(maker.addShard("__" + std::to_string(rank) + "_0.distcp"));
    }
    maker.addShard(".metadata");
    for (int i = 0; i < 40; ++i) {
        const std::string name = "model.layers." + std::to_string(i) + ".weight";
        maker.addTensor(name, Dtype::Float32, {64, 32 + i},
                        i % 3 == 0 ? ranks : std::vector{ranks[0], ranks[1], ranks[3]}, 0);
    }
    return maker.make();
}

/// Eight shards on a 2 x 4 mesh; optionally one piece is missing.
CheckpointPtr makeMesh(bool hole) {
    test::CheckpointMaker maker;
    TensorEntry tensor;
    tensor.name = "model.layers.0.mlp.up_proj.weight";
    tensor.dtype = Dtype::Bfloat16;
    tensor.shape = {160, 256};
    tensor.role = Role::Weight;
    for (int rank = 0; rank < 8; ++rank) {
        Piece piece;
        piece.file = maker.addShard("__" + std::to_string(rank) + "_0.distcp", rank == 6);
        piece.box = {{80 * (rank / 4), 64 * (rank % 4)}, {80, 64}};
        piece.bytes = {0, 80 * 64 * 2};
        if (!hole || rank != 3) {
            tensor.pieces.push_back(std::move(piece));
        }
    }
    maker.data().tensors.push_back(std::move(tensor));
    return maker.make();
}

} // namespace

class ShardsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qRegisterMetaType<CheckpointPtr>("cairn::CheckpointPtr");
        qRegisterMetaType<TensorIndex>("cairn::TensorIndex");
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void mapsFilesAndSelectsTensors() {
        ShardsPage page;
        page.resize(790, 620);
        page.show();
        const CheckpointPtr checkpoint = test::makeTransformer(12);
        open(page, checkpoint);
        QVERIFY(showsText(page, QStringLiteral("4 files · ")));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("shards")));
        QSignalSpy selected(&page, &Page::tensorSelected);
        auto* map = page.findChild<ShardMap*>();
        QTest::mouseClick(map->viewport(), Qt::LeftButton, {}, QPoint(300, 13));
        QCOMPARE(selected.size(), 1);
        QTest::keyClick(map, Qt::Key_Right);
        QTest::keyClick(map, Qt::Key_Down);
        QCOMPARE(selected.size(), 3);
        reveal(page, checkpoint, *page.findChild<ShardMap*>()->selected());
        reveal(page, checkpoint, TensorIndex(0));
        QCOMPARE(selected.size(), 3);
        QVERIFY(showsText(page, QStringLiteral("pieces: 4, rows 64 each")));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("shards-tensor")));
        QVERIFY(page.copySelection(Page::CopyAs::Rows));
    }

    void filesAreComparedWithTheirOwnKind() {
        const std::vector<double> against = shardEvenness({{"mp_rank_00_model_states.pt", 10},
                                                           {"zero_pp_rank_9_mp_rank_00.pt", 100},
                                                           {"zero_pp_rank_10_mp_rank_00.pt", 95},
                                                           {"zero_pp_rank_11_mp_rank_00.pt", 50},
                                                           {"model-00001-of-00002.pt", 100},
                                                           {"model-00002-of-00002.pt", 3}});
        QCOMPARE(against, (std::vector<double>{0, 0, 0, (50.0 - 95.0) / 95.0, 0, 0}));
        QVERIFY(shardEvenness({}).empty());
    }

    void shardLabelsAreShort() {
        const auto label = [](const char* file) { return ShardCard::label(file); };
        QCOMPARE(label("__2_0.distcp"), QStringLiteral("rank 2"));
        QCOMPARE(label("__12_3.distcp"), QStringLiteral("rank 12, part 3"));
        QCOMPARE(label("bf16_zero_pp_rank_11_mp_rank_00_optim_states.pt"),
                 QStringLiteral("optimizer, rank 11"));
        QCOMPARE(label("layer_0_expert_3_mp_rank_00_model_states.pt"),
                 QStringLiteral("layer 0, expert 3"));
        QCOMPARE(label("model-00003-of-00004.safetensors"), QStringLiteral("shard 3"));
        const char* slice = "zero_pp_rank_1_mp_rank_02_model_states.pt"; // too long for a label
        QCOMPARE(label(slice), QString::fromLatin1(slice));
        QCOMPARE(label("mp_rank_00_model_states.pt"), QStringLiteral("model"));
        QCOMPARE(label("global_step6/mp_rank_10_model_states.pt"),
                 QStringLiteral("model, part 10"));
        QCOMPARE(label("scheduler.pt"), QStringLiteral("scheduler.pt"));
    }

    void reportsMissingAndUnevenFiles() {
        ShardsPage page;
        page.resize(790, 620);
        page.show();
        const CheckpointPtr checkpoint = test::makeTransformer(6, true);
        open(page, checkpoint);
        QVERIFY(showsText(page, QStringLiteral("1 missing")));
        reveal(page, checkpoint, TensorIndex(0));
        QVERIFY(showsText(page, QStringLiteral("1 of 4 pieces are in missing files")));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("shards-missing")));
        open(page, makeUneven());
        QVERIFY(showsText(page, QStringLiteral("1 uneven")));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("shards-uneven")));
    }

    void drawsTwoDimensionalMeshesAndHoles() {
        ShardsPage page;
        page.resize(790, 620);
        page.show();
        const CheckpointPtr mesh = makeMesh(true);
        open(page, mesh);
        reveal(page, mesh, TensorIndex(0));
        QVERIFY(showsText(page,
                          QStringLiteral("5,120 of 40,960 elements are not covered by any piece")));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("shards-mesh")));
        const PieceLayout layout = layOutPieces(*mesh, mesh->tensor(TensorIndex(0)));
        QCOMPARE(layout.vertical, 0);
        QCOMPARE(layout.horizontal, 1);
        QCOMPARE(layout.holes.size(), std::size_t{1});
        QCOMPARE(layout.holes.front().x, 192.0);
    }

    void drawsTheShardedDimensions() {
        test::CheckpointMaker maker;
        const std::vector<FileIndex> two{maker.addShard("a"), maker.addShard("b")};
        maker.addTensor("conv", Dtype::Float32, {6, 8, 3, 3}, two, 1);
        maker.addTensor("last", Dtype::Float32, {6, 8, 4}, two, 2);
        maker.addTensor("vector", Dtype::Float32, {6}, two);
        maker.addTensor("scalar", Dtype::Float32, {}, {two.front()});
        const CheckpointPtr checkpoint = maker.make();
        const auto drawn = [&](std::size_t i) {
            const PieceLayout layout =
                layOutPieces(*checkpoint, checkpoint->tensor(TensorIndex(i)));
            return std::pair(layout.vertical, layout.horizontal);
        };
        QVERIFY(drawn(0) == std::pair(1, 2));
        QVERIFY(drawn(1) == std::pair(1, 2));
        QVERIFY(drawn(2) == std::pair(-1, 0));
        QVERIFY(drawn(3) == std::pair(-1, -1));
    }

    void enormousMapsPaintQuickly() {
        ShardsPage page;
        page.resize(790, 620);
        page.show();
        QElapsedTimer clock;
        const CheckpointPtr checkpoint = test::makeEnormous(300'000);
        clock.start();
        open(page, checkpoint);
        qInfo("  mapped after %.0f ms", static_cast<double>(clock.nsecsElapsed()) / 1e6);
        clock.start();
        page.grab();
        qInfo("  painted in %.1f ms", static_cast<double>(clock.nsecsElapsed()) / 1e6);
        QVERIFY(showsText(page, QStringLiteral("64 files")));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::ShardsPageTest)
#include "shards_page_test.moc"
