// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screenshots/screenshots_runs.h"

#include "ui/models/row_view.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/runs/run_columns.h"
#include "ui/pages/runs/run_table_model.h"
#include "ui/pages/runs/runs_page.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshots/screenshots.h"

#include <QTreeView>

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::ui {
namespace {

constexpr int kRunsSettleMs = 20'000;
constexpr int kRunsFillMs = 400; ///< for charts
const QSize kWide(1440, 900);
const QSize kNarrow(880, 560);

} // namespace

bool takeRunsPage(MainWindow& window, const std::function<bool(const QString&)>& picture) {
    RunsPage& page = *window.pages().runs;
    window.navigator()->view()->setCurrentIndex(window.navigator()->model()->index(0, 0));
    window.workspace()->setCurrentTab(window.workspace()->tabOf(&page));
    const auto settle = [&page] {
        waitUntil([] { return false; }, kRunsFillMs);
        waitUntil([&page] { return page.isSettled(); }, kRunsSettleMs);
        waitUntil([] { return false; }, kRunsFillMs);
    };
    const auto take = [&](const QString& name) {
        bool written = true;
        for (const auto& [size, suffix] :
             {std::pair(kWide, QString()), std::pair(kNarrow, QStringLiteral("-small"))}) {
            window.resize(size);
            settle();
            written = picture(name + suffix) && written;
        }
        window.resize(kWide);
        return written;
    };
    bool written = take(QStringLiteral("runs"));
    std::vector<std::filesystem::path> some;
    for (const auto& run : page.data()->experiment.runs) {
        if (some.size() < 3) {
            some.push_back(run.path);
        }
    }
    window.navigator()->setMarks(some);
    written = take(QStringLiteral("runs-marked")) && written;
    window.navigator()->clearMarks();
    std::vector<std::string> keys;
    for (const std::size_t setting : groupingSettings(page.data()->grid)) {
        const std::string& key = page.data()->grid.settings()[setting].key;
        if (key.find("seed") == std::string::npos && keys.size() < 2) {
            keys.push_back(page.data()->grid.nameOf(GridColumn::setting(setting)));
        }
    }
    if (!keys.empty()) {
        page.setGroupBy(keys);
        settle();
        const int groups = std::min(3, page.model()->rowCount());
        for (int row = 0; row < groups; ++row) {
            window.navigator()->setMarked({page.model()->row(page.model()->index(row, 0)).paths},
                                          true);
        }
        page.view()->setCurrentIndex(page.model()->index(0, 0));
        written = take(QStringLiteral("runs-grouped")) && written;
        page.setGroupBy({});
        window.navigator()->clearMarks();
    }
    return written;
}

} // namespace cairn::ui
