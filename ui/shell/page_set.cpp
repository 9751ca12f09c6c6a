// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/page_set.h"

#include "ui/inspector/inspector.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/diff/diff_page.h"
#include "ui/pages/history/history_page.h"
#include "ui/pages/metadata/metadata_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/pages/shards/shards_page.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/pages/tensors/tensors_page.h"

namespace cairn::ui {

const QStringList& pageNames() {
    static const QStringList names{QStringLiteral("summary"),  QStringLiteral("tensors"),
                                   QStringLiteral("shards"),   QStringLiteral("space"),
                                   QStringLiteral("history"),  QStringLiteral("runs"),
                                   QStringLiteral("compare"),  QStringLiteral("diff"),
                                   QStringLiteral("metadata"), QStringLiteral("consolidate")};
    return names;
}

PageSet makePages(Deployment& deployment, JobsWatcher& watcher, HistoryFollower& follower,
                  FileOps& ops) {
    PageSet set;
    set.inspector = new Inspector;
    set.summary = new SummaryPage(&follower);
    auto* tensors = new TensorsPage;
    set.tensors = tensors;
    set.shards = new ShardsPage;
    set.space = new SpacePage(ops);
    set.consolidate = new ConsolidatePage(deployment, watcher);
    set.history = new HistoryPage(follower);
    set.runs = new RunsPage;
    set.compare = new ComparePage;
    set.diff = new DiffPage;
    set.metadata = new MetadataPage;
    set.all = {set.summary, set.tensors, set.shards, set.space,    set.history,
               set.runs,    set.compare, set.diff,   set.metadata, set.consolidate};
    for (Page* page : set.all) {
        QObject::connect(page, &Page::tensorSelected, set.inspector, &Inspector::showTensor);
        for (Page* other : set.all) {
            if (other != page) {
                QObject::connect(page, &Page::tensorSelected, other, &Page::showTensor);
            }
        }
    }
    QObject::connect(tensors, &TensorsPage::groupSelected, set.inspector, &Inspector::showGroup);
    return set;
}

} // namespace cairn::ui
