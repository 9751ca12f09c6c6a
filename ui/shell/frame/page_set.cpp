// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/page_set.h"

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
namespace {

template <class Kind> Kind* pageIn(const std::vector<Page*>& pages) {
    for (Page* page : pages) {
        if (auto* found = qobject_cast<Kind*>(page)) {
            return found;
        }
    }
    return nullptr;
}

} // namespace

QStringList pageNames() {
    QStringList names;
    for (const PageInfo* page : pageInfos()) {
        names << QString::fromLatin1(page->id);
    }
    return names;
}

PageSet makePages(const PageParts& parts) {
    PageSet set;
    for (const PageInfo* page : pageInfos()) {
        set.all.push_back(page->make(parts));
    }
    auto* tensors = pageIn<TensorsPage>(set.all);
    set.tensors = tensors;
    set.summary = pageIn<SummaryPage>(set.all);
    set.shards = pageIn<ShardsPage>(set.all);
    set.space = pageIn<SpacePage>(set.all);
    set.history = pageIn<HistoryPage>(set.all);
    set.runs = pageIn<RunsPage>(set.all);
    set.compare = pageIn<ComparePage>(set.all);
    set.diff = pageIn<DiffPage>(set.all);
    set.metadata = pageIn<MetadataPage>(set.all);
    set.consolidate = pageIn<ConsolidatePage>(set.all);
    set.inspector = new Inspector;
    for (Page* page : set.all) {
        QObject::connect(page, &Page::tensorSelected, set.inspector, &Inspector::showTensor);
        for (Page* other : set.all) {
            if (other != page) {
                QObject::connect(page, &Page::tensorSelected, other, &Page::showTensor);
            }
        }
    }
    QObject::connect(tensors, &TensorsPage::groupSelected, set.inspector, &Inspector::showGroup);
    QObject::connect(tensors, &TensorsPage::tensorsSelected, set.inspector,
                     &Inspector::showTensors);
    return set;
}

} // namespace cairn::ui
