// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace cairn::ui {

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
    SettingsCard* settings() const { return m_settings; }

private:
    TextLabel* m_sentence;
    TextLabel* m_divergence;
    SettingsCard* m_settings;
};

} // namespace cairn::ui
