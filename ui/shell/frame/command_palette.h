// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"

#include <QFrame>
#include <QList>

#include <functional>
#include <vector>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace cairn::ui {

/// Something that the palette finds besides actions.
struct PaletteEntry {
    QString text;
    QString kind; ///< "run", "checkpoint", "tensor": at the right
    std::function<void()> choose;
};

/// Finds anything by its words: actions of the window and of the page, with their shortcuts, runs,
/// checkpoints, and tensors of the shown checkpoint. Enter chooses, Esc leaves. Disabled actions
/// are listed greyed, so that they can be found too.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(QList<QAction*> actions, QWidget* parent);

    /// Shows it over the parent, empty and focused. `pageActions`: of the current page.
    void popUp(const QList<QAction*>& pageActions = {});
    QLineEdit* field() const { return m_field; }
    QListWidget* list() const { return m_list; }

    /// Controls of the page, runs and checkpoints whose names contain all words, about `most` of
    /// each; on the GUI thread.
    std::function<std::vector<PaletteEntry>(const QStringList& words, std::size_t most)> findPlaces;
    /// The checkpoint whose tensors are searched, in a worker; null: none.
    std::function<CheckpointPtr()> shownCheckpoint;
    std::function<void(TensorIndex)> chooseTensor;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void applyFilter(const QString& words);
    void addAction(QAction* action);
    void addEntry(PaletteEntry entry);
    void searchTensors(const QStringList& words);
    void selectFirst();
    void updateNothing(bool searching);
    void run();

    QList<QAction*> m_actions;
    QList<QAction*> m_pageActions;
    QLineEdit* m_field;
    QListWidget* m_list;
    QLabel* m_nothing;
    AsyncRunner m_tensors;
    std::vector<PaletteEntry> m_entries; ///< of the rows that are no actions
};

} // namespace cairn::ui
