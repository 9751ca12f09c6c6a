// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/models/row_roles.h"
#include "ui/models/value_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QTest>
#include <QTreeView>

#include <cmath>
#include <limits>

namespace cairn::ui {
namespace {

QString cell(const ValueModel& model, const QModelIndex& index, int column) {
    return model.data(index.siblingAtColumn(column), Qt::DisplayRole).toString();
}

QModelIndex at(const ValueModel& model, const QStringList& keys) {
    QModelIndex index;
    for (const QString& key : keys) {
        const QModelIndexList found = model.match(model.index(0, 0, index), Qt::DisplayRole, key, 1,
                                                  Qt::MatchExactly | Qt::MatchCaseSensitive);
        if (found.isEmpty()) {
            return {};
        }
        index = found.front();
    }
    return index;
}

/// Every level refers to the one below twice: 2^depth paths over `depth` nodes.
Value memoBomb(int depth) {
    Value value = Value::dict({{"leaf", "needle"}});
    for (int i = 0; i < depth; ++i) {
        value = Value::dict({{"a", value}, {"b", value}});
    }
    return value;
}

} // namespace

class ValueModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void formatsValues() {
        const CheckpointPtr checkpoint = test::makeTransformer(2);
        ValueModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(checkpoint, checkpoint->values().value());
        const QModelIndex args = at(model, {QStringLiteral("args")});
        QCOMPARE(cell(model, args, ValueModel::Type), QStringLiteral("argparse.Namespace"));
        QCOMPARE(cell(model, args, ValueModel::Content), QStringLiteral("8 items"));
        const QModelIndex lr = at(model, {QStringLiteral("args"), QStringLiteral("lr")});
        QCOMPARE(cell(model, lr, ValueModel::Content), QStringLiteral("2e-05"));
        QCOMPARE(model.pathAt(lr), QStringLiteral("args.lr"));
        QCOMPARE(model.pythonAt(lr), QStringLiteral("[\"args\"].lr"));
        const QModelIndex betas = at(model, {QStringLiteral("args"), QStringLiteral("betas")});
        QCOMPARE(cell(model, betas, ValueModel::Content), QStringLiteral("[0.9, 0.95]"));
        QCOMPARE(model.pythonAt(model.index(1, 0, betas)), QStringLiteral("[\"args\"].betas[1]"));
        const QModelIndex rng = at(model, {QStringLiteral("rng_state")});
        QCOMPARE(cell(model, rng, ValueModel::Type), QStringLiteral("bytes"));
        QVERIFY(cell(model, rng, ValueModel::Content).endsWith(QStringLiteral("kB")));
        const QModelIndex nan = at(model, {QStringLiteral("history"), QStringLiteral("diverged")});
        QCOMPARE(cell(model, nan, ValueModel::Content), QStringLiteral("nan"));
        const QModelIndex big = at(model, {QStringLiteral("tokens_seen")});
        QCOMPARE(cell(model, big, ValueModel::Content),
                 QStringLiteral("123456789012345678901234567890"));
    }

    void fullPrecisionIsInTheToolTip() {
        ValueModel model;
        model.show(nullptr, Value::dict({{"x", 1.0 / 3.0}}));
        QCOMPARE(cell(model, model.index(0, 0), ValueModel::Content), QStringLiteral("0.333333"));
        QCOMPARE(model.fullValueAt(model.index(0, 0)), QStringLiteral("0.3333333333333333"));
    }

    void tensorsAreReferences() {
        const CheckpointPtr checkpoint = test::makeTransformer(2);
        ValueModel model;
        model.show(checkpoint, checkpoint->values().value());
        const QModelIndex tensor = at(model, {QStringLiteral("model"), QStringLiteral("tensor_0")});
        QCOMPARE(cell(model, tensor, ValueModel::Content), QStringLiteral("bfloat16 [256, 64]"));
        QVERIFY(model.tensorAt(tensor) == TensorIndex(0));
        model.show(checkpoint, Value::list({TensorIndex(999999)}));
        QVERIFY(!model.tensorAt(model.index(0, 0)));
        QCOMPARE(cell(model, model.index(0, 0), ValueModel::Content), QStringLiteral("tensor"));
    }

    void tensorsComeLastAndAreFoldedAtTheTop() {
        const CheckpointPtr checkpoint = test::makeTransformer(2);
        std::vector<ValueItem> items;
        for (std::uint32_t i = 0; i < 6; ++i) {
            items.push_back({"weight_" + std::to_string(i), TensorIndex(i)});
        }
        items.push_back(
            {"optimizer", Value::dict({{"exp_avg", TensorIndex(6)}, {"lr", 2e-5}, {"step", 4.0}})});
        items.push_back({"mixed", Value::list({TensorIndex(7), Value(std::int64_t{1})})});
        items.push_back({"loss", 1.5});
        const Value root = Value::dict(std::move(items));
        ValueModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(checkpoint, root);
        const auto keys = [&](const QModelIndex& parent) {
            QStringList list;
            for (int row = 0; row < model.rowCount(parent); ++row) {
                list << model.index(row, 0, parent).data().toString();
            }
            return list.join(QLatin1Char(' '));
        };
        QCOMPARE(keys({}), QStringLiteral("optimizer mixed loss tensors (6)"));
        QCOMPARE(keys(model.index(0, 0)), QStringLiteral("lr step exp_avg"));
        QCOMPARE(keys(model.index(1, 0)), QStringLiteral("0 1")); // a list keeps its order
        const QModelIndex fold = model.index(3, 0);
        QVERIFY(model.isTensorFold(fold) && !model.isTensorFold(model.index(0, 0)));
        QCOMPARE(model.rowCount(fold), 6);
        const QModelIndex weight = model.index(4, 0, fold);
        QVERIFY(model.tensorAt(weight) == TensorIndex(4));
        QCOMPARE(model.pathAt(weight), QStringLiteral("weight_4"));
        QCOMPARE(model.pythonAt(weight), QStringLiteral("[\"weight_4\"]"));

        model.showMatches(findValues(root, checkpoint, QStringLiteral("weight_4"), {}).value());
        QCOMPARE(keys({}), QStringLiteral("weight_4"));
        const ValueMatchesPtr wide = findValues(root, checkpoint, QStringLiteral("s"), {}).value();
        model.showMatches(wide);
        for (std::size_t i = 0; i < wide->entries.size(); ++i) { // the rows are in numeric order
            const QModelIndex index = model.indexOfMatch(static_cast<std::uint32_t>(i + 1));
            QCOMPARE(model.index(index.row(), 0, index.parent()), index);
        }
        model.show(checkpoint, Value::dict({{"weight", TensorIndex(0)}, {"loss", 1.5}}));
        QCOMPARE(keys({}), QStringLiteral("loss weight")); // too few to fold
    }

    void manyTensorsAreFoldedInRanges() {
        std::vector<ValueItem> items{{"epoch", std::int64_t{3}}};
        for (std::uint32_t i = 0; i < 2500; ++i) {
            items.push_back({std::to_string(i), TensorIndex(i)});
        }
        ValueModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(nullptr, Value::dict(items));
        QCOMPARE(model.rowCount(), 2);
        const QModelIndex fold = model.index(1, 0);
        QCOMPARE(model.rowCount(fold), 3);
        const QModelIndex last = model.index(2, 0, fold);
        QCOMPARE(last.data().toString(), QStringLiteral("2000 … 2499"));
        QCOMPARE(model.pathAt(model.index(7, 0, last)), QStringLiteral("2007"));
        items.erase(items.begin());
        model.show(nullptr, Value::dict(std::move(items)));
        QCOMPARE(model.rowCount(), 3); // only tensors: no fold, only ranges
        QVERIFY(!model.isTensorFold(model.index(0, 0)));
    }

    void longListsAreCutIntoRanges() {
        std::vector<Value> items;
        for (std::int64_t i = 0; i < 2500; ++i) {
            items.emplace_back(i);
        }
        ValueModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(nullptr, Value::dict({{"list", Value::list(std::move(items))}}));
        const QModelIndex list = model.index(0, 0);
        QCOMPARE(model.rowCount(list), 3);
        const QModelIndex last = model.index(2, 0, list);
        QCOMPARE(last.data().toString(), QStringLiteral("2000 … 2499"));
        QCOMPARE(model.rowCount(last), 500);
        const QModelIndex item = model.index(7, 0, last);
        QCOMPARE(model.pathAt(item), QStringLiteral("list.2007"));
        QCOMPARE(cell(model, item, ValueModel::Content), QStringLiteral("2007"));
    }

    void aMillionItemsOpenAtOnce() {
        std::vector<Value> items(1'000'001, Value(std::int64_t{7}));
        ValueModel model;
        model.show(nullptr, Value::list(std::move(items)));
        QElapsedTimer clock;
        clock.start();
        QTreeView view;
        view.setUniformRowHeights(true);
        view.setModel(&model);
        view.expand(model.index(0, 0));
        QVERIFY(!view.grab().isNull());
        qInfo("  1,000,001 items, first range open: %.1f ms",
              static_cast<double>(clock.nsecsElapsed()) / 1e6);
        QCOMPARE(model.rowCount(), 2);
    }

    void searchKeepsTheParentsOfMatches() {
        const CheckpointPtr checkpoint = test::makeTransformer(2);
        const Value root = checkpoint->values().value();
        ValueModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(checkpoint, root);
        const ValueMatchesPtr matches =
            findValues(root, checkpoint, QStringLiteral("ARGS lr"), {}).value();
        model.showMatches(matches);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.rowCount(model.index(0, 0)), 1);
        QCOMPARE(model.pathAt(model.index(0, 0, model.index(0, 0))), QStringLiteral("args.lr"));
        QVERIFY(model.index(0, 0, model.index(0, 0)).data(RowRoles::Match).toBool());
        model.showMatches(findValues(root, checkpoint, QStringLiteral("openhermes"), {}).value());
        QCOMPARE(model.pathAt(model.index(0, 0, model.index(0, 0))),
                 QStringLiteral("args.dataset"));
        model.showMatches(
            findValues(root, checkpoint, QStringLiteral("no such thing"), {}).value());
        QCOMPARE(model.rowCount(), 0);
        model.showMatches(nullptr);
        QVERIFY(model.rowCount() > 5);
    }

    void sharedNodesAreCreatedOnDemand() {
        const Value bomb = memoBomb(200);
        ValueModel model;
        model.show(nullptr, bomb);
        QModelIndex index;
        for (int i = 0; i < 200; ++i) {
            index = model.index(1, 0, index);
        }
        QCOMPARE(model.index(0, 0, index).data().toString(), QStringLiteral("leaf"));
        // Visiting each of 2^200 paths would never end.
        QCOMPARE(findValues(bomb, nullptr, QStringLiteral("absent"), {}).value()->matches,
                 std::size_t{0});
        QCOMPARE(findValues(bomb, nullptr, QStringLiteral("a absent"), {}).value()->matches,
                 std::size_t{0});
        const ValueMatchesPtr many =
            findValues(bomb, nullptr, QStringLiteral("needle"), {}).value();
        QVERIFY(many->more && many->matches == ValueMatches::kMaxMatches);
        model.showMatches(many);
        QVERIFY(model.rowCount() > 0);
    }

    void emptyValuesHaveNoRows() {
        ValueModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(nullptr, Value());
        QCOMPARE(model.rowCount(), 0);
        model.show(nullptr, Value(std::int64_t{3}));
        QCOMPARE(model.rowCount(), 0);
    }

    void quotesPythonText() {
        QCOMPARE(words::pythonString("a\"b\\c\n"), QStringLiteral("\"a\\\"b\\\\c\\u000a\""));
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::ValueModelTest)
#include "value_model_test.moc"
