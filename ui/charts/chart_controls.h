// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_board.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/run_axis.h"

#include <QJsonObject>
#include <QWidget>

#include <string>
#include <vector>

class QAction;
class QDoubleSpinBox;
class QHBoxLayout;
class QMenu;
class QSlider;

namespace cairn::ui {

class Button;
class TextLabel;

/// The toolbar above charts: x axis, log scale, smoothing, views and tables, export. Changes the
/// board; changes that need data (another axis) are signalled. A page may add its own labels and
/// buttons at either end.
class ChartControls : public QWidget {
    Q_OBJECT

public:
    explicit ChartControls(ChartBoard& board, QWidget* parent = nullptr);

    /// The available choices; the present choice is kept if available, otherwise it becomes Step.
    void setAxes(const std::vector<AxisChoice::Kind>& kinds, std::vector<std::string> metrics);
    const AxisChoice& axis() const { return m_axis; }
    void chooseAxis(const AxisChoice& axis);
    /// The axis's name in the crosshair's readout: "step".
    static QString axisWord(const AxisChoice& axis);
    QHBoxLayout* leading() const { return m_leading; }
    /// "90–260 ×", while the charts are zoomed: shows everything again.
    Button* zoomChip() const { return m_zoom; }
    QSize minimumSizeHint() const override; ///< buttons without space are in the menu "View"
    QHBoxLayout* trailing() const { return m_trailing; }
    void setSmoothing(double weight);
    /// For charts whose smoothing the user did not choose here.
    void setDefaultSmoothing(double weight);
    void setLogValues(bool log);
    /// Axis, scales, smoothing, tables: what the user chose, for another start of the program. An
    /// axis that the charts do not have is used as soon as they have it.
    QJsonObject keptState() const;
    void restoreState(const QJsonObject& state);
    /// Whether there are charts to control; widgets that a page put into the leading end stay
    /// unchanged.
    void setChartsEnabled(bool enabled);

Q_SIGNALS:
    void axisChosen();
    void stateChanged(); ///< keptState() is different
    void tablesToggled(bool shown);
    void exportRequested(cairn::ui::ExportFormat format);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void buildAxisMenu();
    void buildViewMenu();
    void applyOptions();
    void updateViewMenu();
    void updateZoomChip();
    void arrange(); ///< shows the widgets that there is room for
    void buildSmoothingMenu(QMenu& menu);
    static QString axisTitle(const AxisChoice& axis);
    bool isAvailable(const AxisChoice& axis) const;
    void showSmoothing(double weight);

    ChartBoard& m_board;
    AxisChoice m_axis;
    AxisChoice m_wanted; ///< what the user chose; m_axis, if the charts have it
    double m_defaultSmoothing = 0;
    bool m_ownSmoothing = false; ///< the user chose it here
    std::vector<AxisChoice::Kind> m_kinds;
    std::vector<std::string> m_metrics;
    QHBoxLayout* m_leading;
    QHBoxLayout* m_trailing;
    Button* m_axisButton;
    QMenu* m_axisMenu;
    Button* m_log;
    Button* m_zoom;
    TextLabel* m_smoothingLabel;
    QSlider* m_slider;
    QDoubleSpinBox* m_spin;
    Button* m_view = nullptr;
    Button* m_export = nullptr;
    QAction* m_logY = nullptr;
    QAction* m_logX = nullptr;
    QAction* m_tables = nullptr;
    QAction* m_fit = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
};

} // namespace cairn::ui
