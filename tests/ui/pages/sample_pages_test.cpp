// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format.h"
#include "tests/ui/support/screenshots.h"
#include "ui/inspector/inspector.h"
#include "ui/models/python_snippet.h"
#include "ui/models/row_view.h"
#include "ui/models/tensor_preview.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/shards/shards_page.h"
#include "ui/pages/summary/memory_card.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/tensors/tensors_page.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"

#include <QDirIterator>
#include <QLabel>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace cairn::ui {

/// The pages on the sample experiment, which was written by the frameworks themselves.
class SamplePagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qRegisterMetaType<CheckpointPtr>("cairn::CheckpointPtr");
        qRegisterMetaType<TensorIndex>("cairn::TensorIndex");
        qputenv("XDG_CONFIG_HOME", m_settings.path().toLocal8Bit());
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
        QDirIterator files(QStringLiteral(CAIRN_SAMPLE_FOLDER),
                           QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            if (Result<CheckpointPtr> opened = openCheckpoint(files.next().toStdString())) {
                m_checkpoints.push_back(std::move(*opened));
            }
        }
        QVERIFY(m_checkpoints.size() > 3);
    }

    void everyTensorPreviewsOrReportsWhyNot() {
        int shown = 0;
        int refused = 0;
        QSet<QString> reasons{QString()};
        for (const CheckpointPtr& checkpoint : m_checkpoints) {
            for (std::size_t i = 0; i < checkpoint->tensors().size(); ++i) {
                const Result<TensorPreview> preview = readPreview(checkpoint, TensorIndex(i), {});
                ++(preview ? shown : refused);
                QVERIFY(preview || !preview.error().message.empty());
                reasons.insert(preview ? QString()
                                       : QString::fromStdString(preview.error().message.text()));
                QVERIFY(!pythonSnippet(checkpoint, TensorIndex(i), {}).value().isEmpty());
            }
        }
        qInfo("  %zu checkpoints, %d tensors previewed, %d reported why not", m_checkpoints.size(),
              shown, refused);
        reasons.remove(QString());
        qInfo("  reasons: %s", qPrintable(reasons.values().join(QStringLiteral("; "))));
        QVERIFY(shown > 100);
    }

    void theSummaryShowsWhatTheModelTakes() {
        SummaryPage summary;
        summary.resize(790, 900);
        summary.QWidget::show();
        int shown = 0;
        for (const CheckpointPtr& checkpoint : m_checkpoints) {
            summary.showCheckpoint(checkpoint);
            const FoundMemory memory = findMemory(*checkpoint);
            const bool expected = checkpoint->completeness() == Completeness::Complete &&
                                  MemoryCard::hasFigures(memory);
            if (!expected) {
                QTest::qWait(100);
                QVERIFY(summary.memory()->card() == nullptr);
                continue;
            }
            QTRY_VERIFY(summary.memory()->card() != nullptr);
            MemoryCard& card = *summary.memory()->card();
            ++shown;
            const auto says = [&card](const QString& words) {
                const auto labels = card.findChildren<QLabel*>();
                return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
                    return label->isVisibleTo(&card) && label->text().contains(words);
                });
            };
            QVERIFY(says(text::bytes(memory.needs.weightBytes)));
            for (const TrainingMemory& each : memory.needs.training) {
                QCOMPARE(says(text::fromCore(each.formula.text())), false);
            }
            card.formulasButton()->click();
            for (const TrainingMemory& each : memory.needs.training) {
                QVERIFY(says(text::bytes(each.total())));
                QVERIFY(says(text::fromCore(each.formula.text())));
            }
            if (memory.needs.kvCache) {
                QVERIFY(says(text::bytes(memory.needs.kvCache->bytesPerToken())));
                QVERIFY(says(text::fromCore(memory.needs.kvCache->source)));
            }
            if (memory.needs.activations) {
                QVERIFY(says(text::bytes(memory.needs.activations->all)));
                QVERIFY(says(text::bytes(memory.needs.activations->checkpointed)));
            }
            if (shown == 1) {
                QVERIFY(test::saveScreenshots(summary, QStringLiteral("summary-memory")));
            }
        }
        QVERIFY(shown > 3);
    }

    void pagesShowEveryCheckpoint() {
        TensorsPage tensors;
        ShardsPage shards;
        MetadataPage metadata;
        Inspector inspector;
        for (Page* page : {static_cast<Page*>(&tensors), static_cast<Page*>(&shards),
                           static_cast<Page*>(&metadata)}) {
            page->resize(790, 620);
            page->show();
        }
        inspector.resize(290, 640);
        inspector.show();
        int number = 0;
        for (const CheckpointPtr& checkpoint : m_checkpoints) {
            QSignalSpy listed(&tensors, &TensorsPage::settled);
            QSignalSpy mapped(&shards, &ShardsPage::settled);
            QSignalSpy read(&metadata, &MetadataPage::settled);
            tensors.showCheckpoint(checkpoint);
            shards.showCheckpoint(checkpoint);
            metadata.showCheckpoint(checkpoint);
            QTRY_VERIFY(!listed.isEmpty() && !mapped.isEmpty() && !read.isEmpty());
            if (!checkpoint->tensors().empty()) {
                QSignalSpy shown(&inspector, &Inspector::valuesShown);
                inspector.showTensor(checkpoint, TensorIndex(0));
                shards.showTensor(checkpoint, TensorIndex(0));
                QVERIFY(shown.wait());
            }
            const QString name = QStringLiteral("sample-%1-%2")
                                     .arg(number++)
                                     .arg(QString::fromStdString(checkpoint->format()));
            if (!test::screenshotFolder().isEmpty()) {
                QTest::qWait(20);
                QVERIFY(test::saveScreenshots(tensors, name + QStringLiteral("-tensors")));
                QVERIFY(test::saveScreenshots(shards, name + QStringLiteral("-shards")));
                QVERIFY(test::saveScreenshots(metadata, name + QStringLiteral("-metadata")));
                QVERIFY(test::saveScreenshots(inspector, name + QStringLiteral("-inspector")));
            }
        }
    }

private:
    QTemporaryDir m_settings;
    std::vector<CheckpointPtr> m_checkpoints;
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::SamplePagesTest)
#include "sample_pages_test.moc"
