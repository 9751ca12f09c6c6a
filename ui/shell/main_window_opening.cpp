// SPDX-License-Identifier: GPL-3.0-or-later
// What the program was started for: paths, a diff, a comparison of runs, a page.
#include "core/base/absolute_path.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/compare/compare_page.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/workspace.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <algorithm>

namespace cairn::ui {

void MainWindow::connectOpening() {
    for (const auto changed : {&Navigator::loadingChanged, &Navigator::selectionChanged}) {
        connect(m_navigator, changed, this, &MainWindow::compareOpened);
    }
    connect(m_navigator, &Navigator::experimentListed, this, &MainWindow::compareOpened);
}

void MainWindow::open(const Opening& opening) {
    const auto& paths = opening.paths;
    if (opening.sample) {
        openSample();
    }
    if (opening.view == Opening::View::Diff && paths.size() == 2) {
        compareWithSource(paths[0], paths[1]);
    } else if (opening.view == Opening::View::Compare) {
        std::vector<std::filesystem::path> unlisted = paths;
        std::erase_if(unlisted, [this](const auto& path) {
            return m_navigator->model()->findRun(path).isValid();
        });
        openPaths(unlisted);
        m_toCompare = paths;
        compareOpened();
    } else if (!paths.empty()) {
        openPaths(paths);
    }
    const auto named = std::ranges::find_if(m_pages.all, [&](const Page* page) {
        return opening.page == QLatin1StringView(page->info().id);
    });
    if (named != m_pages.all.end()) {
        m_stack->setCurrentWidget(m_workspace);
        m_workspace->setCurrentTab(m_workspace->tabOf(*named));
    }
}

void MainWindow::compareOpened() {
    const NavigatorModel& model = *m_navigator->model();
    const auto isRun = [&](const auto& path) { return model.findRun(path).isValid(); };
    if (m_toCompare.empty() || std::ranges::any_of(m_toCompare, [&](const auto& path) {
            return !isRun(path) && m_navigator->isLoading(path);
        })) {
        return;
    }
    std::vector<std::filesystem::path> runs = std::exchange(m_toCompare, {});
    const auto others = std::ranges::stable_partition(runs, isRun);
    QStringList names;
    for (const std::filesystem::path& path : others) {
        names << text::fromPath(path);
    }
    runs.erase(others.begin(), others.end());
    m_navigator->setMarks(runs);
    m_workspace->showPages();
    m_workspace->setCurrentTab(
        m_workspace->tabOf(runs.size() > 2 ? static_cast<Page*>(m_pages.runs) : m_pages.compare));
    if (!names.isEmpty()) {
        m_messages->show({theme::Tone::Attention,
                          tr("%Ln folders are not a run and cannot be compared", nullptr,
                             static_cast<int>(names.size())),
                          names.join(QLatin1Char('\n')),
                          {}});
    }
}

} // namespace cairn::ui
