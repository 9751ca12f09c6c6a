// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/actions.h"

#include "ui/widgets/risky.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>

namespace cairn::ui {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::Actions)
};

void keys(QAction* action, const QList<QKeySequence>& sequences) {
    action->setShortcuts(sequences);
}

void key(QAction* action, QKeyCombination combination) {
    action->setShortcut(QKeySequence(combination));
}

constexpr Qt::KeyboardModifiers kCtrlShift = Qt::ControlModifier | Qt::ShiftModifier;

} // namespace

QAction* Actions::make(const QString& text, const QString& tip) {
    auto* action = new QAction(text, m_owner);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    return action;
}

Actions::Actions(QObject* owner) : m_owner(owner) {
    openFolder = make(Words::tr("&Open Folder…"),
                      Words::tr("Open a folder of runs, a run or a checkpoint folder"));
    openFiles = make(Words::tr("Open &Files…"), Words::tr("Open single checkpoint files"));
    openPath = make(Words::tr("Open &Path…"), Words::tr("Type or paste a path"));
    openSample = make(Words::tr("Open &Sample"),
                      Words::tr("Open the sample experiment that comes with Cairn"));
    clearRecent = make(Words::tr("&Clear Recent Folders"),
                       Words::tr("Clear the list of recently opened folders"));
    openContaining = make(Words::tr("Show in File &Manager"),
                          Words::tr("Show the checkpoint in the file manager"));
    copyPath = make(Words::tr("Copy P&ath"), Words::tr("Copy the full path of the selected item"));
    saveReport = make(Words::tr("Save &Report…"),
                      Words::tr("Write the comparison, the table of runs, or the health of the "
                                "checkpoint, as one HTML file or as Markdown"));
    copyReport = make(Words::tr("Copy Report as Mar&kdown"),
                      Words::tr("Copy the comparison, the table of runs, or the health of the "
                                "checkpoint, for a pull request"));
    closeFolder =
        make(Words::tr("&Close Folder"), Words::tr("Close the experiment; no files are changed"));
    quit = make(Words::tr("&Quit"), Words::tr("Close the window"));
    undo = make(Words::tr("&Undo"), Words::tr("Undo the last change of files on the disk"));
    copy = make(Words::tr("&Copy"), Words::tr("Copy the selected rows"));
    copyPython = make(Words::tr("Copy as P&ython"),
                      Words::tr("Copy a Python snippet that loads the selected tensor"));
    filter = make(Words::tr("&Filter"), Words::tr("Filter the list by name"));
    clearFilter = make(Words::tr("C&lear Filter"), Words::tr("Clear the filter and show all rows"));
    inspector = make(Words::tr("&Inspector"), Words::tr("Show or hide the inspector"));
    navigator = make(Words::tr("&Navigator"), Words::tr("Show or hide the navigator"));
    expandAll =
        make(Words::tr("&Expand All"), Words::tr("Expand every row of the tree with the focus"));
    collapseAll = make(Words::tr("C&ollapse All"),
                       Words::tr("Collapse every row of the tree with the focus"));
    refresh = make(Words::tr("&Refresh"), Words::tr("Reload the contents from disk"));
    back = make(Words::tr("&Back"), Words::tr("Go back to the previous view"));
    forward = make(Words::tr("&Forward"), Words::tr("Go forward to the next view"));
    nextCheckpoint =
        make(Words::tr("&Next Checkpoint"), Words::tr("Go to the next checkpoint of this run"));
    previousCheckpoint = make(Words::tr("&Previous Checkpoint"),
                              Words::tr("Go to the previous checkpoint of this run"));
    newestCheckpoint = make(Words::tr("Ne&west Complete Checkpoint"),
                            Words::tr("Go to the newest complete checkpoint"));
    nextDifference = make(Words::tr("Next &Difference"),
                          Words::tr("Go to the next differing tensor on the Diff page"));
    previousDifference = make(Words::tr("P&revious Difference"),
                              Words::tr("Go to the previous differing tensor on the Diff page"));
    goNavigator = make(Words::tr("Go to N&avigator"), Words::tr("Move focus to the navigator"));
    goPage = make(Words::tr("&Go to Page"), Words::tr("Move focus to the page"));
    consolidate = make(Words::tr("Consolidate for &Deployment"),
                       Words::tr("Write one verified, loadable checkpoint from all shards"));
    chooseOutput = make(Words::tr("Choose &Output Folder…"),
                        Words::tr("Choose where to write the consolidated checkpoint"));
    copyCommand =
        make(Words::tr("Copy as Co&mmand"), Words::tr("Copy the equivalent cairn-cli command"));
    average = make(Words::tr("A&verage Checkpoints…"),
                   Words::tr("Write the average of the selected checkpoints"));
    editHeader = make(Words::tr("Edit &Names and Metadata…"),
                      Words::tr("Edit names and metadata in place; tensor data does not change"));
    markRun =
        make(Words::tr("&Mark Run"), Words::tr("Mark or unmark the selected run for comparison"));
    clearMarks = make(Words::tr("C&lear Marks"), Words::tr("Remove the marks of all runs"));
    compareRuns =
        make(Words::tr("Compare with Marked &Run"),
             Words::tr("Compare curves, settings and weights of the marked run and this one"));
    diffPrevious = make(Words::tr("Di&ff with Previous Checkpoint"),
                        Words::tr("Compare with the previous checkpoint of this run"));
    check = make(Words::tr("&Check"),
                 Words::tr("Read every byte: missing parts, checksums, mixed saves, NaN"));
    scanPickles =
        make(Words::tr("Scan &Pickles"),
             Words::tr("Find what loading the files in Python would run; nothing is run"));
    hash = make(Words::tr("&Hash"),
                Words::tr("SHA-256 of every tensor, independent of format and sharding"));
    verifyManifest = make(Words::tr("&Manifest"),
                          Words::tr("Verify the files against the manifest beside them"));
    verifyFolder = make(Words::tr("Checkpoint F&older…"),
                        Words::tr("Verify that a different checkpoint has the same tensors"));
    verifyFile = make(Words::tr("Checkpoint F&ile…"),
                      Words::tr("Verify that a different checkpoint has the same tensors"));
    convert = make(Words::tr("Con&vert…"),
                   Words::tr("Write all tensors and values in a different format"));
    reshard =
        make(Words::tr("&Reshard…"), Words::tr("Write the checkpoint for another number of ranks"));
    continueTraining = make(Words::tr("Continue &Training…"),
                            Words::tr("Write the complete training state for another trainer or "
                                      "number of ranks, and copy the lines that resume there"));
    runOn = make(Words::tr("Run &On…"),
                 Words::tr("Run the planned job as an array on a cluster's scheduler, with the "
                           "command shown"));
    exportNumpy =
        make(Words::tr("E&xport to NumPy…"), Words::tr("Write the tensors into one .npz file"));
    pack = make(Words::tr("Pac&k…"),
                Words::tr("Write a smaller archive (.cairnz) that Cairn opens and unpacks"));
    prune = make(Words::tr("Pr&une Run…"),
                 Words::tr("See which checkpoints of the run can go, and move them to the "
                           "wastebasket"));
    moveToWastebasket = make(Words::tr("Move to &Wastebasket…"),
                             Words::tr("Move the selected checkpoints to the wastebasket, after a "
                                       "question"));
    keepCheckpoints =
        make(Words::tr("P&in"), Words::tr("Pin the selected checkpoints: no plan removes them"));
    showJobs = make(Words::tr("Show &Jobs"), Words::tr("Show running and finished jobs"));
    pauseJobs = make(Words::tr("&Pause All"),
                     Words::tr("Pause the running jobs or resume the paused ones"));
    stopJobs = make(Words::tr("&Cancel All"),
                    Words::tr("Cancel the running jobs and remove their unfinished files"));
    forgetJobs = make(Words::tr("C&lear Finished"),
                      Words::tr("Remove finished jobs from the list; their files are kept"));
    jobHistory = make(Words::tr("Job &History"), Words::tr("Show running and earlier jobs"));
    unfinishedJobs = make(Words::tr("&Unfinished Jobs"),
                          Words::tr("Show interrupted jobs that can be resumed or discarded"));
    preferences =
        make(Words::tr("&Preferences…"), Words::tr("Theme, fonts, units, cache and shortcuts"));
    manual = make(Words::tr("&Manual"), Words::tr("Open the manual at the current page"));
    reportProblem = make(Words::tr("&Report a Problem…"),
                         Words::tr("Show a text about versions and errors, to send it yourself"));
    palette = make(Words::tr("Command &Palette…"), Words::tr("Find an action by name"));
    about = make(Words::tr("&About Cairn"), Words::tr("Versions and licence"));
    aboutQt = make(Words::tr("About &Qt"), Words::tr("About the Qt toolkit"));

    addSynonyms();
    markRisky();
    nameAll();
    inspector->setCheckable(true);
    inspector->setChecked(true);
    navigator->setCheckable(true);
    navigator->setChecked(true);
    pauseJobs->setCheckable(true);
    quit->setMenuRole(QAction::QuitRole);
    preferences->setMenuRole(QAction::PreferencesRole);
    about->setMenuRole(QAction::AboutRole);
    aboutQt->setMenuRole(QAction::AboutQtRole);

    openFolder->setShortcuts(QKeySequence::Open);
    keys(preferences, {QKeySequence(Qt::CTRL | Qt::Key_Comma)});
    keys(manual, {QKeySequence(Qt::Key_F1), QKeySequence(kCtrlShift | Qt::Key_H)});
    key(openFiles, kCtrlShift | Qt::Key_O);
    key(openPath, Qt::CTRL | Qt::Key_L);
    key(openContaining, kCtrlShift | Qt::Key_R);
    keys(closeFolder, {QKeySequence(Qt::CTRL | Qt::Key_W)});
    keys(quit, {QKeySequence(Qt::CTRL | Qt::Key_Q)});
    keys(undo, {QKeySequence(Qt::CTRL | Qt::Key_Z)});
    keys(copy, {QKeySequence(Qt::CTRL | Qt::Key_C)});
    key(copyPython, kCtrlShift | Qt::Key_C);
    keys(filter, {QKeySequence(Qt::CTRL | Qt::Key_F)});
    key(inspector, Qt::CTRL | Qt::Key_I);
    key(navigator, kCtrlShift | Qt::Key_I);
    keys(refresh, {QKeySequence(Qt::CTRL | Qt::Key_R), QKeySequence(Qt::Key_F5)});
    back->setShortcuts(QKeySequence::Back);
    forward->setShortcuts(QKeySequence::Forward);
    key(nextCheckpoint, Qt::CTRL | Qt::Key_BracketRight);
    key(previousCheckpoint, Qt::CTRL | Qt::Key_BracketLeft);
    key(newestCheckpoint, Qt::ALT | Qt::Key_End); // Ctrl+End is that of lists
    key(consolidate, Qt::CTRL | Qt::Key_E);
    key(chooseOutput, kCtrlShift | Qt::Key_E);
    key(average, kCtrlShift | Qt::Key_A);
    key(markRun, Qt::CTRL | Qt::Key_M);
    key(compareRuns, Qt::CTRL | Qt::Key_D);
    key(diffPrevious, kCtrlShift | Qt::Key_D);
    key(nextDifference, Qt::CTRL | Qt::Key_J);
    key(previousDifference, kCtrlShift | Qt::Key_J);
    key(moveToWastebasket, Qt::CTRL | Qt::Key_Delete);
    key(showJobs, Qt::CTRL | Qt::Key_B);
    key(check, kCtrlShift | Qt::Key_K);
    keys(palette, {QKeySequence(Qt::CTRL | Qt::Key_K), QKeySequence(kCtrlShift | Qt::Key_P)});
}

void Actions::addSynonyms() {
    const auto also = [](QAction* action, const QString& words) {
        action->setProperty(kSynonyms, words);
    };
    also(consolidate, Words::tr("merge convert export join gather save serve deploy gguf llama.cpp "
                                "ollama vllm lora adapter fold sign signature quantize"));
    also(average, Words::tr("soup mean merge"));
    also(check, Words::tr("validate health corrupt damaged nan inf missing"));
    also(scanPickles, Words::tr("security malware code unsafe"));
    also(hash, Words::tr("checksum sha256 fingerprint digest"));
    also(verifyManifest, Words::tr("compare equal same checksum"));
    also(verifyFolder, Words::tr("compare equal same"));
    also(verifyFile, Words::tr("compare equal same"));
    also(continueTraining,
         Words::tr("resume trainer optimizer fsdp lightning accelerate deepspeed"));
    also(runOn, Words::tr("slurm kubernetes cluster array submit sbatch remote"));
    also(reshard, Words::tr("ranks shards split dcp convert"));
    also(exportNumpy, Words::tr("npz save numpy"));
    also(convert, Words::tr("safetensors pt torch dcp save as export format"));
    also(pack, Words::tr("compress archive zip cairnz smaller"));
    also(prune, Words::tr("delete remove clean space retention keep"));
    also(undo, Words::tr("restore revert wastebasket"));
    also(editHeader, Words::tr("rename keys tags"));
    also(filter, Words::tr("search find"));
    also(newestCheckpoint, Words::tr("latest last"));
    also(compareRuns, Words::tr("diff versus"));
    also(markRun, Words::tr("select overlay"));
    also(showJobs, Words::tr("progress tasks running"));
    also(copyCommand, Words::tr("cli terminal shell"));
    also(moveToWastebasket, Words::tr("delete remove trash clean space"));
    also(keepCheckpoints, Words::tr("keep protect retain unpin"));
    also(openFolder, Words::tr("load directory experiment"));
    also(saveReport, Words::tr("share export html svg markdown publish"));
    also(copyReport, Words::tr("share pull request github"));
    also(openPath, Words::tr("remote ssh host server cluster url s3 hugging face"));
    also(diffPrevious, Words::tr("compare changes difference"));
    also(preferences, Words::tr("settings options configuration"));
    also(manual, Words::tr("help documentation guide"));
    also(reportProblem, Words::tr("bug issue feedback support"));
    also(refresh, Words::tr("reload rescan update"));
}

void Actions::markRisky() {
    for (QAction* action : {undo, stopJobs, forgetJobs, clearRecent, moveToWastebasket}) {
        action->setProperty(kRisky, true);
    }
}

void Actions::fill(QMenuBar& bar) {
    m_bar = &bar;
    QMenu* file = bar.addMenu(Words::tr("&File"));
    file->addActions({openFolder, openFiles, openPath});
    recentMenu = file->addMenu(Words::tr("Open &Recent"));
    recentMenu->addSeparator();
    recentMenu->addAction(clearRecent);
    file->addAction(openSample);
    file->addSeparator();
    file->addActions({openContaining, copyPath});
    file->addSeparator();
    file->addActions({saveReport, copyReport});
    file->addSeparator();
    file->addActions({closeFolder, quit});

    QMenu* edit = bar.addMenu(Words::tr("&Edit"));
    edit->addAction(undo);
    edit->addSeparator();
    edit->addActions({copy, copyPython});
    edit->addSeparator();
    edit->addActions({filter, clearFilter});
    edit->addSeparator();
    edit->addAction(preferences);

    viewMenu = bar.addMenu(Words::tr("&View"));
    m_tabSeparator = viewMenu->addSeparator();
    viewMenu->addActions({navigator, inspector});
    viewMenu->addSeparator();
    viewMenu->addActions({expandAll, collapseAll});
    viewMenu->addSeparator();
    viewMenu->addAction(refresh);

    QMenu* go = bar.addMenu(Words::tr("&Go"));
    go->addActions({back, forward});
    go->addSeparator();
    go->addActions({nextCheckpoint, previousCheckpoint, newestCheckpoint});
    go->addSeparator();
    go->addActions({nextDifference, previousDifference});
    go->addSeparator();
    go->addActions({goNavigator, goPage});

    QMenu* run = bar.addMenu(Words::tr("&Run"));
    run->setToolTipsVisible(true); // why an action cannot be used
    run->addActions({consolidate, continueTraining, average, chooseOutput, runOn, copyCommand});
    run->addSeparator();
    run->addActions({markRun, clearMarks, compareRuns, diffPrevious});

    toolsMenu = bar.addMenu(Words::tr("&Tools"));
    toolsMenu->setToolTipsVisible(true);
    toolsMenu->addActions({check, scanPickles, hash});
    QMenu* verify = toolsMenu->addMenu(Words::tr("&Verify Against"));
    verify->addActions({verifyManifest, verifyFolder, verifyFile});
    toolsMenu->addSeparator();
    toolsMenu->addActions({convert, reshard, exportNumpy, pack, editHeader});
    toolsMenu->addSeparator();
    toolsMenu->addActions({prune, moveToWastebasket, keepCheckpoints});

    QMenu* jobs = bar.addMenu(Words::tr("&Jobs"));
    jobs->addActions({showJobs, pauseJobs, stopJobs, forgetJobs});
    jobs->addSeparator();
    jobs->addActions({jobHistory, unfinishedJobs});

    QMenu* help = bar.addMenu(Words::tr("&Help"));
    help->addActions({manual, palette});
    help->addSeparator();
    help->addAction(reportProblem);
    help->addSeparator();
    help->addActions({about, aboutQt});
}

QAction* Actions::addTab(const QString& title) {
    const int number = static_cast<int>(tabs.size()) + 1;
    const QString digit = number == 10 ? QStringLiteral("1&0") : QStringLiteral("&%1").arg(number);
    auto* action =
        make(QStringLiteral("%1 %2").arg(digit, title), Words::tr("Show the page “%1”").arg(title));
    action->setIconText(Words::tr("%1 Page").arg(title));
    action->setObjectName(QStringLiteral("page%1").arg(number));
    action->setCheckable(true);
    if (number <= 10) { // the tenth is at Ctrl+0
        key(action, Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + number % 10));
    }
    viewMenu->insertAction(m_tabSeparator, action);
    tabs << action;
    return action;
}

QList<QAction*> Actions::all() const {
    QList<QAction*> found;
    for (const QAction* top : m_bar->actions()) {
        QList<const QMenu*> open{top->menu()};
        while (!open.isEmpty()) {
            const QMenu* menu = open.takeFirst();
            for (QAction* action : menu->actions()) {
                if (action->menu() != nullptr) {
                    open << action->menu();
                } else if (!action->isSeparator()) {
                    found << action;
                }
            }
        }
    }
    return found;
}

} // namespace cairn::ui
