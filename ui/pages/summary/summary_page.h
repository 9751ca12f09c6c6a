// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/pages/page.h"
#include "ui/pages/summary/summary_facts.h"

class QGridLayout;
class QVBoxLayout;

namespace cairn::ui {

/// The first answer about a checkpoint: where in training it is, whether it is whole, how its bytes
/// lie and what it is made of. Cards with nothing to say are not there.
class SummaryPage : public Page {
    Q_OBJECT

public:
    explicit SummaryPage(QWidget* parent = nullptr);

    QString title() const override;
    void showCheckpoint(const CheckpointPtr& checkpoint) override;
    void clear() override;

Q_SIGNALS:
    void shardsRequested();
    void metadataRequested();

private:
    void show(const SummaryFacts& facts);
    QWidget* hero(const SummaryFacts& facts) const;
    QWidget* shards(const SummaryFacts& facts);
    QWidget* makeUp(const SummaryFacts& facts) const;
    QWidget* notices() const;
    QWidget* values(const SummaryFacts& facts);
    void emptyOut();

    CheckpointPtr m_checkpoint;
    AsyncRunner m_runner;
    QWidget* m_body;
    QVBoxLayout* m_cards;
};

} // namespace cairn::ui
