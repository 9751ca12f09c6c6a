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
class NameRulesEditor;
class StripRoles;

/// Rarely needed options, shown by "More Options": dtype, names, roles, ranks, tensors by name.
/// Rows with no effect on the chosen target are hidden. Typing is collected for a moment.
class MoreOptions : public Card {
    Q_OBJECT

public:
    explicit MoreOptions(QWidget* parent = nullptr);

    /// `scaled`: there are 8-bit weights with scales. `roles`: roles that can be left out.
    void setRecipe(const Recipe& recipe, Recipe::Target target, bool scaled,
                   const std::vector<RoleContents>& roles);
    /// The choices that differ from the defaults; they must not be hidden.
    static bool hasChoices(const Recipe& recipe);
    /// What the user picks with "Add Adapter…" and "Take Config and Tokenizer from…".
    void addAdapter(const std::filesystem::path& adapter);
    void setLike(const std::filesystem::path& folder);

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
    void addRoles();
    void addRanks();
    void addFolders();
    void pickFolder(const QString& title,
                    const std::function<void(const std::filesystem::path&)>& picked);
    void send(RecipeChange change);

    QGridLayout* m_grid;
    Button* m_dtype;
    QLineEdit* m_keepFp32;
    QCheckBox* m_castAll;
    QCheckBox* m_dequantize;
    QWidget* m_dequantizeName = nullptr;
    DeviceButton* m_device;
    NameRulesEditor* m_names;
    QLineEdit* m_only;
    StripRoles* m_strip;
    QWidget* m_stripName = nullptr;
    std::vector<QWidget*> m_weightsRow; ///< there for an average
    QLineEdit* m_weights;
    std::vector<QWidget*> m_rankRow; ///< there for Dcp
    QSpinBox* m_rows;
    QSpinBox* m_rowsDim;
    QSpinBox* m_columns;
    QSpinBox* m_columnsDim;
    Button* m_adapter;
    std::vector<QWidget*> m_adapterRow; ///< there unless for an average
    TextLabel* m_like;
    Button* m_likeButton;
    Button* m_likeReset;
    std::vector<QWidget*> m_likeRow; ///< there for a Hugging Face folder
    std::filesystem::path m_near;    ///< where the next choice of a folder starts
    QTimer m_typing;
    std::vector<RecipeChange> m_typed;
    bool m_filling = false;
};

} // namespace cairn::ui
