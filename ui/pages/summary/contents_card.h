// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/summary/summary_facts.h"
#include "ui/widgets/card.h"

namespace cairn::ui {

/// "Contents": the bytes of each role.
class ContentsCard : public Card {
    Q_OBJECT

public:
    explicit ContentsCard(const SummaryFacts& facts, QWidget* parent = nullptr);
};

} // namespace cairn::ui
