// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/job_choices.h"

#include <QWidget>

#include <cstdint>

class QMenu;

namespace cairn::ui {

class Button;

/// The choices in a row, each a menu button whose text is the current choice.
class ChoiceBar : public QWidget {
    Q_OBJECT

public:
    explicit ChoiceBar(QWidget* parent = nullptr);

    /// `choices`: in the form that was found, if the user left it open.
    void setChoices(const JobChoices& choices);
    void setMoreShown(bool shown);

Q_SIGNALS:
    void changed(const cairn::ui::ChoiceChange& change);
    void outputRequested();
    void moreToggled(bool shown);

private:
    void addChoice(QMenu* menu, const QString& text, const QString& tip, ChoiceChange change);
    void addFormats();
    void addSizes();
    void askSize();

    std::uint64_t m_size = 0;
    Button* m_format;
    Button* m_only;
    Button* m_shards;
    Button* m_output;
    Button* m_more;
};

} // namespace cairn::ui
