// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/header_clicks.h"
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/models/row_view.h"
#include "ui/models/value_model.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/notice_pane.h"

#include <QClipboard>
#include <QSignalSpy>
#include <QTest>

namespace cairn::ui {
namespace {

void open(MetadataPage& page, const CheckpointPtr& checkpoint) {
    QSignalSpy settled(&page, &MetadataPage::settled);
    page.showCheckpoint(checkpoint);
    QVERIFY(settled.wait());
}

void search(MetadataPage& page, const QString& text) {
    QSignalSpy settled(&page, &MetadataPage::settled);
    page.setFilter(text);
    QVERIFY(!settled.isEmpty() || settled.wait());
}

QModelIndex row(RowView* view, const QString& key) {
    const QModelIndexList found = view->model()->match(
        view->model()->index(0, 0), Qt::DisplayRole, key, 1, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.front();
}

} // namespace

class MetadataPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qRegisterMetaType<CheckpointPtr>("cairn::CheckpointPtr");
        qRegisterMetaType<TensorIndex>("cairn::TensorIndex");
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void showsSearchesAndCopies() {
        MetadataPage page;
        page.resize(790, 620);
        page.show();
        open(page, test::makeTransformer(2));
        auto* view = page.findChild<RowView*>();
        QVERIFY(view->isVisible());
        view->setCurrentIndex(row(view, QStringLiteral("output_dir")));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("metadata")));
        QVERIFY(page.copySelection(Page::CopyAs::Python));
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("checkpoint[\"args\"].output_dir"));
        search(page, QStringLiteral("lr"));
        QVERIFY(row(view, QStringLiteral("lr")).isValid());
        QVERIFY(view->isExpanded(row(view, QStringLiteral("args"))));
        QVERIFY(test::saveScreenshots(page, QStringLiteral("metadata-search")));
        search(page, QStringLiteral("nothing like that"));
        QVERIFY(page.findChild<NoticePane*>()->isVisible());
        search(page, QString());
        QVERIFY(view->isVisible());
    }

    /// Numbers by value, tensors last; what is expanded or chosen stays so.
    void headersSort() {
        MetadataPage page;
        page.resize(790, 620);
        page.show();
        test::CheckpointMaker maker;
        maker.data().loadValues = [](const CancelToken&) -> Result<LoadedValues> {
            return Value::dict({{"b", 9.5},
                                {"a", std::int64_t{10}},
                                {"list", Value::list({std::int64_t{3}, std::int64_t{1}})},
                                {"c", "text"},
                                {"a2", std::int64_t{-1}}});
        };
        open(page, maker.make());
        auto* view = page.findChild<RowView*>();
        const auto keys = [&](const QModelIndex& parent = {}) {
            QStringList all;
            for (int row = 0; row < view->model()->rowCount(parent); ++row) {
                all << view->model()->index(row, 0, parent).data().toString();
            }
            return all.join(QLatin1Char(' '));
        };
        QCOMPARE(keys(), QStringLiteral("b a list c a2"));
        view->expand(row(view, QStringLiteral("list")));
        view->setCurrentIndex(row(view, QStringLiteral("c")));
        QSignalSpy settled(&page, &MetadataPage::settled);
        test::clickHeader(*view, ValueModel::Content);
        QVERIFY(settled.wait());
        QCOMPARE(keys(), QStringLiteral("a2 b a list c"));
        QCOMPARE(keys(row(view, QStringLiteral("list"))), QStringLiteral("1 0"));
        QVERIFY(view->isExpanded(row(view, QStringLiteral("list"))));
        QCOMPARE(view->currentIndex().data().toString(), QStringLiteral("c"));
        search(page, QStringLiteral("a")); // of the order
        QCOMPARE(keys(), QStringLiteral("a2 a"));
        settled.clear();
        page.setFilter({});
        test::clickHeader(*view, ValueModel::Content);
        QTRY_COMPARE(keys(), QStringLiteral("c list a b a2"));
        test::clickHeader(*view, ValueModel::Content);
        QTRY_COMPARE(keys(), QStringLiteral("b a list c a2"));
    }

    void tensorsInValuesCanBeInspected() {
        MetadataPage page;
        page.resize(790, 620);
        page.show();
        open(page, test::makeTransformer(2));
        QSignalSpy selected(&page, &Page::tensorSelected);
        auto* view = page.findChild<RowView*>();
        view->setCurrentIndex(row(view, QStringLiteral("tensor_3")));
        QCOMPARE(selected.size(), 1);
        QVERIFY(page.copySelection(Page::CopyAs::Python));
    }

    void reportsErrorsAndRetries() {
        MetadataPage page;
        page.resize(790, 420);
        page.show();
        test::CheckpointMaker broken;
        broken.data().loadValues = [](const CancelToken&) -> Result<LoadedValues> {
            return fail(ErrorCode::PickleTruncated, "The pickle ends in the middle of an opcode")
                .inFile("meta.pt")
                .at(4096);
        };
        open(page, broken.make());
        QVERIFY(page.findChild<NoticePane*>()->isVisible());
        QVERIFY(test::saveScreenshots(page, QStringLiteral("metadata-error")));
        QSignalSpy settled(&page, &MetadataPage::settled);
        Q_EMIT page.findChild<NoticePane*>()->actionChosen();
        QVERIFY(settled.wait());
        test::CheckpointMaker nothing;
        open(page, nothing.make());
        QVERIFY(
            page.findChild<NoticePane*>()->headline().contains(QStringLiteral("no plain values")));
    }

    void readsOnlyWhenVisible() {
        MetadataPage page;
        auto reads = std::make_shared<std::atomic<int>>(0);
        test::CheckpointMaker maker;
        maker.data().loadValues = [reads](const CancelToken&) -> Result<LoadedValues> {
            ++*reads;
            return Value::dict({{"epoch", std::int64_t{3}}});
        };
        page.showCheckpoint(maker.make());
        QTest::qWait(50);
        QCOMPARE(reads->load(), 0);
        page.show();
        QTRY_COMPARE(reads->load(), 1);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::MetadataPageTest)
#include "metadata_page_test.moc"
