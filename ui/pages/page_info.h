// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <span>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class Deployment;
class HistoryFollower;
class JobsWatcher;

/// What pages are made from. Everything outlives the pages.
struct PageParts {
    Deployment& deployment;
    JobsWatcher& jobs;
    HistoryFollower& follower;
    FileOps& fileOps;
};

/// A page before it is made. Each folder of ui/pages that is a tab defines one; a table of all is
/// generated from the list in ui/pages/CMakeLists.txt.
struct PageInfo {
    /// The folder's name: for --page, and in the names of screenshots.
    const char* id;
    /// The tab's label, translated, title case.
    QString (*title)();
    /// The tab is enabled for this kind of selection and those below it; for the others it has
    /// nothing to show.
    Page::Subject shows = Page::Subject::Checkpoint;
    /// Without a parent.
    Page* (*make)(const PageParts& parts);
};

/// In the order of the tabs.
std::span<const PageInfo* const> pageInfos();

} // namespace cairn::ui
