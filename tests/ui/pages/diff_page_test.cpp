// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/format.h"
#include "core/runs/scan/experiment_scan.h"
#include "tests/ui/support/header_clicks.h"
#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/inspector/heat_map_view.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_view.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/diff/difference_map.h"
#include "ui/pages/diff/pair_details.h"
#include "ui/pages/diff/partner_chooser.h"
#include "ui/pages/diff/plain_values_model.h"
#include "ui/pages/diff/role_switches.h"
#include "ui/pages/notice_pane.h"
#include "ui/widgets/card.h"
#include "ui/widgets/link_row.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace cairn::ui {

/// Two checkpoints of the sample experiment compared with each other.
class DiffPageTest : public QObject {
    Q_OBJECT

private:
    static std::filesystem::path sample(const char* name) {
        return std::filesystem::path(CAIRN_SAMPLE_FOLDER) / name;
    }
    static CheckpointPtr open(const char* name) {
        auto opened = openCheckpoint(sample(name));
        return opened ? *opened : nullptr;
    }
    /// Waits until the values were compared.
    static void wait(DiffPage& page) {
        QTRY_VERIFY_WITH_TIMEOUT(page.document() && page.document()->hasValues(), 10000);
    }
    static QStringList texts(QWidget& widget) {
        QStringList all;
        for (const QLabel* label : widget.findChildren<QLabel*>()) {
            all << label->text();
        }
        return all;
    }

    QTemporaryDir m_settings;

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_CONFIG_HOME", m_settings.path().toLocal8Bit());
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        QApplication::setPalette(test::lightPalette());
    }

    void offersOtherCheckpointsOfTheRun() {
        DiffPage page;
        page.resize(800, 700);
        page.show();
        auto* chooser = page.findChild<PartnerChooser*>();
        page.showCheckpoint(open("tiny-llama-a/step-200"));
        auto experiment = scanExperiment(sample("tiny-llama-a"));
        QVERIFY(experiment.has_value());
        page.showRun(experiment->runs.front());
        const auto rows = chooser->findChildren<LinkRow*>();
        QCOMPARE(rows.size(), 3);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("diff-choose")));
        rows.front()->click(); // the previous checkpoint
        wait(page);
        QCOMPARE(page.document()->left.checkpoint->path().filename().string(), "step-100");
        QCOMPARE(page.document()->right.checkpoint->path().filename().string(), "step-200");
    }

    /// What is asked for is the weights: the optimizer is one click away, and is not read before.
    void rolesAreSwitchesWithTheOptimizerOff() {
        DiffPage page;
        page.resize(1100, 700);
        page.show();
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        page.compareWith(sample("tiny-llama-a/step-200"));
        wait(page);
        const DiffDocumentPtr before = page.document();
        QVERIFY(before->isShown(Role::Weight) && !before->isShown(Role::Optimizer));
        QCheckBox* optimizer = nullptr;
        QCheckBox* weights = nullptr;
        for (QCheckBox* box : page.findChild<RoleSwitches*>()->findChildren<QCheckBox*>()) {
            optimizer = box->text().startsWith(QStringLiteral("optimizer")) ? box : optimizer;
            weights = box->text().startsWith(QStringLiteral("weights")) ? box : weights;
        }
        QVERIFY(optimizer != nullptr && weights != nullptr);
        QVERIFY(weights->isChecked() && !optimizer->isChecked());
        QVERIFY(!weights->isEnabled()); // something is always compared
        QCOMPARE(weights->text(), QStringLiteral("weights 21"));
        QTest::mouseClick(optimizer, Qt::LeftButton, {}, {6, optimizer->height() / 2});
        QTRY_VERIFY_WITH_TIMEOUT(page.document() && page.document() != before &&
                                     page.document()->hasValues() &&
                                     page.document()->isShown(Role::Optimizer),
                                 10000);
        QVERIFY(page.document()->structure.pairs.size() +
                    page.document()->structure.onlyLeft.size() >
                before->structure.pairs.size() + before->structure.onlyLeft.size());
        // Off again: nothing is read, and the answer is that of before.
        QTest::mouseClick(optimizer, Qt::LeftButton, {}, {6, optimizer->height() / 2});
        QTRY_VERIFY_WITH_TIMEOUT(!page.document()->isShown(Role::Optimizer), 10000);
        QVERIFY(page.document()->hasValues());
        QCOMPARE(page.document()->changedPairs(), before->changedPairs());
        QCOMPARE(page.document()->tree.root().sums.relativeChange(),
                 before->tree.root().sums.relativeChange());
    }

    /// The map beside the rows shows where tensors differ, also those out of sight.
    void theMapGoesToTheMostChangedTensor() {
        DiffPage page;
        page.resize(1100, 420);
        page.show();
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        page.compareWith(sample("tiny-llama-a/step-200"));
        wait(page);
        auto* map = page.findChild<DifferenceMap*>();
        QTRY_VERIFY(map->isVisible() && map->itemCount() == 21);
        const auto* model = qobject_cast<DiffModel*>(page.view()->model());
        const DiffRows& rows = *model->rows();
        for (const int item : {0, 10, 20}) {
            QTest::mouseClick(map, Qt::LeftButton, {}, map->itemRect(item).center().toPoint());
            QCOMPARE(model->numberOf(page.view()->currentIndex()),
                     rows.parts[static_cast<std::size_t>(item)].most);
            QCOMPARE(map->markedPart(), item);
            QVERIFY(page.view()->visualRect(page.view()->currentIndex()).isValid());
        }
        QVERIFY(map->itemText(0).contains(QStringLiteral("relative change")));
        QTest::keyClick(map, Qt::Key_Up);
        QTest::keyClick(map, Qt::Key_Return);
        QCOMPARE(map->markedPart(), 19);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("diff-map")));
    }

    void headersSortAndColumnsFilter() {
        DiffPage page;
        page.resize(1100, 700);
        page.show();
        QSignalSpy settled(&page, &DiffPage::settled);
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        page.compareWith(sample("tiny-llama-a/step-200"));
        wait(page);
        QTRY_VERIFY(!settled.isEmpty()); // the rows have the order of the values
        RowView* view = page.view();
        const auto* model = qobject_cast<DiffModel*>(view->model());
        const auto names = [&] {
            QStringList all;
            for (int row = 0; row < model->rowCount(); ++row) {
                all << model->index(row, 0).data().toString();
            }
            return all;
        };
        const QStringList natural = names();
        QVERIFY(natural.size() > 1);
        for (int column = 0; column < DiffModel::kColumns; ++column) {
            test::clickHeader(*view, column);
            QVERIFY(settled.wait());
            QStringList sorted = names();
            test::clickHeader(*view, column);
            QVERIFY(settled.wait());
            if (column == DiffModel::Name) {
                QVERIFY(sorted.front() < sorted.back());
                std::ranges::reverse(sorted);
                QCOMPARE(names(), sorted);
            }
            test::clickHeader(*view, column);
            QVERIFY(settled.wait());
            QCOMPARE(names(), natural);
        }
        QVERIFY(!model->flags(view->model()->index(0, 0)).testFlag(Qt::ItemNeverHasChildren));

        const auto listed = [&](const char* filter) {
            page.setFilter(QString::fromUtf8(filter));
            settled.wait();
            return model->rows()->tensors;
        };
        const std::size_t all = listed("kind == changed");
        QVERIFY(all > 0);
        QCOMPARE(listed("kind == same"), std::size_t{0}); // only differences are listed
        QCOMPARE(listed("change >= 0"), all);
        const std::size_t large = listed("change > 0.01");
        const std::size_t small = listed("change <= 0.01");
        QCOMPARE(large + small, all);
        QVERIFY(listed("norm shape ~ x") < all);
        // What is wrong is said; the rows stay.
        QSignalSpy problem(&page, &DiffPage::filterProblem);
        const std::size_t before = listed("weight");
        QCOMPARE(listed("weight change >"), before);
        QVERIFY(!problem.last().front().toString().isEmpty());
        QCOMPARE(listed("weigh"), before);
        QVERIFY(problem.last().front().toString().isEmpty());
    }

    void comparesStructureAndValues() {
        DiffPage page;
        page.resize(900, 700);
        page.show();
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        page.compareWith(sample("tiny-llama-a/step-200"));
        wait(page);
        const DiffDocument& document = *page.document();
        QVERIFY(document.changedPairs() > 0);
        QVERIFY(document.layers.size() > 1);
        QTRY_VERIFY(page.view()->model()->rowCount() > 0);
        auto* model = qobject_cast<DiffModel*>(page.view()->model());
        QVERIFY(model->rowCount() > 0);
        const QAbstractItemModelTester tester(
            model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        // The largest change comes first.
        const auto change = [&](int row) {
            return model->nodeAt(model->index(row, 0))->sums.mostChanged;
        };
        for (int row = 1; row < model->rowCount(); ++row) {
            QVERIFY(change(row - 1) >= change(row));
        }
        QVERIFY(test::saveScreenshots(page, QStringLiteral("diff")));
        const QHeaderView* header = page.view()->header();
        QVERIFY(header->sectionSize(DiffModel::Right) <
                header->sectionSize(DiffModel::Left)); // "same"
        page.resize(420, 700);
        QTRY_VERIFY(header->sectionSize(DiffModel::Name) >=
                    26 * page.view()->fontMetrics().averageCharWidth());
        page.resize(900, 700);

        auto* details = page.findChild<PairDetails*>();
        details = details != nullptr ? details : page.sidePanel()->findChild<PairDetails*>();
        QSignalSpy elements(details, &PairDetails::elementsShown);
        page.goToDifference(true);
        const QModelIndex first = page.view()->currentIndex();
        QVERIFY(first.isValid());
        QVERIFY(model->nodeAt(first)->pair.has_value());
        QVERIFY(elements.wait());
        QVERIFY(texts(*details).contains(QStringLiteral("relative L2")));
        auto* map = details->findChild<HeatMapView*>();
        QTRY_VERIFY(!map->isHidden());
        QVERIFY(texts(*details).contains(QStringLiteral("[0, 0]")));
        page.sidePanel()->resize(300, 700);
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(2, map->height() - 2));
        QVERIFY(elements.wait());
        QVERIFY(!texts(*details).contains(QStringLiteral("[0, 0]")));
        page.sidePanel()->resize(300, 700);
        page.sidePanel()->show();
        QVERIFY(test::saveScreenshots(*page.sidePanel(), QStringLiteral("diff-details")));
        page.goToDifference(true);
        QVERIFY(page.view()->currentIndex() != first);
        page.goToDifference(false);
        QCOMPARE(page.view()->currentIndex(), first);
    }

    void listsChangedElementsOfBothSides() {
        const auto left = open("tiny-llama-a/step-400");
        const auto right = open("tiny-llama-a/step-200");
        const auto structure = diffStructureOf(left, right, {}, {});
        QVERIFY(structure.has_value());
        const auto changed = readChanged(*structure, 0, 0, 5, {});
        QVERIFY(changed.has_value());
        QCOMPARE(changed->size(), std::size_t{5});
        for (const ChangedElement& element : *changed) {
            QVERIFY(element.left != element.right);
            QVERIFY(element.where.startsWith(QLatin1Char('[')));
        }
        const auto next = readChanged(*structure, 0, changed->back().position + 1, 1, {});
        QVERIFY(next.has_value() && next->front().position > changed->back().position);
    }

    void filtersAndShowsAll() {
        const auto document =
            diffStructureOf(open("tiny-llama-a/step-400"), open("tiny-llama-a/step-400"), {}, {});
        QVERIFY(document.has_value());
        const auto whole = diffValuesOf(*document, {}, "auto",
                                        std::make_shared<std::atomic<std::uint64_t>>(0), {});
        QVERIFY(whole.has_value());
        QCOMPARE((*whole)->changedPairs(), std::uint64_t{0});
        const auto nowhere = diffValuesOf(*document, {}, "cuda:77",
                                          std::make_shared<std::atomic<std::uint64_t>>(0), {});
        QVERIFY(!nowhere.has_value()); // never silently on another device
        const auto none = DiffRows::make(*whole, {QString(), true, {}}, {});
        QCOMPARE((*none)->tensors, std::size_t{0});
        const auto all = DiffRows::make(*whole, {QString(), false, {}}, {});
        QCOMPARE((*all)->tensors, (*whole)->structure.pairs.size());
        const auto some = DiffRows::make(*whole, {QStringLiteral("proj layers.1"), false, {}}, {});
        QVERIFY((*some)->tensors > 0 && (*some)->tensors < (*all)->tensors);
        DiffModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(*some);
        QVERIFY(!model.nextDifference({}, true).isValid());
    }

    void comparesAcrossFormats() {
        DiffPage page;
        page.resize(900, 700);
        page.show();
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        page.compareWith(sample("hf-export"));
        QTRY_VERIFY_WITH_TIMEOUT(page.document() != nullptr, 10000);
        QVERIFY(!page.document()->structure.pairs.empty());
        QVERIFY(!page.document()->isShown(Role::Optimizer)); // which only one side has
        wait(page);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("diff-formats")));
    }

    void answersInOneSentence() {
        DiffPage page;
        page.show();
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        QCOMPARE(page.answer(), QString());
        page.compareWith(sample("tiny-llama-a/step-200"));
        wait(page);
        QTRY_COMPARE(page.answer(), QStringLiteral("21 weights changed, most in lm_head"));
        // A copy, and one with another tensor.
        const QTemporaryDir folder;
        const std::filesystem::path copy = folder.path().toStdString() + "/copy";
        std::filesystem::copy(sample("hf-export"), copy, std::filesystem::copy_options::recursive);
        page.showCheckpoint(open("hf-export"));
        page.compareWith(copy);
        wait(page);
        QTRY_COMPARE(page.answer(), QStringLiteral("Identical: 21 weights, bit for bit"));
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        page.compareWith(sample("tiny-llama-a/step-400"));
        wait(page);
        QTRY_COMPARE(page.answer(), QStringLiteral("Identical: 21 weights, bit for bit"));
    }

    void appliesTheEqualityCriterion() {
        const auto structure =
            diffStructureOf(open("tiny-llama-a/step-400"), open("hf-export"), {}, {});
        QVERIFY(structure.has_value());
        QVERIFY((*structure)->hasOtherDtypes()); // float32 against bfloat16
        const auto progress = std::make_shared<std::atomic<std::uint64_t>>(0);
        const auto differing = [&](const Equality& equality) -> std::size_t {
            const auto whole = diffValuesOf(*structure, {equality.rtol, 0}, "cpu", progress, {});
            const auto rows = DiffRows::make(*whole, {QString(), true, equality}, {});
            const DiffSums& sums = (*whole)->tree.root().sums;
            return (*rows)->differing - sums.onlyLeft - sums.onlyRight;
        };
        QCOMPARE(differing({}), (*structure)->structure.pairs.size());
        QCOMPARE(differing({Equality::Kind::AfterCast, 0}), std::size_t{0});
        QCOMPARE(differing({Equality::Kind::Within, 1e-2}), std::size_t{0});
        QVERIFY(differing({Equality::Kind::Within, 1e-5}) > 0);
    }

    void appliesRenameRules() {
        DiffPage page;
        page.resize(900, 700);
        page.show();
        page.showCheckpoint(test::makeTransformer(2));
        page.compareWith(sample("hf-export"));
        QTRY_VERIFY_WITH_TIMEOUT(page.document() != nullptr, 10000);
        const std::size_t before = page.document()->structure.pairs.size();
        auto* field = page.findChild<QLineEdit*>();
        QVERIFY(field->isVisible());
        field->setText(QStringLiteral("no rule"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(page.document()->structure.pairs.size(), before);
        const DiffDocument& found = *page.document();
        const auto& left = found.left.checkpoint->tensor(found.structure.onlyLeft.front()).name;
        const auto& right = found.right.checkpoint->tensor(found.structure.onlyRight.front()).name;
        field->setText(QString::fromStdString(left + "=" + right));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(page.document()->structure.pairs.size(), before + 1, 10000);
        const StructureDiff& structure = page.document()->structure;
        QVERIFY(std::any_of(structure.pairs.begin(), structure.pairs.end(),
                            [](const TensorPair& pair) { return pair.renamed; }));
    }

    void readsNothingWhileHidden() {
        DiffPage page;
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        page.compareWith(sample("tiny-llama-a/step-200"));
        wait(page);
        page.showCheckpoint(open("tiny-llama-a/step-100"));
        QTest::qWait(50);
        QVERIFY(page.document() == nullptr);
        page.show();
        wait(page);
        QCOMPARE(page.document()->left.checkpoint->path().filename().string(), "step-100");
        QCOMPARE(page.document()->right.checkpoint->path().filename().string(), "step-200");
    }

    void comparesPlainValues() {
        const auto document =
            diffStructureOf(open("tiny-llama-a/step-400"), open("tiny-llama-a/step-200"), {}, {});
        QVERIFY(document.has_value());
        PlainValuesModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(*document);
        QVERIFY(model.rowCount() > 0);
        QVERIFY(model.index(0, 1).data().toString() != model.index(0, 2).data().toString());
    }

    void reportsWhatCannotBeCompared() {
        DiffPage page;
        page.resize(800, 500);
        page.show();
        page.showCheckpoint(open("tiny-llama-a/step-400"));
        QSignalSpy settled(&page, &DiffPage::settled);
        page.compareWith(sample("README.md"));
        QVERIFY(settled.wait());
        const auto* notice = page.findChild<NoticePane*>();
        QVERIFY(notice->isVisible());
        QCOMPARE(notice->headline(), QStringLiteral("The checkpoints cannot be compared"));
        page.compareWith(sample("tiny-llama-a/step-300")); // a shard is missing
        wait(page);
        QVERIFY(page.document()->tree.root().sums.unread > 0);
        QVERIFY(test::saveScreenshots(page, QStringLiteral("diff-broken")));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::DiffPageTest)
#include "diff_page_test.moc"
