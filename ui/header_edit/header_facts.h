// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/header_edit/header_draft.h"
#include "ui/widgets/card.h"

#include <vector>

class QCheckBox;
class QGridLayout;

namespace cairn::ui {

/// How a planned edit would be done: the overwritten bytes, the new file size, the position of the
/// old header.
class HeaderFacts : public Card {
    Q_OBJECT

public:
    explicit HeaderFacts(QWidget* parent = nullptr);

    void show(const HeaderEditPlan& plan);
    void showRefused(); ///< the requested change is not possible
    bool keepsBackup() const;

Q_SIGNALS:
    void keepChanged();

private:
    struct Fact {
        TextLabel* value;
        TextLabel* remark;
    };
    Fact addFact(const QString& name);
    void showBackup();

    QGridLayout* m_grid;
    Fact m_how;
    Fact m_over;
    Fact m_backup;
    QCheckBox* m_keep;
    std::string m_name; ///< of the file
};

} // namespace cairn::ui
