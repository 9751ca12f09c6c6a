// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/request_fields.h"

#include <QString>
#include <QWidget>

#include <filesystem>
#include <string>
#include <string_view>

class QCheckBox;
class QLineEdit;

namespace cairn::ui {

class ChoiceButton;
class TextLabel;

/// The control of an option, made from its row in the table of fields: a box, a menu of its values,
/// or a line of text, with a file dialog for places. Its object name is the field's name.
class FieldControl : public QWidget {
    Q_OBJECT

public:
    explicit FieldControl(const RequestField& field, QWidget* parent = nullptr);

    const RequestField& field() const { return m_field; }
    /// In front of it; a box has its own text.
    QString label() const;
    bool isBox() const { return m_box != nullptr; }
    /// Shows this text of the field; with `typing`, what is being typed is not changed. Emits
    /// nothing.
    void setText(const std::string& text, bool typing);
    void setProblem(const QString& problem); ///< below it; empty: none

Q_SIGNALS:
    void chosen(const std::string& text); ///< with a click
    void typed(const std::string& text);  ///< at every key press

private:
    void makeBox(const QString& text, const QString& tip);
    void makeMenu(const QString& name, const QString& tip);
    void makeLine(const QString& name, const QString& tip);
    void pick();

    const RequestField& m_field;
    QCheckBox* m_box = nullptr;
    ChoiceButton* m_menu = nullptr;
    QLineEdit* m_line = nullptr;
    TextLabel* m_problem = nullptr;
    bool m_filling = false;
};

/// The values that the table has for a field.
std::vector<std::string> valuesOf(const RequestField& field);

/// "bfloat16", "as stored".
QString dtypeWords(const std::string& dtype);

} // namespace cairn::ui
