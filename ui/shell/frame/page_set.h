// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page_info.h"

#include <QStringList>

#include <vector>

namespace cairn::ui {

class ComparePage;
class ConsolidatePage;
class DiffPage;
class HistoryPage;
class Inspector;
class RunsPage;
class SpacePage;
class SummaryPage;

/// The tabs of the window, in the order of pageInfos(), and the inspector. The window connects
/// those that it names with each other; a page that needs only Page's functions has no name here.
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

/// For the command line: "summary", "tensors", …
QStringList pageNames();

/// The widgets have no parent; the workspace adopts them.
PageSet makePages(const PageParts& parts);

} // namespace cairn::ui
