// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/recipe_bar.h"
#include "ui/widgets/card.h"

#include <QTimer>

class QCheckBox;
class QGridLayout;
class QHBoxLayout;
class QLineEdit;
class QMenu;
class QSpinBox;

namespace cairn::ui {

class DeviceButton;

/// What few need, behind "More Options": dtype, names, ranks, tensors by name. Rows that have
/// nothing to say for the chosen target are not there. Typing is gathered for a moment.
class MoreOptions : public Card {
    Q_OBJECT

public:
    explicit MoreOptions(QWidget* parent = nullptr);

    /// `scaled`: there are 8-bit weights with scales.
    void setRecipe(const Recipe& recipe, Recipe::Target target, bool scaled);
    /// What is chosen here beyond the defaults; it must not be hidden.
    static bool hasChoices(const Recipe& recipe);

Q_SIGNALS:
    void changed(const cairn::ui::RecipeChange& change);

private:
    QHBoxLayout* addRow(const QString& name, QWidget* first);
    QLineEdit* field(const QString& name, const QString& placeholder, std::string Recipe::*text);
    QSpinBox* number(const QString& name, int least, int most,
                     std::function<void(Recipe&, int)> set);
    QCheckBox* box(const QString& text, const QString& tip, bool Recipe::*flag);
    void addDtypes();
    void addDevices();
    void addNames();
    void addRanks();
    void send(RecipeChange change);

    QGridLayout* m_grid;
    Button* m_dtype;
    QLineEdit* m_keepFp32;
    QCheckBox* m_castAll;
    QCheckBox* m_dequantize;
    QWidget* m_dequantizeName = nullptr;
    DeviceButton* m_device;
    Button* m_names;
    QLineEdit* m_rename;
    QLineEdit* m_only;
    std::vector<QWidget*> m_weightsRow; ///< there for an average
    QLineEdit* m_weights;
    std::vector<QWidget*> m_rankRow; ///< there for Dcp
    QSpinBox* m_rows;
    QSpinBox* m_rowsDim;
    QSpinBox* m_columns;
    QSpinBox* m_columnsDim;
    QTimer m_typing;
    std::vector<RecipeChange> m_typed;
    bool m_filling = false;
    bool m_ownRules = false;
};

} // namespace cairn::ui
