// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/inspector/figures_section.h"
#include "ui/inspector/inspector.h"
#include "ui/inspector/spectrum_section.h"
#include "ui/inspector/value_grid.h"
#include "ui/models/tensor_words.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QSignalSpy>
#include <QTest>

namespace cairn::ui {
namespace {

QStringList texts(QWidget& inspector) {
    QStringList all;
    for (const QLabel* label : inspector.findChildren<QLabel*>()) {
        if (label->isVisibleTo(&inspector)) {
            all << label->text();
        }
    }
    return all;
}

void show(Inspector& inspector, const CheckpointPtr& checkpoint, TensorIndex tensor) {
    QSignalSpy shown(&inspector, &Inspector::valuesShown);
    inspector.showTensor(checkpoint, tensor);
    QVERIFY(shown.wait());
}

} // namespace

class InspectorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    /// Nothing is computed without a request; on request the figures appear, or the reason why
    /// there are none.
    void computesSingularValuesOnRequest() {
        Inspector inspector;
        inspector.resize(290, 900);
        inspector.show();
        auto* spectrum = inspector.findChild<SpectrumSection*>();
        const CheckpointPtr checkpoint = test::makeTransformer(4);
        show(inspector, checkpoint, *checkpoint->find("model.layers.2.self_attn.q_proj.weight"));
        QVERIFY(spectrum->isVisible());
        QVERIFY(!texts(inspector).contains(QStringLiteral("effective rank")));
        auto* button = spectrum->findChild<Button*>(QStringLiteral("computeSpectrum"));
        QVERIFY(button != nullptr && button->isVisible());
        QSignalSpy settled(spectrum, &SpectrumSection::settled);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!button->isVisible());
        QVERIFY(settled.wait(60'000));
        const QStringList all = texts(inspector);
        const bool figures = all.contains(QStringLiteral("effective rank"));
        const bool reason = all.join(QLatin1Char(' ')).contains(QStringLiteral("libtorch"));
        QVERIFY2(figures != reason, qPrintable(all.join(QLatin1Char('|'))));
        show(inspector, checkpoint, *checkpoint->find("model.norm.weight"));
        QVERIFY2(!spectrum->isVisible(), "a vector has none");
    }

    void showsStatisticsOfNumericTensors() {
        Inspector inspector;
        inspector.resize(290, 900);
        inspector.show();
        auto* figures = inspector.findChild<FiguresSection*>();
        QSignalSpy settled(figures, &FiguresSection::settled);
        const CheckpointPtr checkpoint = test::makeTransformer(4);
        inspector.showTensor(checkpoint,
                             *checkpoint->find("model.layers.2.self_attn.q_proj.weight"));
        QVERIFY(settled.wait());
        QVERIFY(figures->isVisible());
        const QStringList all = texts(inspector);
        QVERIFY(all.contains(QStringLiteral("Statistics · exact")));
        QVERIFY(all.contains(QStringLiteral("Histogram")));
        const TensorEntry& entry =
            checkpoint->tensor(*checkpoint->find("model.layers.2.self_attn.q_proj.weight"));
        const auto expected = readFigures(
            checkpoint, *checkpoint->find("model.layers.2.self_attn.q_proj.weight"), false, {});
        QVERIFY(expected.has_value());
        QCOMPARE(expected->statistics.count, entry.elements());
        QVERIFY(all.contains(text::number(expected->statistics.mean)));
        QVERIFY(test::saveScreenshots(inspector, QStringLiteral("inspector-statistics")));
        inspector.showTensor(checkpoint, *checkpoint->find("optimizer.step"));
        QVERIFY(!figures->isVisible()); // a scalar: its value is shown instead
    }

    void showsATensorWithItsFirstValues() {
        Inspector inspector;
        inspector.resize(290, 640);
        inspector.show();
        const CheckpointPtr checkpoint = test::makeTransformer(4);
        show(inspector, checkpoint, *checkpoint->find("model.layers.2.self_attn.q_proj.weight"));
        const QStringList all = texts(inspector);
        QVERIFY(all.contains(QStringLiteral("q_proj.weight")));
        QVERIFY(all.contains(QStringLiteral("model.layers.2.self_attn")));
        QVERIFY(all.contains(QStringLiteral("4, rows 16 each")));
        QVERIFY(all.contains(QStringLiteral("First values [:8, :6]")));
        const QString values = inspector.findChild<ValueGrid*>()->accessibleDescription();
        QVERIFY2(values.startsWith(QStringLiteral("0.0000 0.0181 0.0337 ")), qPrintable(values));
        QVERIFY(test::saveScreenshots(inspector, QStringLiteral("inspector-tensor")));
        show(inspector, checkpoint, *checkpoint->find("optimizer.step"));
        QVERIFY(test::saveScreenshots(inspector, QStringLiteral("inspector-scalar")));
        show(inspector, checkpoint, *checkpoint->find("model.mask"));
        QVERIFY(inspector.findChild<ValueGrid*>()->accessibleDescription().startsWith(
            QStringLiteral("False True True")));
    }

    void reportsWhyValuesCannotBeRead() {
        Inspector inspector;
        inspector.resize(290, 640);
        inspector.show();
        const CheckpointPtr checkpoint = test::makeTransformer(2, true);
        show(inspector, checkpoint, TensorIndex(0));
        QVERIFY(!texts(inspector).filter(QStringLiteral("missing")).isEmpty());
        QVERIFY(test::saveScreenshots(inspector, QStringLiteral("inspector-missing")));
    }

    void showsGroupsCheckpointsAndNothing() {
        Inspector inspector;
        inspector.resize(290, 400);
        inspector.show();
        QVERIFY(test::saveScreenshots(inspector, QStringLiteral("inspector-empty")));
        const CheckpointPtr checkpoint = test::makeTransformer(2);
        inspector.showGroup(checkpoint, QStringLiteral("model.layers.0.mlp"), 2, 40960);
        QVERIFY(texts(inspector).contains(QStringLiteral("mlp")));
        inspector.showCheckpoint(checkpoint);
        QTRY_VERIFY(texts(inspector).contains(QStringLiteral("48")));
        QVERIFY(test::saveScreenshots(inspector, QStringLiteral("inspector-checkpoint")));
        inspector.clear();
        QVERIFY(!texts(inspector).contains(QStringLiteral("48")));
    }

    /// Small groups at once, large ones on request; tied tensors count once.
    void measuresGroups() {
        FiguresSection section;
        section.show();
        const CheckpointPtr checkpoint = test::makeTransformer(2);
        QSignalSpy settled(&section, &FiguresSection::settled);
        section.showGroup(checkpoint, QStringLiteral("model.layers.0"), 2, 40960);
        QVERIFY(settled.wait());
        const auto group = readGroupFigures(checkpoint, "model.layers.0", false, {});
        QVERIFY(group.has_value());
        std::uint64_t elements = 0;
        for (const TensorEntry& tensor : checkpoint->tensors()) {
            elements += tensor.name.starts_with("model.layers.0.") ? tensor.elements() : 0;
        }
        QCOMPARE(group->statistics.count, elements);
        QVERIFY(texts(section).contains(text::number(group->statistics.mean)));
        settled.clear();
        section.showGroup(checkpoint, QStringLiteral("model.layers.1"), 2, quint64(1) << 40U);
        auto* ask = section.findChild<Button*>();
        QVERIFY(ask != nullptr && ask->isVisible() && settled.isEmpty());
        ask->click();
        QVERIFY(settled.wait());
        QVERIFY(!readGroupFigures(checkpoint, "model.layers.9", false, {}).has_value());
    }

    void describesPieces() {
        test::CheckpointMaker maker;
        const std::vector<FileIndex> three{maker.addShard("a"), maker.addShard("b"),
                                           maker.addShard("c")};
        maker.addTensor("even", Dtype::Float32, {9, 4}, three);
        maker.addTensor("columns", Dtype::Float32, {4, 9}, three, 1);
        maker.addTensor("uneven", Dtype::Float32, {8, 4}, three);
        maker.addTensor("vector", Dtype::Float32, {9}, three);
        maker.addTensor("whole", Dtype::Float32, {9}, {three.front()});
        maker.addTensor("none", Dtype::Float32, {0}, three);
        const CheckpointPtr checkpoint = maker.make();
        const auto pieces = [&](std::size_t i) {
            return words::pieces(checkpoint->tensor(TensorIndex(i)));
        };
        QCOMPARE(pieces(0), QStringLiteral("3, rows 3 each"));
        QCOMPARE(pieces(1), QStringLiteral("3, columns 3 each"));
        QCOMPARE(pieces(2), QStringLiteral("3, uneven rows"));
        QCOMPARE(pieces(3), QStringLiteral("3, elements 3 each"));
        QCOMPARE(pieces(4), QStringLiteral("1"));
        QCOMPARE(pieces(5), QStringLiteral("none"));
        QCOMPARE(words::box(checkpoint->tensor(TensorIndex(0)).pieces[1].box, {9, 4}),
                 QStringLiteral("rows 3-5"));
        QCOMPARE(words::shardNumber("__12_0.distcp", 3), QStringLiteral("12"));
        QCOMPARE(words::shardNumber("model-00002-of-00005.safetensors", 1), QStringLiteral("2"));
    }

    void previewsEveryDtype() {
        for (const DtypeInfo& info : allDtypes()) {
            test::CheckpointMaker maker;
            maker.addTensor("t", info.dtype, {4, 8}, {maker.addShard("a")});
            const Result<TensorPreview> preview = readPreview(maker.make(), TensorIndex(0), {});
            // Strings need a codec, which this checkpoint lacks.
            const bool shown = info.bits % 8 == 0 && info.dtype != Dtype::String;
            QCOMPARE(preview.has_value(), shown);
            QVERIFY(!preview || preview->cells.size() == 24);
        }
        test::CheckpointMaker maker;
        maker.addTensor("deep", Dtype::Int32, {2, 3, 4, 5}, {maker.addShard("a")});
        const TensorPreview preview = readPreview(maker.make(), TensorIndex(0), {}).value();
        QCOMPARE(preview.where, QStringLiteral("[0, 0, :, :]"));
        QCOMPARE(preview.rows, 4);
        QCOMPARE(preview.cell(1, 2), QStringLiteral("7"));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::InspectorTest)
#include "inspector_test.moc"
