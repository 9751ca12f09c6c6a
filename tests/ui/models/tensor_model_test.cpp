// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/support/synthetic_checkpoint.h"
#include "ui/models/row_roles.h"
#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_model.h"
#include "ui/models/tensor_name.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QScrollBar>
#include <QTest>
#include <QTreeView>

#include <random>

namespace cairn::ui {
namespace {

TensorTablePtr tableOf(const CheckpointPtr& checkpoint) {
    return TensorTable::make(checkpoint, {}).value();
}

TensorArrangementPtr arranged(const TensorTablePtr& table, const ArrangementRequest& request) {
    return TensorArrangement::make(table, request, {}).value();
}

/// Lines such as "embed.weight [2 tensors]", indented by two spaces for each level.
QStringList printed(const TensorModel& model, const QModelIndex& parent = {}, int level = 0) {
    QStringList lines;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QVariant count = index.data(RowRoles::Count);
        lines << QString(2 * level, QLatin1Char(' ')) + index.data().toString() +
                     (count.isValid() ? QStringLiteral(" (%1)").arg(count.toString()) : QString());
        lines << printed(model, index, level + 1);
    }
    return lines;
}

TensorTablePtr tableOfNames(const std::vector<std::string>& names) {
    test::CheckpointMaker maker;
    const FileIndex shard = maker.addShard("shard");
    std::int64_t length = 1;
    for (const std::string& name : names) {
        maker.addTensor(name, Dtype::Uint8, {length++}, {shard});
    }
    return tableOf(maker.make());
}

QStringList names(const TensorModel& model) {
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row) {
        all << model.index(row, 0).data(RowRoles::FullName).toString();
    }
    return all;
}

std::size_t matches(const TensorTablePtr& table, const char* text) {
    return filterTensors(*table, QString::fromUtf8(text), {}).value().size();
}

} // namespace

class TensorModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void splitsNamesIntoPathAndLeaf() {
        const NameParts weight = splitName("model.layers.14.self_attn.q_proj.weight");
        QCOMPARE(std::string(weight.leaf), std::string("q_proj.weight"));
        QCOMPARE(std::string(weight.path), std::string("model.layers.14.self_attn"));
        QCOMPARE(std::string(splitName("optimizer.state.0.exp_avg").leaf),
                 std::string("state.0.exp_avg"));
        QCOMPARE(std::string(splitName("weight").leaf), std::string("weight"));
        QCOMPARE(std::string(splitName("bias").path), std::string());
        QCOMPARE(std::string(splitName("").leaf), std::string());
    }

    void treeIsNaturalFoldedAndCounted() {
        TensorModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(arranged(tableOfNames({"net.layers.10.w", "net.layers.2.w", "net.layers.2.b",
                                          "net.head.weight", "step"}),
                            {}));
        QCOMPARE(printed(model),
                 QStringList({QStringLiteral("net (4)"), QStringLiteral("  head.weight"),
                              QStringLiteral("  layers (3)"), QStringLiteral("    2 (2)"),
                              QStringLiteral("      b"), QStringLiteral("      w"),
                              QStringLiteral("    10.w"), QStringLiteral("step")}));
        model.show(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    /// Names of any length and content have the order of their whole keys.
    void longNamesAreInNaturalOrder() {
        std::vector<std::string> all;
        std::uint32_t random = 1;
        for (int i = 0; i < 3000; ++i) {
            std::string name;
            for (std::uint32_t part = 0; part < 2 + random % 5; ++part) {
                random = random * 1664525U + 1013904223U;
                name += (part > 0 ? "." : "") + std::string("blocks_and_more") +
                        std::to_string((random >> 16U) % 40);
            }
            all.push_back(name + std::string(random % 3, '\0'));
        }
        const TensorTablePtr table = tableOfNames(all);
        for (std::size_t rank = 1; rank < table->size(); ++rank) {
            const std::uint32_t before = table->naturalOrder()[rank - 1];
            const std::uint32_t here = table->naturalOrder()[rank];
            const int sign = naturalKey(table->name(before)).compare(naturalKey(table->name(here)));
            QVERIFY(sign < 0 || (sign == 0 && before < here));
        }
    }

    void namesThatArePrefixesOfOthersKeepTheirRow() {
        TensorModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(
            arranged(tableOfNames({"a", "a.b", "a.b.c", "a-1", "..", ".x", "x.", "a..b", ""}), {}));
        int tensors = 0;
        for (const auto& node : model.arrangement()->nodes()) {
            tensors += node.tensor != TensorArrangement::kNone ? 1 : 0;
        }
        QCOMPARE(tensors, 9);
        QVERIFY(printed(model).contains(QStringLiteral("a-1")));
    }

    void aFilteredTreeIsTheTreeOfItsTensors() {
        std::vector<std::string> all;
        std::mt19937 random(7);
        const auto next = [&random](std::uint32_t below) {
            return static_cast<std::uint32_t>(random()) % below;
        };
        for (int i = 0; i < 2000; ++i) {
            std::string name = "m";
            for (std::uint32_t part = next(6); part > 0; --part) {
                name += "." + std::string(1, static_cast<char>('a' + next(4))) +
                        std::to_string(next(3));
            }
            all.push_back(name + "." + std::to_string(i));
        }
        const TensorTablePtr table = tableOfNames(all);
        TensorArrangementPtr shown = arranged(table, {});
        for (const char* typed :
             {"a1", "a1.b", "a1.b2", "", "c0.c0", ".17", ".177", "", "d2.d2"}) {
            ArrangementRequest request;
            request.filter = QString::fromUtf8(typed);
            shown = TensorArrangement::make(table, request, {}, shown).value();
            const TensorArrangementPtr fresh = arranged(table, request);
            QVERIFY(typed[0] == '\0' || fresh->tensorCount() < table->size());
            QVERIFY(fresh->tensorCount() > 0);
            QCOMPARE(shown->topLevelCount(), fresh->topLevelCount());
            QCOMPARE(shown->bytes(), fresh->bytes());
            QCOMPARE(shown->nodes().size(), fresh->nodes().size());
            for (std::size_t i = 0; i < fresh->nodes().size(); ++i) {
                const auto& a = shown->nodes()[i];
                const auto& b = fresh->nodes()[i];
                QVERIFY2(a.parent == b.parent && a.firstChild == b.firstChild &&
                             a.childCount == b.childCount && a.row == b.row &&
                             a.tensor == b.tensor && a.nameOf == b.nameOf &&
                             a.labelBegin == b.labelBegin && a.labelEnd == b.labelEnd &&
                             a.tensors == b.tensors && a.pieces == b.pieces && a.bytes == b.bytes &&
                             a.dtype == b.dtype && a.role == b.role && a.incomplete == b.incomplete,
                         qPrintable(QStringLiteral("%1, row %2").arg(request.filter).arg(i)));
            }
        }
    }

    void veryDeepNamesStayBounded() {
        std::string deep = "a";
        std::vector<std::string> all{deep};
        for (int i = 0; i < 1000; ++i) {
            deep += ".a";
            all.push_back(deep);
        }
        TensorModel model;
        model.show(arranged(tableOfNames(all), {}));
        int depth = 0;
        QModelIndex index = model.indexOf(TensorIndex(1000));
        QVERIFY(index.isValid());
        for (; index.isValid(); index = index.parent()) {
            ++depth;
        }
        QVERIFY2(depth <= 258, qPrintable(QString::number(depth)));
    }

    void sumsRollUp() {
        TensorModel model;
        model.show(arranged(tableOf(test::makeTransformer(2)), {}));
        const auto& nodes = model.arrangement()->nodes();
        std::uint64_t top = 0;
        for (std::uint32_t i = 0; i < model.arrangement()->topLevelCount(); ++i) {
            top += nodes[i].bytes;
        }
        QCOMPARE(top, totals(*model.arrangement()->table().checkpoint()).bytes);
        QCOMPARE(model.arrangement()->bytes(), top);
    }

    void flatListSortsByEveryColumn() {
        TensorModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const TensorTablePtr table = tableOf(test::makeTransformer(11));
        for (int column = 0; column < kTensorColumns; ++column) {
            for (const bool descending : {false, true}) {
                model.show(
                    arranged(table, {false, {}, static_cast<TensorColumn>(column), descending}));
                QCOMPARE(static_cast<std::size_t>(model.rowCount()), table->size());
            }
        }
        model.show(
            arranged(table, {false, QStringLiteral("model.layers"), TensorColumn::Name, false}));
        const QStringList all = names(model);
        QVERIFY(all.indexOf(QStringLiteral("model.layers.2.mlp.up_proj.weight")) <
                all.indexOf(QStringLiteral("model.layers.10.mlp.up_proj.weight")));
        model.show(arranged(table, {false, {}, TensorColumn::Bytes, true}));
        std::uint64_t last = ~std::uint64_t{0};
        for (const auto& node : model.arrangement()->nodes()) {
            QVERIFY(node.bytes <= last);
            last = node.bytes;
        }
        model.show(
            arranged(table, {false, QStringLiteral("role:weight"), TensorColumn::Name, false}));
        const QModelIndex first = model.index(0, 0);
        QCOMPARE(first.data().toString(), QStringLiteral("model.embed_tokens.weight"));
        QCOMPARE(first.data(RowRoles::DimPrefix).toInt(), 6); // "model."
    }

    /// Sorting the rows that are shown gives what sorting from the start gives.
    void sortsWhatIsShown() {
        const TensorTablePtr table = tableOf(test::makeTransformer(11));
        for (const bool tree : {false, true}) {
            for (const char* filter : {"", "layers.1"}) {
                ArrangementRequest request{tree, QString::fromUtf8(filter), {}, false};
                TensorArrangementPtr shown = arranged(table, request);
                for (int column = kTensorColumns; column-- > 0;) {
                    for (const bool descending : {true, false}) {
                        request.sortColumn = static_cast<TensorColumn>(column);
                        request.descending = descending;
                        shown = TensorArrangement::make(table, request, {}, shown).value();
                        TensorModel model;
                        const QAbstractItemModelTester tester(
                            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
                        model.show(shown);
                        TensorModel fresh;
                        fresh.show(arranged(table, request));
                        QCOMPARE(printed(model), printed(fresh));
                        QCOMPARE(shown->tensorCount(), fresh.arrangement()->tensorCount());
                        QCOMPARE(shown->bytes(), fresh.arrangement()->bytes());
                        QCOMPARE(model.indexOf(TensorIndex(5)).row(),
                                 fresh.indexOf(TensorIndex(5)).row());
                    }
                }
            }
        }
    }

    /// Equal rows keep their natural order in both directions.
    void sortingIsStable() {
        TensorModel model;
        const TensorTablePtr table = tableOf(test::makeTransformer(11));
        std::vector<std::size_t> rank(table->size());
        for (std::size_t i = 0; i < rank.size(); ++i) {
            rank[table->naturalOrder()[i]] = i;
        }
        for (int column = 1; column < kTensorColumns; ++column) {
            for (const bool descending : {false, true}) {
                model.show(
                    arranged(table, {false, {}, static_cast<TensorColumn>(column), descending}));
                for (int row = 1; row < model.rowCount(); ++row) {
                    const QModelIndex here = model.index(row, column);
                    const QModelIndex before = model.index(row - 1, column);
                    if (here.data() == before.data() &&
                        here.data(Qt::ToolTipRole) == before.data(Qt::ToolTipRole)) {
                        QVERIFY(rank[here.data(RowRoles::Tensor).toUInt()] >
                                rank[before.data(RowRoles::Tensor).toUInt()]);
                    }
                }
            }
        }
    }

    void filtersByWordsGlobsAndExpressions() {
        const TensorTablePtr table = tableOf(test::makeTransformer(12));
        QCOMPARE(matches(table, ""), table->size());
        QCOMPARE(matches(table, "Q_PROJ"), std::size_t{36});
        QCOMPARE(matches(table, "q_proj exp_avg_sq"), std::size_t{12});
        QCOMPARE(matches(table, "q_proj -optimizer"), std::size_t{12});
        QCOMPARE(matches(table, "layers.*.q_proj.weight"), std::size_t{12});
        QCOMPARE(matches(table, "{q,k}_proj.weight"), std::size_t{24});
        QCOMPARE(matches(table, "layers.1?.mlp.*"), std::size_t{2 * 2 * 3});
        QCOMPARE(matches(table, "q_proj role:weight"), std::size_t{12});
        QCOMPARE(matches(table, "q_proj role:weight,optimizer"), std::size_t{36});
        QCOMPARE(matches(table, "q_proj role:buffer,scheduler"), std::size_t{0});
        QCOMPARE(matches(table, "dtype:bf16"), std::size_t{1 + 12 * 7});
        QCOMPARE(matches(table, "/layers\\.(1|3)\\.mlp/"), std::size_t{2 * 2 * 3});
        QCOMPARE(matches(table, "/norm"), std::size_t{12 * 3 + 1});
        QCOMPARE(matches(table, "nothing like it"), std::size_t{0});
        for (const char* text : {"/(/", "size >", "stride > 1", "(a or b"}) {
            const auto wrong = filterTensors(*table, QString::fromUtf8(text), {});
            QVERIFY2(!wrong && wrong.error().code == ErrorCode::InvalidArgument, text);
        }
    }

    void filtersByColumns() {
        const TensorTablePtr table = tableOf(test::makeTransformer(12));
        QCOMPARE(matches(table, "dtype == bf16"), std::size_t{1 + 12 * 7});
        QCOMPARE(matches(table, "role == optimizer and exp_avg_sq"), std::size_t{1 + 12 * 7});
        QCOMPARE(matches(table, "shape ~ 160"), std::size_t{3 * 12 * 2});
        QCOMPARE(matches(table, "shape == 160x64 dtype == fp32"), std::size_t{2 * 12});
        QCOMPARE(matches(table, "rank == 2 -layers role:weight,other"), std::size_t{2});
        QCOMPARE(matches(table, "size > 60 KB"), std::size_t{2});
        QCOMPARE(matches(table, "elements <= 1"), std::size_t{1});
        QCOMPARE(matches(table, "shards == 1"), std::size_t{2});
        QCOMPARE(matches(table, "pieces >= 4 norm.weight"), std::size_t{12 * 3 + 1});
        QCOMPARE(matches(table, "q_proj or (k_proj dtype == bf16)"), std::size_t{36 + 12});
    }

    /// A longer filter searches only what the shorter one left, with the same result.
    void typingOnNarrowsTheLastResult() {
        const TensorTablePtr table = tableOf(test::makeTransformer(12));
        TensorArrangementPtr shown;
        const QString typed = QStringLiteral("layers.1 down_proj an");
        for (qsizetype length = 1; length <= typed.size(); ++length) {
            ArrangementRequest request;
            request.filter = typed.first(length);
            const auto next = TensorArrangement::make(table, request, {}, shown);
            QVERIFY(next);
            shown = *next;
            QCOMPARE(shown->tensorCount(), arranged(table, request)->tensorCount());
        }
        QVERIFY(filterNarrows(QStringLiteral("q_proj.w"), QStringLiteral("q_proj")));
        QVERIFY(!filterNarrows(QStringLiteral("x and y"), QStringLiteral("x an")));
        QVERIFY(!filterNarrows(QStringLiteral("/ab/"), QStringLiteral("/a")));
    }

    void filteredTreesFold() {
        TensorModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.show(arranged(tableOf(test::makeTransformer(2)),
                            {true, QStringLiteral("layers.*.q_proj.weight")}));
        QCOMPARE(printed(model), QStringList({QStringLiteral("model.layers (2)"),
                                              QStringLiteral("  0.self_attn.q_proj.weight"),
                                              QStringLiteral("  1.self_attn.q_proj.weight")}));
        QVERIFY(!model.indexOf(TensorIndex(0)).isValid());
    }

    void stopsWhenCancelled() {
        const CancelToken cancel;
        cancel.cancel();
        const TensorTablePtr table = tableOf(test::makeTransformer(2));
        QVERIFY(!TensorTable::make(table->checkpoint(), cancel));
        QVERIFY(!filterTensors(*table, QStringLiteral("/x/"), cancel));
        QVERIFY(!TensorArrangement::make(table, {}, cancel));
    }

    void accessibleTextIsNeverRichText() {
        test::CheckpointMaker maker;
        const FileIndex shard = maker.addShard("<img src='/etc/passwd'>");
        maker.addTensor("<b>bold</b>\n\x1b[31m.weight", Dtype::Bfloat16, {4096, 16}, {shard});
        TensorModel model;
        model.show(arranged(tableOf(maker.make()), {}));
        const QModelIndex index = model.index(0, 0);
        QVERIFY(!index.data().toString().contains(QLatin1Char('\x1b')));
        QVERIFY(index.data(Qt::ToolTipRole).toString().contains(QStringLiteral("&lt;b&gt;")));
        const QModelIndex shards = index.siblingAtColumn(static_cast<int>(TensorColumn::Shards));
        QVERIFY(!shards.data(Qt::ToolTipRole).toString().contains(QStringLiteral("<img")));
        QVERIFY(
            index.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("4096 by 16")));
        QVERIFY(index.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("bfloat16")));
    }

    void describesMissingShards() {
        TensorModel model;
        model.show(
            arranged(tableOf(test::makeTransformer(2, true)), {false, QStringLiteral("embed")}));
        const QModelIndex shards = model.index(0, static_cast<int>(TensorColumn::Shards));
        QCOMPARE(shards.data().toString(), QStringLiteral("1 of 4 missing"));
        QVERIFY(shards.data(RowRoles::Warning).toBool());
    }

    /// Prints times; asserts only what must hold on every machine.
    void threeHundredThousand() {
        QElapsedTimer clock;
        const auto report = [&clock](const char* what) {
            qInfo("  %-34s %6.1f ms", what, static_cast<double>(clock.nsecsElapsed()) / 1e6);
            clock.start();
        };
        const CheckpointPtr checkpoint = test::makeEnormous(300'000);
        clock.start();
        const TensorTablePtr table = tableOf(checkpoint);
        report("index (worker)");
        const TensorArrangementPtr tree = arranged(table, {});
        report("tree (worker)");
        const TensorArrangementPtr flat = arranged(table, {false, {}, TensorColumn::Bytes, true});
        report("flat by size (worker)");
        const TensorArrangementPtr some =
            arranged(table, {true, QStringLiteral("layers.3 down_proj")});
        report("filter two words (worker)");
        {
            TensorModel model;
            QTreeView view;
            view.setUniformRowHeights(true);
            view.setModel(&model);
            view.resize(900, 700);
            view.show();
            clock.start();
            model.show(tree);
            view.grab();
            report("show tree (GUI)");
            view.expandAll();
            report("expand all (GUI)");
            view.verticalScrollBar()->setValue(view.verticalScrollBar()->maximum() / 2);
            view.grab();
            report("scroll to the middle (GUI)");
            view.scrollTo(model.indexOf(TensorIndex(299'999)));
            view.grab();
            report("reveal the last tensor (GUI)");
            model.show(some);
            view.expandAll();
            view.grab();
            report("publish a filter, expand (GUI)");
            model.show(flat);
            view.grab();
            report("publish the flat list (GUI)");
            model.show(tree);
            view.expandAll();
            clock.start();
        }
        report("close, all expanded (GUI)");
        QCOMPARE(tree->tensorCount(), std::uint64_t{300'000});
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::TensorModelTest)
#include "tensor_model_test.moc"
