// SPDX-License-Identifier: GPL-3.0-or-later
// Names and metadata of a file edited through the window, and what is read of it afterwards.
#include "core/formats/format.h"
#include "tests/ui/support/header_files.h"
#include "tests/ui/support/job_pages.h"
#include "ui/header_edit/header_change_model.h"
#include "ui/header_edit/header_edit_dialog.h"
#include "ui/header_edit/metadata_edit_model.h"
#include "ui/models/row_view.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/frame/centre_notice.h"
#include "ui/shell/frame/workspace.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/message_strip.h"
#include "ui/widgets/name_rules_editor.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QProcess>
#include <QRegularExpression>

using namespace cairn;
using namespace cairn::ui;
using namespace cairn::ui::test;

namespace {

/// The effect of the command in the clipboard, from a dry run.
QJsonObject dryRun(QString command) {
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"), QStringLiteral(CAIRN_CLI_FOLDER) + QLatin1Char(':') +
                                                   environment.value(QStringLiteral("PATH")));
    shell.setProcessEnvironment(environment);
    command.replace(QStringLiteral("--apply"), QStringLiteral("--json"));
    shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command});
    shell.waitForFinished(kTimeoutMs);
    return QJsonDocument::fromJson(shell.readAllStandardOutput()).object();
}

std::string metadataOf(const std::filesystem::path& file, const std::string& key) {
    RealFileOps ops;
    const auto plan = planHeaderEdit(ops, file, {}, {});
    if (plan) {
        for (const auto& [each, value] : plan->edited.entries) {
            if (each == key) {
                return value;
            }
        }
    }
    return "(none)";
}

} // namespace

class HeaderEditWorkflowTest : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> m_fixture;

    MainWindow& window() { return *m_fixture->window; }
    std::filesystem::path file() const { return m_fixture->folder() / "edited/a.safetensors"; }
    HeaderEditDialog* dialog() { return window().findChild<HeaderEditDialog*>(); }

    void settle() {
        QTRY_VERIFY_WITH_TIMEOUT(dialog() == nullptr || dialog()->isSettled(), kTimeoutMs);
    }
    void openFile() {
        window().openPaths({file()});
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint() &&
                                     window().checkpoint()->path() == file(),
                                 kTimeoutMs);
    }
    void openDialog() {
        openFile();
        QAction* action = window().actions().editHeader;
        QVERIFY2(action->isEnabled(), qPrintable(action->toolTip()));
        action->trigger();
        QVERIFY(dialog() != nullptr);
        settle();
        QVERIFY2(dialog()->plan() != nullptr, qPrintable(dialog()->message()->title()));
    }
    Button* nameButton() { return dialog()->names()->findChild<Button*>(); }
    QLineEdit* ruleField() { return dialog()->names()->findChild<QLineEdit*>(); }
    void typeRules(const char* rules) {
        QVERIFY(choose(nameButton(), QStringLiteral("custom rules…")));
        ruleField()->setText(QString::fromUtf8(rules));
        QVERIFY(!dialog()->applyButton()->isEnabled()); // not while a value is being edited
        settle();
    }
    /// Apply asks once; only its answer writes.
    void applyChanges() {
        const std::string before = readText(file());
        dialog()->applyButton()->click();
        QVERIFY(!dialog()->message()->isHidden());
        QVERIFY(dialog()->message()->title().endsWith(QStringLiteral("in a.safetensors?")));
        QCOMPARE(readText(file()), before);
        QVERIFY(press(*dialog()->message(), QStringLiteral("Write to File")));
    }
    void put(int row, int column, const QString& text) {
        MetadataEditModel& entries = dialog()->metadata();
        QVERIFY(entries.setData(entries.index(row, column), text, Qt::EditRole));
    }

private Q_SLOTS:
    void init() { m_fixture = std::make_unique<WindowFixture>(); }
    void cleanup() { m_fixture.reset(); }

    void editsTheFile() {
        writeHeaderFile(file(), 400);
        const std::string before = readText(file());
        const std::string noteBefore = metadataOf(file(), "note");
        const std::string formatBefore = metadataOf(file(), "format");
        openDialog();
        HeaderEditDialog& shown = *dialog();
        QAbstractItemModelTester entriesTester(&shown.metadata());
        auto* changes = shown.findChild<HeaderChangeModel*>();
        QAbstractItemModelTester changesTester(changes);
        QVERIFY(!shown.applyButton()->isEnabled());
        QVERIFY(!shown.copyButton()->isEnabled());
        QCOMPARE(shown.metadata().rowCount(), 2);
        QVERIFY(choose(nameButton(), QStringLiteral("without wrapper prefixes")));
        settle();
        QCOMPARE(changes->rowCount(), 2);
        QCOMPARE(changes->index(1, HeaderChangeModel::Before).data().toString(),
                 QStringLiteral("module.b"));
        QCOMPARE(changes->index(1, HeaderChangeModel::After).data().toString(),
                 QStringLiteral("b"));
        put(0, MetadataEditModel::Value, QStringLiteral("np"));
        shown.metadata().toggleRemoved(1);
        const int added = shown.metadata().add();
        put(added, MetadataEditModel::Key, QStringLiteral("it's new"));
        put(added, MetadataEditModel::Value, QStringLiteral("a \"b\"\n$c"));
        settle();
        QCOMPARE(changes->rowCount(), 5);
        QVERIFY(showsText(shown, QStringLiteral("2 names")) ||
                showsText(shown, QStringLiteral("2 name")));
        QVERIFY(showsText(shown, QStringLiteral("within the existing header")));
        QVERIFY(showsText(shown, QStringLiteral(".a.safetensors.cairn-edit")));
        QVERIFY(
            showsText(shown, QStringLiteral("of a.safetensors"))); // the file that is overwritten
        picture(shown, QStringLiteral("edit-header"), shown.size());
        picture(shown, QStringLiteral("edit-header-small"), {640, 520});

        shown.copyButton()->click();
        const QString command = QGuiApplication::clipboard()->text();
        QVERIFY(command.startsWith(QStringLiteral("cairn-cli edit ")));
        QVERIFY(command.contains(QStringLiteral("--apply")));
        const QJsonObject output = dryRun(command);
        QCOMPARE(output.value(QStringLiteral("renamed")).toArray().size(), 2);
        QCOMPARE(output.value(QStringLiteral("method")).toString(), QStringLiteral("in-room"));
        QCOMPARE(output.value(QStringLiteral("metadata")).toArray().size(), 3);
        QCOMPARE(output.value(QStringLiteral("metadata"))
                     .toArray()
                     .at(2)
                     .toObject()
                     .value(QStringLiteral("after"))
                     .toString(),
                 QStringLiteral("a \"b\"\n$c"));

        QTest::keyClick(&shown, Qt::Key_Return); // writes nothing
        QTest::qWait(50);
        QCOMPARE(readText(file()), before);
        QVERIFY(shown.applyButton()->isEnabled());
        applyChanges();
        QTRY_VERIFY_WITH_TIMEOUT(dialog() == nullptr, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint()->find("b"),
                                 kTimeoutMs); // the view shows the present file
        const auto read = openCheckpoint(file());
        QVERIFY(read && (*read)->notices().empty());
        QVERIFY((*read)->find("a") && (*read)->find("b") && !(*read)->find("module.a"));
        QCOMPARE(metadataOf(file(), "format"), std::string("np"));
        QCOMPARE(metadataOf(file(), "note"), std::string("(none)"));
        QCOMPARE(metadataOf(file(), "it's new"), std::string("a \"b\"\n$c"));
        QCOMPARE(readText(file()).size(), before.size());
        QCOMPARE(readText(file()).substr(before.size() - 8192),
                 before.substr(before.size() - 8192));
        QVERIFY(!std::filesystem::exists(file().parent_path() / editBackupName("a.safetensors")));
        // Edit > Undo restores names and entries.
        QAction* undo = window().actions().undo;
        QVERIFY(undo->isEnabled());
        QVERIFY(undo->text().contains(QStringLiteral("a.safetensors")));
        undo->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint()->find("module.b"),
                                 kTimeoutMs);
        QCOMPARE(metadataOf(file(), "note"), noteBefore);
        QCOMPARE(metadataOf(file(), "format"), formatBefore);
        QCOMPARE(metadataOf(file(), "it's new"), std::string("(none)"));
        QCOMPARE(readText(file()).size(), before.size());
        QCOMPARE(readText(file()).substr(before.size() - 8192),
                 before.substr(before.size() - 8192));
    }

    void keepsTheOldHeader() {
        writeHeaderFile(file(), 100);
        openDialog();
        QVERIFY(choose(nameButton(), QStringLiteral("without wrapper prefixes")));
        settle();
        auto* keep = dialog()->findChild<CheckBox*>();
        keep->click();
        QVERIFY(showsText(*dialog(), QStringLiteral(".cairn-edit.done")));
        dialog()->copyButton()->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("--keep-backup")));
        applyChanges();
        QTRY_VERIFY_WITH_TIMEOUT(dialog() == nullptr, kTimeoutMs);
        QVERIFY(std::filesystem::exists(file().parent_path() / keptBackupName("a.safetensors")));
        QTRY_VERIFY(!window().messages()->isHidden()); // where it is shown
    }

    void typesIntoTheTable() {
        writeHeaderFile(file(), 100);
        openDialog();
        HeaderEditDialog& shown = *dialog();
        QVERIFY(press(shown, QStringLiteral("Add Entry")));
        auto* view = shown.findChildren<RowView*>().front();
        for (RowView* each : shown.findChildren<RowView*>()) {
            view = each->model() == &shown.metadata() ? each : view;
        }
        const auto editor =
            [view]() -> QLineEdit* { // the previous editor is deleted a moment later
            const auto all = view->viewport()->findChildren<QLineEdit*>();
            return all.size() == 1 ? all.front() : nullptr;
        };
        QTRY_VERIFY(editor() != nullptr);
        QTest::keyClicks(editor(), QStringLiteral("epoch"));
        QTest::keyClick(editor(), Qt::Key_Tab); // moves to the value
        QTRY_VERIFY(view->currentIndex().column() == MetadataEditModel::Value && editor());
        QTest::keyClicks(editor(), QStringLiteral("7"));
        QTest::keyClick(editor(), Qt::Key_Return);
        QVERIFY(dialog() != nullptr); // Return ended the editing, not the dialog
        QTRY_VERIFY(shown.plan() && shown.plan()->edited.metadata.size() == 1 &&
                    shown.plan()->edited.metadata.front().after == "7");
        QCOMPARE(shown.plan()->edited.metadata.front().key, std::string("epoch"));
    }

    void duplicateNamesAreRefused() {
        writeHeaderFile(file(), 400);
        const std::string before = readText(file());
        openDialog();
        typeRules("^module\\..$=same");
        QVERIFY(dialog()->plan() == nullptr);
        QVERIFY(dialog()->message()->title().contains(QStringLiteral("same name")));
        QVERIFY(!dialog()->applyButton()->isEnabled());
        QVERIFY(!dialog()->copyButton()->isEnabled());
        picture(*dialog(), QStringLiteral("edit-refused"), dialog()->size());
        typeRules("(=x");
        QVERIFY(
            dialog()->message()->title().contains(QStringLiteral("Invalid regular expression")));
        ruleField()->clear();
        settle();
        QVERIFY(dialog()->plan() != nullptr && dialog()->message()->isHidden());
        QCOMPARE(readText(file()), before);
    }

    void insertsBlocksWhereItCan() {
        writeHeaderFile(file(), 0);
        const std::string before = readText(file());
        openDialog();
        typeRules("module.=a.much.longer.beginning.");
        QVERIFY(dialog()->plan() != nullptr);
        if (dialog()->plan()->method != EditMethod::Insert) {
            QSKIP("this file system cannot insert blocks");
        }
        QVERIFY(showsText(*dialog(), QStringLiteral("before the data")));
        picture(*dialog(), QStringLiteral("edit-insert"), dialog()->size());
        const auto inserted = static_cast<std::size_t>(dialog()->plan()->inserted());
        applyChanges();
        QTRY_VERIFY_WITH_TIMEOUT(dialog() == nullptr, kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() &&
                                     window().checkpoint()->find("a.much.longer.beginning.b"),
                                 kTimeoutMs);
        const std::string after = readText(file());
        QCOMPARE(after.size(), before.size() + inserted);
        QCOMPARE(after.substr(after.size() - 8192), before.substr(before.size() - 8192));
    }

    void withoutRoomItOffersConsolidation() {
        writeHeaderFile(file(), 0);
        const auto size = std::filesystem::file_size(file());
        std::filesystem::resize_file(file(), size - 5000);
        std::filesystem::resize_file(file(), size); // files with holes are not edited
        const std::string before = readText(file());
        openDialog();
        const std::string rules = "module.=" + std::string(300, 'x') + ".";
        typeRules(rules.c_str());
        QVERIFY(dialog()->plan() != nullptr);
        QCOMPARE(dialog()->plan()->method, EditMethod::NotInPlace);
        QVERIFY(!dialog()->applyButton()->isEnabled());
        picture(*dialog(), QStringLiteral("edit-no-room"), dialog()->size());
        QVERIFY(press(*dialog()->message(), QStringLiteral("Consolidate with These Names…")));
        QTRY_VERIFY(dialog() == nullptr);
        QCOMPARE(window().workspace()->currentPage(),
                 static_cast<Page*>(window().pages().consolidate));
        QCOMPARE(textOf(window().deployment().choices(), "rename"), rules);
        QTRY_VERIFY_WITH_TIMEOUT(window().deployment().isRunnable(), kTimeoutMs);
        QCOMPARE(readText(file()), before);
    }

    void anInterruptedEditIsUndone() {
        writeHeaderFile(file(), 400);
        const std::string before = readText(file());
        QVERIFY(killEdit(file(), 2)); // the length is blank: no reader accepts the file
        QVERIFY(readText(file()) != before);
        window().openPaths({file()});
        const CentreNotice& notice = *window().workspace()->notice();
        QTRY_VERIFY_WITH_TIMEOUT(notice.title().contains(QStringLiteral("interrupted")),
                                 kTimeoutMs);
        QVERIFY(!window().actions().editHeader->isEnabled());
        QTRY_COMPARE(clippedText(notice), QString());
        picture(window(), QStringLiteral("edit-interrupted"));
        window().resize(1440, 900); // the buttons are now next to the texts
        QTRY_COMPARE(clippedText(notice), QString());
        QVERIFY(press(notice, QStringLiteral("Recover…")));
        QVERIFY(dialog() != nullptr);
        settle();
        QVERIFY(dialog()->message()->title().contains(QStringLiteral("interrupted")));
        picture(*dialog(), QStringLiteral("edit-recover"), dialog()->size());
        QVERIFY(press(*dialog()->message(), QStringLiteral("Recover")));
        QTRY_VERIFY_WITH_TIMEOUT(dialog()->isSettled() && dialog()->plan(), kTimeoutMs);
        QVERIFY(dialog()->message()->title().contains(QStringLiteral("undone")));
        picture(*dialog(), QStringLiteral("edit-recovered"), dialog()->size());
        QCOMPARE(readText(file()), before);
        QVERIFY(!std::filesystem::exists(file().parent_path() / editBackupName("a.safetensors")));
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint() &&
                                     window().checkpoint()->find("module.a"),
                                 kTimeoutMs);
    }

    void aCompleteFileNextToABackupOffersRecovery() {
        writeHeaderFile(file(), 400);
        const std::string before = readText(file());
        QVERIFY(killEdit(file(), 1)); // the backup exists, and nothing else was done
        QCOMPARE(readText(file()), before);
        openFile();
        SummaryPage& summary = *window().pages().summary;
        QTRY_VERIFY_WITH_TIMEOUT(showsText(summary, QStringLiteral("interrupted")), kTimeoutMs);
        picture(window(), QStringLiteral("edit-notice"));
        QVERIFY(press(summary, QStringLiteral("Recover…")));
        settle();
        QVERIFY(press(*dialog()->message(), QStringLiteral("Recover")));
        QTRY_VERIFY_WITH_TIMEOUT(dialog()->isSettled() && dialog()->plan(), kTimeoutMs);
        QTRY_VERIFY_WITH_TIMEOUT(!showsText(summary, QStringLiteral("interrupted")), kTimeoutMs);
        QCOMPARE(readText(file()), before);
    }

    void reportsWhyAFileCannotBeEdited() {
        QAction* action = window().actions().editHeader;
        QVERIFY(!action->isEnabled());
        QVERIFY(m_fixture->open("tiny-llama-a/step-400"));
        QVERIFY(!action->isEnabled());
        QVERIFY(action->toolTip().contains(QStringLiteral("folder")));
        window().openPaths({m_fixture->experiment() / "tiny-llama-b/checkpoint_epoch_1.pt"});
        QTRY_VERIFY_WITH_TIMEOUT(window().isSettled() && window().checkpoint()->format() == "torch",
                                 kTimeoutMs);
        QVERIFY(!action->isEnabled());
        QVERIFY(action->toolTip().startsWith(QStringLiteral("Only a safetensors file")));
    }
};

QTEST_MAIN(HeaderEditWorkflowTest)
#include "header_edit_workflow_test.moc"
