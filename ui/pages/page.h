// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/checkpoint.h"

#include <QString>
#include <QWidget>

#include <cstdint>

class QLineEdit;

namespace cairn::ui {

struct PageInfo;

/// One tab of the centre column. A page shows one checkpoint at a time and never accesses files on
/// the GUI thread: its own AsyncRunner reads them. GUI thread only. Made by the shell, owned by the
/// tab widget.
class Page : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Its entry in the table of pages: id, title, what it shows.
    virtual const PageInfo& info() const = 0;

    /// What is selected in the navigator, from the top down.
    enum class Subject : std::uint8_t { Experiment, Run, Checkpoint };

    /// Replaces the shown checkpoint. Returns at once; slow parts are filled in later. Never null.
    virtual void showCheckpoint(const CheckpointPtr& checkpoint) = 0;

    /// Nothing is selected, or it is being opened: releases the checkpoint and stops the page's
    /// work.
    virtual void clear() = 0;

    /// Text of the toolbar's filter field, as typed, at every key press; empty: no filter. Pages
    /// without a list ignore it.
    virtual void setFilter(const QString& text) { Q_UNUSED(text) }

    /// The page has a list that setFilter() narrows; the shell disables the field otherwise.
    virtual bool canFilter() const { return false; }

    /// The page's own field for the filter, in place of the toolbar's; null: none. What is typed
    /// there reaches setFilter(), too.
    virtual QLineEdit* filterField() { return nullptr; }

    /// The field's placeholder, "Filter metrics…"; empty: the window's default.
    virtual QString filterHint() const { return {}; }

    /// The widget that gets the focus from the filter field on Down or Enter; null: the page
    /// itself.
    virtual QWidget* filterTarget() { return nullptr; }

    /// Replaces the inspector in the right column while this page is shown; null: the inspector
    /// stays. Owned by the page until the shell adds it to the column.
    virtual QWidget* sidePanel() { return nullptr; }

    /// Selects the tensor and scrolls to it, if the page lists tensors; called when it was selected
    /// elsewhere, because the window has one selection. Ignored for a checkpoint other than the
    /// shown one. Emits nothing.
    virtual void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) {
        Q_UNUSED(checkpoint)
        Q_UNUSED(tensor)
    }

    /// Edit > Copy (Ctrl+C) and Copy as Python (Ctrl+Shift+C): puts the selected rows, or Python
    /// lines that load the selected tensor, onto the clipboard. False: nothing to copy. Pages do
    /// not define these keys themselves.
    enum class CopyAs { Rows, Python };
    virtual bool copySelection(CopyAs what) {
        Q_UNUSED(what)
        return false;
    }

Q_SIGNALS:
    /// The user chose a tensor; the inspector and the other pages show it.
    void tensorSelected(const cairn::CheckpointPtr& checkpoint, cairn::TensorIndex tensor);
};

} // namespace cairn::ui
