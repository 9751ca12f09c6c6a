// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"

#include <QStringList>

#include <vector>

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class ComparePage;
class ConsolidatePage;
class Deployment;
class DiffPage;
class HistoryFollower;
class HistoryPage;
class Inspector;
class JobsWatcher;
class RunsPage;
class SpacePage;
class SummaryPage;

/// The tabs of the window, in order, and the inspector. A page is added with one line in
/// makePages(), and one in pageNames().
struct PageSet {
    std::vector<Page*> all;
    SummaryPage* summary = nullptr;
    Page* tensors = nullptr;
    Page* shards = nullptr;
    SpacePage* space = nullptr;
    HistoryPage* history = nullptr;
    RunsPage* runs = nullptr;
    ComparePage* compare = nullptr;
    DiffPage* diff = nullptr;
    Page* metadata = nullptr;
    ConsolidatePage* consolidate = nullptr;
    Inspector* inspector = nullptr;
};

/// The names of PageSet::all for the command line, in that order: "summary", "tensors", …
const QStringList& pageNames();

/// The widgets have no parent; the workspace adopts them.
PageSet makePages(Deployment& deployment, JobsWatcher& watcher, HistoryFollower& follower,
                  FileOps& ops);

} // namespace cairn::ui
