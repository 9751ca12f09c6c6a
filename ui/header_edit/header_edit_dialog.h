// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/bridge/async_runner.h"
#include "ui/header_edit/header_draft.h"

#include <QDialog>
#include <QTimer>

#include <filesystem>
#include <optional>

class QScrollArea;

namespace cairn {
class FileOps;
}

namespace cairn::ui {

class Button;
class Card;
class HeaderChangeModel;
class HeaderFacts;
class MessageStrip;
class MetadataCard;
class MetadataEditModel;
class NameRulesEditor;
class RowView;
class TextLabel;
struct Message;

/// Changes names and metadata in a file in place: the changes above, their plan below, computed off
/// the GUI thread after every change. Writes only on Apply, on a worker, and cannot be closed
/// meanwhile. If an edit of the file was interrupted, it offers to recover that first.
class HeaderEditDialog : public QDialog {
    Q_OBJECT

public:
    /// `ops` outlives the dialog and its work on the pool.
    HeaderEditDialog(FileOps& ops, std::filesystem::path file, QWidget* parent = nullptr);

    /// Nothing is typed, planned or written right now.
    bool isSettled() const;
    /// The plan for the present changes; null: not computed yet, or refused.
    const HeaderEditPlan* plan() const { return m_plan.get(); }
    NameRulesEditor* names() const { return m_names; }
    MetadataEditModel& metadata() const;
    MessageStrip* message() const { return m_strip; }
    Button* applyButton() const { return m_apply; }
    Button* copyButton() const { return m_copy; }

    void reject() override;

Q_SIGNALS:
    /// The file on disk was changed. `remark`: further details; may be empty.
    void fileChanged(const std::filesystem::path& file, const QString& what, const QString& remark);
    /// The plan was applied, before fileChanged().
    void planApplied(const cairn::ui::HeaderEditPlanPtr& plan);
    /// These names, in a new file.
    void consolidateRequested(const std::string& rename);
    void copied(const QString& what);

private:
    void buildLayout();
    QWidget* buttons();
    HeaderDraft draft() const;
    void load();
    void replan();
    void ask(); ///< before anything is written
    void apply();
    void recover();
    void applied(const HeaderEditReport& report);
    void recovered(Recovered how);
    void refused(const Error& error);
    void refresh();
    void showChanges();
    void showNothing(const QString& why);
    void showMessage();
    void showCommand();
    void fit();
    Message errorMessage();
    Message noRoomMessage();
    Message question();

    FileOps& m_ops;
    std::filesystem::path m_file;
    QScrollArea* m_scroll; ///< for small windows
    QWidget* m_body;
    NameRulesEditor* m_names;
    MetadataCard* m_metadata;
    Card* m_changesCard;
    TextLabel* m_nothing;
    HeaderChangeModel* m_changes;
    RowView* m_list;
    HeaderFacts* m_facts;
    MessageStrip* m_strip;
    Button* m_copy;
    Button* m_close;
    Button* m_apply;
    std::string m_rename;
    QString m_command; ///< for a shell; empty: none
    HeaderEditPlanPtr m_plan;
    std::optional<Error> m_error;
    QString m_recoveryText; ///< how a recovery ended
    bool m_asks = false;    ///< the question is shown; any change takes it back
    bool m_loaded = false;
    bool m_small = true; ///< nothing but a message
    QTimer m_typing;
    AsyncRunner m_planning;
    AsyncRunner m_writing{AsyncRunner::Pool::Long};
};

} // namespace cairn::ui
