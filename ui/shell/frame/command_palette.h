// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"

#include <QFrame>
#include <QList>
#include <QStringList>

#include <cstdint>
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
    QString kind; ///< "run", "checkpoint", "tensor", the page of a command: at the right
    std::function<void()> choose;
    enum class Group : std::uint8_t { Object, PageCommand, OtherPageCommand, Preference };
    Group group = Group::Object;
    /// Of an object: what names exactly it.
    QStringList names = {};
    bool isRisky = false; ///< see kRisky
};

/// Finds anything by its words: actions of the window and commands of all pages, runs, checkpoints,
/// and tensors of the shown checkpoint. What is named exactly comes first, then actions and
/// commands, then objects that contain the words; what is disabled comes behind, and what takes
/// something away (kRisky) last. Enter chooses, Esc leaves; nothing risky is ever selected by
/// itself.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(QList<QAction*> actions, QWidget* parent);

    /// Shows it over the parent, empty and focused. `pageActions`: of the current page.
    void popUp(const QList<QAction*>& pageActions = {});
    QLineEdit* field() const { return m_field; }
    QListWidget* list() const { return m_list; }

    /// Commands of pages, runs and checkpoints whose names contain all words, about `most` of each;
    /// on the GUI thread.
    std::function<std::vector<PaletteEntry>(const QStringList& words, std::size_t most)> findPlaces;
    /// The checkpoint whose tensors are searched, in a worker; null: none.
    std::function<CheckpointPtr()> shownCheckpoint;
    std::function<void(TensorIndex)> chooseTensor;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A row; `rank`: smaller ones first.
    struct Found {
        int rank = 0;
        QAction* action = nullptr; ///< or the entry
        PaletteEntry entry;
        [[nodiscard]] bool isRisky() const;
    };
    void applyFilter(const QString& words);
    void find(const QStringList& words);
    void fill();
    void addRow(const Found& found);
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
    std::vector<Found> m_found; ///< in the order of the rows
};

} // namespace cairn::ui
