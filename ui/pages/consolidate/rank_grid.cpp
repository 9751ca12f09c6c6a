// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/rank_grid.h"

#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/outlined.h"

#include <QSignalBlocker>
#include <QSpinBox>

#include <array>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kMaxRanks = 4096;

} // namespace

RankGrid::RankGrid(QWidget* parent)
    : QWidget(parent), m_rows(number(tr("Ranks"), 1, kMaxRanks)),
      m_rowsDim(number(tr("Dimension split across ranks"), -4, 7)),
      m_columns(number(tr("Ranks of the second axis"), 1, kMaxRanks)),
      m_columnsDim(number(tr("Dimension split along the second axis"), -4, 7)) {
    m_columnsDim->setValue(1);
    auto* line = new FlowLayout(theme::kGrid, this); // wraps in a small window
    line->addWidget(m_rows);
    const std::array<QWidget*, 6> rest = {new TextLabel(tr("along dimension"), theme::Tone::Dim),
                                          m_rowsDim,
                                          new TextLabel(QStringLiteral("×")),
                                          m_columns,
                                          new TextLabel(tr("along dimension"), theme::Tone::Dim),
                                          m_columnsDim};
    const int high = m_rows->sizeHint().expandedTo(m_rows->minimumSize()).height();
    for (QWidget* widget : rest) {
        widget->setMinimumHeight(high); // aligns the labels with them
        line->addWidget(widget);
    }
}

QSpinBox* RankGrid::number(const QString& name, int least, int most) {
    auto* spin = new Outlined<QSpinBox>;
    spin->setMinimumHeight(theme::kControlHeight);
    spin->setRange(least, most);
    spin->setAccessibleName(name);
    spin->setKeyboardTracking(true);
    spin->setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the page
    connect(spin, &QSpinBox::valueChanged, this, &RankGrid::changed);
    return spin;
}

std::vector<ShardAxis> RankGrid::axes() const {
    std::vector<ShardAxis> grid;
    for (const auto& [ranks, dim] :
         {std::pair(m_rows, m_rowsDim), std::pair(m_columns, m_columnsDim)}) {
        if (ranks->value() > 1) {
            grid.push_back({static_cast<std::uint32_t>(ranks->value()), dim->value()});
        }
    }
    return grid;
}

void RankGrid::setAxes(const std::vector<ShardAxis>& grid) {
    if (grid == axes()) {
        return;
    }
    const std::array<std::pair<QSpinBox*, QSpinBox*>, 2> fields = {std::pair(m_rows, m_rowsDim),
                                                                   {m_columns, m_columnsDim}};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const ShardAxis axis = i < grid.size() ? grid[i] : ShardAxis{1, static_cast<int>(i)};
        for (const auto& [field, value] :
             {std::pair(fields[i].first, static_cast<int>(axis.ranks)),
              std::pair(fields[i].second, static_cast<int>(axis.dim))}) {
            const QSignalBlocker quiet(field);
            field->setValue(value);
        }
    }
}

} // namespace cairn::ui
