// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <QWidget>

namespace cairn::ui {

class Button;
class TextLabel;

/// The centre of a page that has nothing to list: empty, loading, nothing found, unreadable. A
/// headline, a sentence, and a button if an action is possible.
class NoticePane : public QWidget {
    Q_OBJECT

public:
    explicit NoticePane(QWidget* parent = nullptr);

    /// An empty `action` hides the button.
    void showMessage(const QString& headline, const QString& sentence, const QString& action = {});
    void showError(const QString& headline, const Error& error, const QString& action);
    QString headline() const;

Q_SIGNALS:
    void actionChosen();

protected:
    void showEvent(QShowEvent* event) override; ///< readers hear the headline

private:
    TextLabel* m_headline;
    TextLabel* m_sentence;
    Button* m_button;
};

} // namespace cairn::ui
