// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/page_set.h"

#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/summary/summary_page.h"

namespace cairn::ui {

PageSet makePages(Deployment& deployment, JobsWatcher& watcher) {
    PageSet set;
    set.summary = new SummaryPage;
    set.consolidate = new ConsolidatePage(deployment, watcher);
    set.all = {set.summary, set.consolidate};
    set.inspector = new QWidget;
    set.inspect = [](const CheckpointPtr&, TensorIndex) {};
    set.clearInspector = [] {};
    return set;
}

} // namespace cairn::ui
