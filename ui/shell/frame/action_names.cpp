// SPDX-License-Identifier: GPL-3.0-or-later
// The names under which the settings keep the user's shortcuts. They do not depend on the language
// and never change.
#include "ui/shell/frame/actions.h"

#include <QAction>

#include <utility>

namespace cairn::ui {

void Actions::nameAll() {
    for (const auto& [action, name] : std::initializer_list<std::pair<QAction*, const char*>>{
             {openFolder, "openFolder"},
             {openFiles, "openFiles"},
             {openPath, "openPath"},
             {openSample, "openSample"},
             {clearRecent, "clearRecent"},
             {openContaining, "openContaining"},
             {copyPath, "copyPath"},
             {saveReport, "saveReport"},
             {copyReport, "copyReport"},
             {closeFolder, "closeFolder"},
             {quit, "quit"},
             {undo, "undo"},
             {copy, "copy"},
             {copyPython, "copyPython"},
             {filter, "filter"},
             {clearFilter, "clearFilter"},
             {preferences, "preferences"},
             {inspector, "inspector"},
             {navigator, "navigator"},
             {expandAll, "expandAll"},
             {collapseAll, "collapseAll"},
             {refresh, "refresh"},
             {back, "back"},
             {forward, "forward"},
             {nextCheckpoint, "nextCheckpoint"},
             {previousCheckpoint, "previousCheckpoint"},
             {newestCheckpoint, "newestCheckpoint"},
             {nextDifference, "nextDifference"},
             {previousDifference, "previousDifference"},
             {goNavigator, "goNavigator"},
             {goPage, "goPage"},
             {consolidate, "consolidate"},
             {copyCommand, "copyCommand"},
             {chooseOutput, "chooseOutput"},
             {average, "average"},
             {editHeader, "editHeader"},
             {markRun, "markRun"},
             {clearMarks, "clearMarks"},
             {compareRuns, "compareRuns"},
             {diffPrevious, "diffPrevious"},
             {check, "check"},
             {scanPickles, "scanPickles"},
             {hash, "hash"},
             {verifyManifest, "verifyManifest"},
             {verifyFolder, "verifyFolder"},
             {verifyFile, "verifyFile"},
             {reshard, "reshard"},
             {exportNumpy, "exportNumpy"},
             {convert, "convert"},
             {continueTraining, "continue-training"},
             {runOn, "run-on"},
             {pack, "pack"},
             {prune, "prune"},
             {moveToWastebasket, "moveToWastebasket"},
             {keepCheckpoints, "keepCheckpoints"},
             {showJobs, "showJobs"},
             {pauseJobs, "pauseJobs"},
             {stopJobs, "stopJobs"},
             {forgetJobs, "forgetJobs"},
             {jobHistory, "jobHistory"},
             {unfinishedJobs, "unfinishedJobs"},
             {manual, "manual"},
             {palette, "palette"},
             {reportProblem, "reportProblem"},
             {about, "about"},
             {aboutQt, "aboutQt"},
         }) {
        action->setObjectName(QString::fromLatin1(name));
    }
}

} // namespace cairn::ui
