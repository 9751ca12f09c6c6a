// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/contents_card.h"

#include "ui/models/role_color.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace cairn::ui {

ContentsCard::ContentsCard(const SummaryFacts& facts, QWidget* parent)
    : Card(tr("Contents"), parent) {
    auto* bar = new StackedBar;
    std::vector<double> parts(kRoleGroups); // in the colours of Space and Shards
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid / 2 + 1);
    QStringList accessibleText;
    for (std::size_t i = 0; i < facts.roles.size(); ++i) {
        const RoleShare& share = facts.roles[i];
        parts[static_cast<std::size_t>(roleGroup(share.role))] += static_cast<double>(share.bytes);
        const int line = static_cast<int>(i);
        const QString dtype = text::fromCore(dtypeName(share.dtype));
        const QString detail = tr("%Ln tensors", nullptr, static_cast<int>(share.tensors)) +
                               QStringLiteral(" · ") +
                               (share.oneDtype ? dtype : tr("mostly %1").arg(dtype));
        grid->addWidget(new Swatch(roleGroup(share.role)), line, 0, Qt::AlignVCenter);
        grid->addWidget(new TextLabel(words::role(share.role)), line, 1);
        auto* bytes = new TextLabel(text::bytes(share.bytes));
        bytes->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grid->addWidget(bytes, line, 2);
        auto* dim = new TextLabel(detail, theme::Tone::Dim);
        dim->setContentsMargins(theme::kGrid, 0, 0, 0);
        dim->setElideMiddle(true);
        grid->addWidget(dim, line, 3);
        accessibleText << words::role(share.role) + QLatin1Char(' ') + text::bytes(share.bytes);
    }
    grid->setColumnStretch(3, 1);
    bar->setParts(std::move(parts));
    bar->setAccessibleDescription(accessibleText.join(QStringLiteral(", ")));
    content()->addWidget(bar);
    content()->addLayout(grid);
    content()->addStretch(1);
}

} // namespace cairn::ui
