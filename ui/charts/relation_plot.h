// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_export.h"
#include "ui/charts/kept_picture.h"
#include "ui/charts/plot_widget.h"
#include "ui/charts/relation.h"

#include <QColor>

#include <cstddef>
#include <vector>

namespace cairn::ui {

/// A plot of things of which some are chosen. Its base, everything as it is drawn while others are
/// chosen, is kept as a picture, so that choosing paints only the chosen ones. A picture for a file
/// is drawn by the same functions. GUI thread only.
class RelationPlot : public PlotWidget {
    Q_OBJECT

public:
    const RelationPtr& relation() const { return m_relation; }
    /// Which things are chosen, parallel to the items; empty: none. Emits nothing.
    void setChosen(std::vector<bool> chosen);
    const std::vector<bool>& chosen() const { return m_chosen; }
    /// As it is shown, without focus and pointer, in a format that is a picture.
    QByteArray picture(ExportFormat format) const;
    int basesPainted() const { return m_base.drawn(); } ///< for tests
    /// The queue for the base of thousands of things; it outlives the plot.
    void setTurns(TurnQueue& turns) { m_base.setTurns(&turns); }

Q_SIGNALS:
    void menuRequested(const QPoint& global);

protected:
    explicit RelationPlot(QWidget* parent);

    /// Of the relation before, nothing is chosen.
    void setRelation(RelationPtr relation);
    bool hasChosen() const { return !m_chosen.empty(); }
    bool isChosen(std::size_t item) const { return item < m_chosen.size() && m_chosen[item]; }
    /// The base, or the palette, is another one.
    void forgetBase();
    /// The colour of an item: on the scale, if there is one; else that of its mark, or the accent
    /// if it is chosen.
    QColor ink(std::size_t item, bool chosen) const;

    /// The items from `first` to before `last`; faint while hasChosen(). What is below all items is
    /// painted with those from 0 on.
    virtual void paintBase(QPainter& painter, std::size_t first, std::size_t last) const = 0;
    virtual std::size_t baseItems() const = 0;
    /// The chosen items, and what is above all items.
    virtual void paintChosen(QPainter& painter) const = 0;
    /// On the screen only.
    virtual void paintPointer(QPainter& painter) { paintCurrent(painter); }
    virtual QString pictureTitle() const { return {}; }

    void paintEvent(QPaintEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    bool isEmpty() const { return m_relation == nullptr || m_relation->axes.empty(); }

    RelationPtr m_relation;
    std::vector<bool> m_chosen;
    KeptPicture m_base{*this};
    QColor m_accent;
    QColor m_dim;
};

} // namespace cairn::ui
