// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/card.h"

namespace cairn::ui {

class Button;
class MetadataEditModel;
class RowView;

/// The entries of a file's metadata, to be changed, added and removed.
class MetadataCard : public Card {
    Q_OBJECT

public:
    explicit MetadataCard(QWidget* parent = nullptr);
    MetadataEditModel& model() const { return *m_model; }

private:
    void addEntry();
    void updateButtons();

    MetadataEditModel* m_model;
    RowView* m_view;
    Button* m_add;
    Button* m_remove;
};

} // namespace cairn::ui
