// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/summary/summary_facts.h"
#include "ui/widgets/card.h"

namespace cairn::ui {

/// "Bytes per shard": a bar a file, the uneven and the missing ones marked and described in a
/// sentence.
class ShardCard : public Card {
    Q_OBJECT

public:
    explicit ShardCard(const SummaryFacts& facts, QWidget* parent = nullptr);

    /// "rank 2" for "__2_0.distcp", "shard 1" for "model-00001-of-00003.safetensors", "optimizer,
    /// rank 3" for "bf16_zero_pp_rank_3_mp_rank_00_optim_states.pt"; else the file's own name.
    static QString label(const std::string& file);

Q_SIGNALS:
    void moreRequested(); ///< requests the full list

private:
    QStringList sentences(const SummaryFacts& facts) const;
};

} // namespace cairn::ui
