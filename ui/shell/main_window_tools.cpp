// SPDX-License-Identifier: GPL-3.0-or-later
// The Tools menu, and the palette that finds everything.
#include "ui/inspector/inspector.h"
#include "ui/navigator/navigator.h"
#include "ui/pages/consolidate/consolidate_page.h"
#include "ui/pages/consolidate/job_words.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/pages/space/space_page.h"
#include "ui/pages/summary/summary_page.h"
#include "ui/shell/command_palette.h"
#include "ui/shell/main_window.h"
#include "ui/shell/workspace.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/message_strip.h"

#include <QAbstractButton>
#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QTreeView>

#include <algorithm>
#include <string_view>

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

/// What can be pressed or chosen on a page, by its words.
void findControls(const Page& page, const QStringList& words, std::size_t most,
                  std::vector<PaletteEntry>& found) {
    const auto add = [&](const QString& text, const std::function<void()>& choose) {
        const bool matches = std::ranges::all_of(
            words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        if (matches && found.size() < most) {
            found.push_back({text, page.info().title(), choose});
        }
    };
    for (QAbstractButton* button : page.findChildren<QAbstractButton*>()) {
        if (!button->isVisible() || !button->isEnabled()) {
            continue;
        }
        const QString label = QString(button->text()).remove(QLatin1Char('&'));
        const QString name = button->accessibleName().isEmpty() ? label : button->accessibleName();
        const auto* pushed = qobject_cast<QPushButton*>(button);
        if (pushed == nullptr || pushed->menu() == nullptr) {
            add(name, [at = QPointer(button)] { at ? at->click() : void(); });
            continue;
        }
        for (QAction* action : pushed->menu()->actions()) {
            if (action->isEnabled() && !action->isSeparator()) {
                add(name + QStringLiteral(": ") + QString(action->text()).remove(QLatin1Char('&')),
                    [at = QPointer(action)] { at ? at->trigger() : void(); });
            }
        }
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
    const auto propose = [this](std::string_view format, bool everything) {
        m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate));
        m_deployment.change([format, everything](JobChoices& choices) {
            chooseFormat(choices, format);
            chooseEverything(choices, everything);
            choices.request.output = Location();
        });
    };
    connect(m_actions.reshard, &QAction::triggered, this, [propose] {
        if (const FormatInfo* format = formatOfRanks()) {
            propose(format->id, true);
        }
    });
    connect(m_actions.exportNumpy, &QAction::triggered, this, [propose] { propose("npz", false); });
    connect(m_actions.convert, &QAction::triggered, this, [this, propose] {
        const std::string_view usual = usualFormat().id;
        propose(m_checkpoint->format() == usual ? "torch" : usual, true);
    });
    connect(m_actions.pack, &QAction::triggered, this, &MainWindow::packInto);
    connect(m_actions.prune, &QAction::triggered, this, [this] {
        const NavigatorModel& model = *m_navigator->model();
        if (const auto run = model.runAt(m_navigator->view()->currentIndex())) {
            m_navigator->view()->setCurrentIndex(model.findRun(run->path));
            m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.space));
        }
    });
}

void MainWindow::packInto() {
    auto* dialog = new QFileDialog(this, tr("Pack"), text::fromPath(m_shown.parent_path()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setOption(QFileDialog::DontConfirmOverwrite); // the job never overwrites a file
    dialog->setNameFilter(tr("Packed checkpoints (*.cairnz)"));
    dialog->setDefaultSuffix(QStringLiteral("cairnz"));
    dialog->selectFile(text::fromPath(m_shown.filename()) + QStringLiteral(".cairnz"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, source = m_shown](const QString& output) {
                if (const auto job = m_jobController.pack(source, text::toPath(output))) {
                    showJob(*job);
                } else {
                    const text::ErrorWords words = text::describe(job.error());
                    m_messages->show({theme::Tone::Attention, words.title, words.detail, {}});
                }
            });
    dialog->open();
}

void MainWindow::connectUndo() {
    connect(m_actions.undo, &QAction::triggered, this, [this] { m_lastChange.undo(); });
    connect(&m_pages.space->controller(), &RetentionController::reported, this,
            [this](const RetentionController::Report& report) {
                if (report.isUndo || report.count == 0) {
                    m_lastChange.forget();
                    return;
                }
                const auto count = static_cast<int>(report.count);
                m_lastChange.offer(tr("Move of %Ln Checkpoints", nullptr, count), [this] {
                    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.space));
                    m_pages.space->controller().undo();
                });
            });
}

void MainWindow::undoJob(JobId id) {
    m_workspace->setCurrentTab(m_workspace->tabOf(m_pages.consolidate)); // says how it went
    if (!m_jobController.undo(id)) {
        const text::ErrorWords words = outputInUseWords(m_jobController.record(id).get());
        m_messages->show({theme::Tone::Attention, words.title, words.detail, {}});
    }
}

void MainWindow::connectPalette() {
    connect(m_actions.palette, &QAction::triggered, this,
            [this] { m_palette->popUp(m_workspace->currentPage()->actions()); });
    m_palette->findPlaces = [this](const QStringList& words, std::size_t most) {
        const NavigatorModel& model = *m_navigator->model();
        std::vector<PaletteEntry> entries;
        findControls(*m_workspace->currentPage(), words, most, entries);
        std::vector<QModelIndex> rows;
        findRows(model, {}, words, most, rows);
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
        for (PaletteEntry& preference : findPreferences(words)) {
            entries.push_back(std::move(preference));
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
