// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/button.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

class QAction;

namespace cairn::ui {

/// Shows the value of an option; its menu changes it, to another text on request.
class ChoiceButton : public Button {
    Q_OBJECT

public:
    using Words = QString (*)(const std::string& value);
    enum class Others : bool { No, Yes }; ///< whether another text can be entered

    /// `name`: for screen readers and as the title of the question. `words`: how a value is shown.
    ChoiceButton(const QString& name, const std::vector<std::string>& values, Words words,
                 Others others = Others::Yes, QWidget* parent = nullptr);
    void setValue(const std::string& value); ///< emits nothing
    const std::string& value() const { return m_value; }
    /// A value that is not offered stays in the menu, disabled; `why` is its tooltip.
    void setOffered(const std::string& value, bool offered, const QString& why);

Q_SIGNALS:
    void chosenByUser(const std::string& value);

private:
    void ask();

    Words m_words;
    std::string m_value;
    std::map<std::string, QAction*> m_actions; ///< by value
};

} // namespace cairn::ui
