// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/navigator/run_place.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QMenu;

namespace cairn::ui {

class Button;
class RunLetter;

/// One side of a comparison: its letter and line, its name, and a menu of the runs that could be
/// there instead.
class RunPicker : public QWidget {
    Q_OBJECT

public:
    explicit RunPicker(int series, QWidget* parent = nullptr);

    /// Called for the runs of the opened experiments when the menu opens; it lists the
    /// first ones.
    using Source = std::function<std::vector<RunPlace>()>;
    void setSource(Source source);
    void setRun(const std::optional<RunPlace>& run);
    const std::optional<RunPlace>& run() const { return m_run; }
    void setNameWidth(int pixels);
    int widthBesideName() const; ///< px of everything but the name
    Button* button() const { return m_button; }

Q_SIGNALS:
    void chosen(const cairn::ui::RunPlace& run);

private:
    void fillMenu();
    void updateName();

    int m_series;
    Source m_source;
    std::optional<RunPlace> m_run;
    int m_nameWidth = 160;
    RunLetter* m_letter;
    Button* m_button;
    QMenu* m_menu;
};

} // namespace cairn::ui
