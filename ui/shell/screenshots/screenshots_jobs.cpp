// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/screenshots/screenshots_jobs.h"

#include "ui/header_edit/header_edit_dialog.h"
#include "ui/header_edit/metadata_edit_model.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/shell/frame/workspace.h"
#include "ui/shell/jobs/job_popover.h"
#include "ui/shell/main_window.h"
#include "ui/shell/screenshots/screenshots.h"
#include "ui/shell/screenshots/screenshots_camera.h"
#include "ui/widgets/name_rules_editor.h"

#include <QAction>
#include <QTreeView>

#include <vector>

namespace cairn::ui::pictures {
namespace {

/// First checkpoint whose row carries a "broken" badge.
QModelIndex brokenCheckpoint(const NavigatorModel& model, const QModelIndex& parent = {}) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const ScannedCheckpoint* checkpoint = model.checkpointAt(index);
        if (checkpoint != nullptr && checkpoint->state == CheckpointState::Incomplete) {
            return index;
        }
        if (const QModelIndex inside = brokenCheckpoint(model, index); inside.isValid()) {
            return inside;
        }
    }
    return {};
}

} // namespace

bool takeJobs(Camera& camera, MainWindow& window) {
    window.workspace()->setCurrentTab(window.workspace()->tabOf(window.pages().consolidate));
    const auto planned = [&window](const ChoiceChange& change) {
        window.deployment().change(change);
        waitUntil([&window] { return window.isSettled(); }, kSettleMs);
        pause(kFillMs);
    };
    const std::vector<Location> sources = window.deployment().choices().request.sources;
    const auto plain = [&sources] {
        JobChoices choices;
        choices.request.sources = sources;
        return choices;
    };
    planned([](JobChoices& choices) {
        if (const FormatInfo* format = formatOfRanks()) {
            chooseFormat(choices, format->id);
        }
        choices.request.sharding.axes = {{4, 0}, {2, 1}};
        choices.request.dtype = "fp16";
        chooseText(choices, "keep-fp32", "lm_head.*");
    });
    bool written = camera.take(QStringLiteral("consolidate-more"));
    const NavigatorModel& model = *window.navigator()->model();
    std::vector<std::filesystem::path> whole;
    for (const auto& path : model.neighbours(window.checkpoint()->path())) {
        const ScannedCheckpoint* checkpoint = model.checkpointAt(model.find(path));
        if (checkpoint != nullptr && checkpoint->state == CheckpointState::Complete) {
            whole.push_back(path);
        }
    }
    planned([&plain](JobChoices& choices) {
        choices = plain();
        chooseFormat(choices, "torch");
        chooseEverything(choices, true);
        choices.request.only.without = {Role::Optimizer};
    });
    written = camera.take(QStringLiteral("consolidate-strip")) && written;
    planned([&plain, &whole](JobChoices& choices) {
        choices = plain();
        choices.request.sources.assign(whole.begin(), whole.end());
    });
    written = camera.take(QStringLiteral("consolidate-average")) && written;
    planned([&plain](JobChoices& choices) { choices = plain(); });
    return written;
}

bool takeBroken(Camera& camera, MainWindow& window) {
    const QModelIndex broken = brokenCheckpoint(*window.navigator()->model());
    if (!broken.isValid()) {
        return true;
    }
    window.navigator()->view()->setCurrentIndex(broken);
    waitUntil([&window] { return window.isSettled(); }, kSettleMs);
    pause(kFillMs);
    bool written = camera.take(QStringLiteral("consolidate-broken"));
    window.workspace()->setCurrentTab(0);
    pause(kFillMs);
    return camera.take(QStringLiteral("summary-broken")) && written;
}

bool takePopover(Camera& camera, MainWindow& window) {
    window.actions().jobHistory->trigger();
    camera.setPopup(window.jobPopover());
    pause(kFillMs);
    const bool written = camera.take(QStringLiteral("jobs"));
    window.jobPopover()->hide();
    return written;
}

bool takeHeaderEdit(Camera& camera, MainWindow& window, const std::filesystem::path& file) {
    window.openPaths({file});
    waitUntil([&window] { return window.isSettled(); }, kSettleMs);
    pause(kFillMs);
    window.actions().editHeader->trigger();
    auto* dialog = window.findChild<HeaderEditDialog*>();
    if (dialog == nullptr) {
        return true; // not a file that can be edited
    }
    const auto settled = [dialog] { return dialog->isSettled(); };
    waitUntil(settled, kSettleMs);
    Q_EMIT dialog->names()->chosen("^model\\.layers\\.(\\d+)=h.$1; model.=");
    MetadataEditModel& entries = dialog->metadata();
    const int added = entries.add();
    const auto put = [&entries](int row, int column, const QString& text) {
        entries.setData(entries.index(row, column), text, Qt::EditRole);
    };
    put(added, MetadataEditModel::Key, QStringLiteral("license"));
    put(added, MetadataEditModel::Value, QStringLiteral("apache-2.0"));
    waitUntil(settled, kSettleMs);
    pause(kFillMs);
    dialog->move(window.geometry().center() - dialog->rect().center());
    camera.setPopup(dialog);
    const bool written = camera.take(QStringLiteral("edit-header"));
    camera.setPopup(nullptr);
    dialog->reject();
    return written;
}

} // namespace cairn::ui::pictures
