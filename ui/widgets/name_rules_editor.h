// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <string>

class QLineEdit;

namespace cairn::ui {

class Button;

/// How names change: not at all, by one of the predefined rules, or by the user's rules (see
/// NameRules). Rules are texts, "" for none.
class NameRulesEditor : public QWidget {
    Q_OBJECT

public:
    /// `name`: the button's name for screen readers.
    explicit NameRulesEditor(const QString& name, QWidget* parent = nullptr);

    /// Shows these rules. With `typing`, the text that is being typed is not changed. Emits
    /// nothing.
    void setRules(const std::string& rules, bool typing = false);

Q_SIGNALS:
    void chosen(const std::string& rules); ///< from the menu
    void typed(const std::string& rules);  ///< at every key press

private:
    void addPreset(const QString& text, const std::string& rules, bool own);
    std::string ownText() const;

    Button* m_button;
    QLineEdit* m_field;
    bool m_own = false; ///< custom rules, even if still empty
    bool m_filling = false;
};

} // namespace cairn::ui
