// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/selection.h"
#include "ui/pages/consolidate/deploy_plans.h"
#include "ui/widgets/card.h"

#include <QTimer>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

class QCheckBox;
class QGridLayout;
class QHBoxLayout;
class QLayout;
class QLineEdit;

namespace cairn::ui {

class Button;
class ChoiceButton;
class DeviceButton;
class FieldControl;
class NameRulesEditor;
class RankGrid;
class StripRoles;

/// The rows of options. Those that everybody needs are in firstRows(): precision, adapters, names,
/// files, trust, where it runs. The others are this card, shown by "More Options": roles, ranks,
/// tensors by name, and every option of the table of fields that has no control of its own on the
/// page. Rows with no effect on the job are hidden. Typing is collected for a moment.
class MoreOptions : public Card {
    Q_OBJECT

public:
    /// The bar of forms and the rows of adapters become a part of the first rows.
    MoreOptions(ChoiceBar* bar, AdapterRows* adapters, QWidget* parent = nullptr);

    /// Not inside this card: the page places them above it.
    QWidget* firstRows() const { return m_first; }
    /// What the plan says of the first rows; null: nothing yet.
    void showPlan(const PlannedDeployment* planned, const std::optional<Outlook>& outlook);

    /// `choices`: in the form that was found, if the user left it open. `scaled`: there are 8-bit
    /// weights with scales. `roles`: roles that can be left out.
    void setChoices(const JobChoices& choices, bool scaled, const std::vector<RoleContents>& roles);
    /// Some differ from the defaults; they must not be hidden.
    static bool hasChoices(const JobChoices& choices);
    /// Whether a control of the page was made for this field by hand.
    static bool hasOwnControl(std::string_view field);
    /// A typed text has not been reported by changed() yet.
    [[nodiscard]] bool isTyping() const { return m_typing.isActive(); }
    /// What the user picks with "Add Adapter…" and "Config from…".
    void addAdapter(const std::filesystem::path& adapter);
    void setLike(const std::filesystem::path& folder);
    void pickLike(); ///< asks for the folder

Q_SIGNALS:
    void changed(const cairn::ui::ChoiceChange& change);
    void runOnRequested();

private:
    struct Row {
        QHBoxLayout* line;
        QWidget* label;
    };
    Row addRow(QGridLayout* grid, const QString& name, QWidget* first);
    TextLabel* facts();
    FieldControl* field(std::string_view name);
    QLineEdit* line(const QString& name, const QString& placeholder, std::string_view field);
    QCheckBox* box(const QString& text, const QString& tip, bool JobRequest::*flag);
    void addFirstRows(ChoiceBar* bar, AdapterRows* adapters);
    void addDtypes();
    void addDevices();
    void addNames();
    void addRoles();
    void addRanks();
    QWidget* adapterButton();
    void addLike(QLayout* line);
    void addFields();
    void showFields(const JobChoices& choices);
    void pickFolder(const QString& title,
                    const std::function<void(const std::filesystem::path&)>& picked);
    void send(ChoiceChange change);

    QWidget* m_first;
    QGridLayout* m_firstGrid;
    QGridLayout* m_grid;
    TextLabel* m_precisionFacts = nullptr;
    TextLabel* m_filesFacts = nullptr;
    TextLabel* m_runFacts = nullptr;
    ChoiceButton* m_dtype = nullptr;
    QLineEdit* m_keepFp32;
    QCheckBox* m_castAll;
    QCheckBox* m_dequantize;
    QWidget* m_dequantizeName = nullptr;
    DeviceButton* m_device;
    NameRulesEditor* m_names;
    QLineEdit* m_only;
    std::vector<QWidget*> m_onlyRow; ///< there unless a whole training state is written
    StripRoles* m_strip;
    QWidget* m_stripName = nullptr;
    std::vector<QWidget*> m_weightsRow; ///< there for an average
    QLineEdit* m_weights;
    std::vector<QWidget*> m_rankRow; ///< there for formats that cut tensors
    RankGrid* m_ranks;
    Button* m_adapter;
    std::vector<QWidget*> m_adapterRow; ///< there unless for an average
    TextLabel* m_like;
    Button* m_likeButton;
    Button* m_likeReset;
    struct FieldRow {
        FieldControl* control;
        QWidget* label; ///< null: a box, in a row with others
    };
    std::vector<FieldRow> m_fields;     ///< in the order of the table
    std::vector<FieldControl*> m_boxes; ///< of m_boxRow
    std::vector<QWidget*> m_boxRow;
    std::filesystem::path m_near; ///< where the next choice of a folder starts
    QTimer m_typing;
    std::vector<ChoiceChange> m_typed;
    bool m_filling = false;
};

} // namespace cairn::ui
