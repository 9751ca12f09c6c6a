// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cairn::ui {

class Button;
class SettingsCard;
class TextLabel;

/// Above the charts of two runs: the result in one sentence, the settings that differ. In a window
/// without the right column also where the runs diverge.
class CompareHeader : public QWidget {
    Q_OBJECT

public:
    explicit CompareHeader(QWidget* parent = nullptr);

    void setSentence(const QString& sentence);
    QString sentence() const;
    void setDivergence(const QString& words); ///< empty: it is shown elsewhere
    QString divergence() const;
    /// Says that the filter hides all metrics, which is their number; 0: it does not.
    void setHidden(int metrics);
    Button* showAllButton() const { return m_showAll; }
    SettingsCard* settings() const { return m_settings; }

private:
    TextLabel* m_sentence;
    TextLabel* m_divergence;
    SettingsCard* m_settings;
    QWidget* m_hiddenRow; ///< below the settings, in place of the charts
    TextLabel* m_hidden;
    Button* m_showAll;
};

} // namespace cairn::ui
