// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/ordered_table.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_sort.h"
#include "ui/models/row_text.h"
#include "ui/text/plain_text.h"

#include <QAbstractItemModelTester>
#include <QFile>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>

#include <limits>

namespace cairn::ui {
namespace {

class Letters : public OrderedTable {
public:
    explicit Letters(QStringList cells) : m_cells(std::move(cells)) {}
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_cells.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : 1;
    }
    QVariant data(const QModelIndex& index, int role) const override {
        const QString& cell = m_cells[static_cast<qsizetype>(storedRow(index.row()))];
        return role == Qt::DisplayRole                          ? QVariant(cell)
               : role == RowRoles::SortValue && !cell.isEmpty() ? QVariant(cell)
                                                                : QVariant();
    }

private:
    QStringList m_cells;
};

/// A row with numbers that are written when they are asked for, and one that the model keeps.
class Numbers : public QAbstractTableModel {
public:
    int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1; }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : 6;
    }
    QVariant data(const QModelIndex& index, int role) const override {
        if (role == RowRoles::CopyText && index.column() == 4) {
            return QStringLiteral("0.5 %");
        }
        if (role != Qt::DisplayRole) {
            return {};
        }
        switch (index.column()) {
        case 0:
            return QStringLiteral("step-1000");
        case 1:
            return text::bytes(8890);
        case 2:
            return text::number(1.622);
        case 3:
            return text::count(1000);
        case 4:
            return QStringLiteral("0,5 %");
        default:
            return text::exactBytes(8890);
        }
    }
};

/// Three groups, a to c, of three rows each.
void fill(QStandardItemModel& model) {
    model.setHorizontalHeaderLabels({QStringLiteral("Name"), QStringLiteral("Size")});
    for (const QString& group : {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}) {
        auto* item = new QStandardItem(group);
        for (int i = 0; i < 3; ++i) {
            item->appendRow({new QStandardItem(group + QString::number(i)),
                             new QStandardItem(QString::number(i) + QStringLiteral("\t\n"))});
        }
        model.appendRow({item, new QStandardItem(QStringLiteral("<3>"))});
    }
}

QString namesOf(const QStandardItemModel& model, const QItemSelection& selection) {
    RowTextRequest request;
    request.rows = RowRanges(selection);
    request.columns = {0};
    request.namesOnly = true;
    return rowsAsText(model, request).value().plain;
}

} // namespace

class RowTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsHaveTheOrderOfTheScreen() {
        QStandardItemModel model;
        fill(model);
        const auto at = [&](int group, int row) {
            return model.index(row, 0, model.index(group, 0));
        };
        QItemSelection selection;
        selection.select(at(1, 2), at(1, 2));
        selection.select(model.index(0, 0), model.index(2, 1));
        selection.select(at(0, 0), at(0, 1));
        QCOMPARE(namesOf(model, selection), QStringLiteral("a\na0\na1\nb\nb2\nc"));
        QCOMPARE(RowRanges(selection).count(), std::uint64_t{6});
        // One range for each column counts once.
        QItemSelection columns;
        columns.append(QItemSelectionRange(model.index(0, 0), model.index(1, 0)));
        columns.append(QItemSelectionRange(model.index(0, 1), model.index(2, 1)));
        QCOMPARE(namesOf(model, columns), QStringLiteral("a\nb\nc"));
        QVERIFY(RowRanges(QItemSelection()).ranges().empty());
    }

    void manyRowsAreOneRange() {
        const Letters model(QStringList(200'000, QStringLiteral("x")));
        const RowRanges rows(
            QItemSelection(model.index(0, 0), model.index(model.rowCount() - 1, 0)));
        QCOMPARE(rows.ranges().size(), std::size_t{1});
        QCOMPARE(rows.count(), std::uint64_t{200'000});
    }

    void cellsStayInTheirColumn() {
        QStandardItemModel model;
        fill(model);
        RowTextRequest request;
        request.rows = RowRanges(QItemSelection(model.index(1, 0, model.index(0, 0)),
                                                model.index(2, 1, model.index(0, 0))));
        request.columns = {1, 0};
        const RowText text = rowsAsText(model, request).value();
        QCOMPARE(text.plain, QStringLiteral("Size\tName\n1  \ta1\n2  \ta2\n"));
        request.rows = RowRanges(model.index(2, 0));
        const RowText one = rowsAsText(model, request).value();
        QCOMPARE(one.plain, QStringLiteral("<3>\tc")); // a single row has no titles
        QVERIFY(one.html.contains(QStringLiteral("<td>&lt;3&gt;</td>")));
        QCOMPARE(estimateRows(model, request), std::uint64_t{6});
        const CancelToken cancel;
        cancel.cancel();
        QVERIFY(!rowsAsText(model, request, cancel));
    }

    void numbersAreThoseOfPrograms() {
        const QLocale before;
        QLocale::setDefault(QLocale(QLocale::German));
        const Numbers model;
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("8,89 kB"));
        RowTextRequest request;
        request.rows = RowRanges(QItemSelection(model.index(0, 0), model.index(0, 5)));
        request.columns = {0, 1, 2, 3, 4, 5};
        const RowText copied = rowsAsText(model, request).value();
        QLocale::setDefault(before);
        QCOMPARE(copied.plain, QStringLiteral("step-1000\t8890\t1.622\t1000\t0.5 %\t8890 bytes"));
        QVERIFY(copied.html.contains(QStringLiteral("<td>8890</td>")));
    }

    void savesTheSameText() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("rows.tsv"));
        const Letters model(QStringList(5000, QStringLiteral("größe")));
        RowTextRequest request;
        request.rows = RowRanges(QItemSelection(model.index(0, 0), model.index(4999, 0)));
        request.columns = {0};
        const auto saved = saveRows(model, request, path);
        QVERIFY(saved);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QCOMPARE(bytes, rowsAsText(model, request).value().plain.toUtf8());
        QCOMPARE(*saved, static_cast<std::uint64_t>(bytes.size()));
        const CancelToken cancel;
        cancel.cancel();
        QVERIFY(!saveRows(model, request, folder.filePath(QStringLiteral("b")), cancel));
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("b"))));
        QVERIFY(!saveRows(model, request, QStringLiteral("/nowhere/at/all.tsv")));
    }

    void numbersThenTextsThenNothing() {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        const std::vector<SortKey> keys{
            QStringLiteral("b10"), {}, 2.0, QStringLiteral("B2"), nan, 1e300, QStringLiteral("b2")};
        QCOMPARE(sortedRows(keys, false).value(),
                 (std::vector<std::uint32_t>{2, 5, 3, 6, 0, 1, 4}));
        QCOMPARE(sortedRows(keys, true).value(), (std::vector<std::uint32_t>{0, 3, 6, 5, 2, 1, 4}));
    }

    void ordersKeepTheSelectedRow() {
        Letters model({QStringLiteral("b"), QString(), QStringLiteral("a"), QStringLiteral("b")});
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QPersistentModelIndex kept = model.index(2, 0);
        model.setOrder(sortedRows(model, {0, false}).value());
        QCOMPARE(kept.row(), 0);
        QCOMPARE(model.order(), (std::vector<std::uint32_t>{2, 0, 3, 1}));
        QCOMPARE(model.rowOfStored(3), 2);
        model.setOrder({0, 1}); // of other rows
        QCOMPARE(kept.row(), 0);
        model.setOrder({});
        QCOMPARE(kept.row(), 2);
    }
};

} // namespace cairn::ui

QTEST_MAIN(cairn::ui::RowTextTest)
#include "row_text_test.moc"
