// SPDX-License-Identifier: GPL-3.0-or-later
// The Tools menu, and the palette that finds everything.
#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/workspace.h"
#include "ui/text/plain_text.h"

#include <QAction>
#include <QFileDialog>
#include <QTreeView>

#include <algorithm>

namespace cairn::ui {
namespace {

/// The rows of runs and checkpoints below `parent` whose names contain all words.
void findRows(const NavigatorModel& model, const QModelIndex& parent, const QStringList& words,
              std::size_t most, std::vector<QModelIndex>& found) {
    for (int row = 0; row < model.rowCount(parent) && found.size() < most; ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const NavigatorModel::Kind kind = model.kindOf(index);
        if (kind == NavigatorModel::Kind::Role) {
            return;
        }
        const QString name = parent.data().toString() + QLatin1Char(' ') + index.data().toString();
        if (kind != NavigatorModel::Kind::Older &&
            std::ranges::all_of(words, [&](const QString& word) {
                return name.contains(word, Qt::CaseInsensitive);
            })) {
            found.push_back(index);
        }
        findRows(model, index, words, most, found);
    }
}

} // namespace

void MainWindow::connectTools() {
    const auto connectTool = [this](QAction* action, CheckpointTool tool) {
        connect(action, &QAction::triggered, this, [this, tool] { runTool(tool, {}); });
    };
    connectTool(m_actions.check, CheckpointTool::Check);
    connectTool(m_actions.scanPickles, CheckpointTool::ScanPickles);
    connectTool(m_actions.hash, CheckpointTool::Hash);
    connectTool(m_actions.verifyManifest, CheckpointTool::VerifyManifest);
    connect(m_actions.verifyFolder, &QAction::triggered, this,
            [this] { verifyAgainst(QFileDialog::Directory); });
    connect(m_actions.verifyFile, &QAction::triggered, this,
            [this] { verifyAgainst(QFileDialog::ExistingFile); });
    const auto connectRecipe = [this](QAction* action, Recipe::Target target) {
        connect(action, &QAction::triggered, this, [this, target] {
            m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
            m_deployment.change([target](Recipe& recipe) {
                recipe.target = target;
                recipe.everything = target == Recipe::Target::Dcp;
                recipe.output.clear();
            });
        });
    };
    connectRecipe(m_actions.reshard, Recipe::Target::Dcp);
    connectRecipe(m_actions.exportNumpy, Recipe::Target::Npz);
}

void MainWindow::connectPalette() {
    connect(m_actions.palette, &QAction::triggered, this,
            [this] { m_palette->popUp(m_workspace->currentPage()->actions()); });
    m_palette->findPlaces = [this](const QStringList& words, std::size_t most) {
        const NavigatorModel& model = *m_navigator->model();
        std::vector<QModelIndex> rows;
        findRows(model, {}, words, most, rows);
        std::vector<PaletteEntry> entries;
        for (const QModelIndex& row : rows) {
            const bool isRun = model.kindOf(row) != NavigatorModel::Kind::Checkpoint;
            const QString run = row.parent().data().toString();
            const QString name = row.data().toString();
            entries.push_back({isRun || run.isEmpty() ? name : run + QStringLiteral(" · ") + name,
                               isRun ? tr("run") : tr("checkpoint"),
                               [this, at = QPersistentModelIndex(row)] {
                                   m_navigator->view()->setCurrentIndex(at);
                               }});
        }
        return entries;
    };
    m_palette->shownCheckpoint = [this] { return m_checkpoint; };
    m_palette->chooseTensor = [this](TensorIndex tensor) {
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.tensors));
        m_pages.inspector->showTensor(m_checkpoint, tensor);
        for (Page* page : m_pages.all) {
            page->showTensor(m_checkpoint, tensor);
        }
    };
}

void MainWindow::runTool(CheckpointTool tool, const std::filesystem::path& other) {
    if (!m_checkpoint) {
        return;
    }
    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.summary));
    m_pages.summary->runTool(tool, other);
}

void MainWindow::verifyAgainst(QFileDialog::FileMode mode) {
    auto* dialog =
        new QFileDialog(this, tr("Verify Against"), text::fromPath(m_shown.parent_path()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(mode);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        runTool(CheckpointTool::VerifyAgainst, text::toPath(path));
    });
    dialog->open();
}

} // namespace cairn::ui
