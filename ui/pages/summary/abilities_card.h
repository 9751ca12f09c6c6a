// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/abilities.h"
#include "core/model/checkpoint.h"
#include "ui/bridge/async_runner.h"

#include <QWidget>

#include <array>

namespace cairn::ui {

class Card;

/// "What it can do": serve, resume in its own trainer or elsewhere, give its weights, as
/// `cairn-cli info` says it, with the way to do it. Read on a worker; hidden for a checkpoint that
/// can do nothing.
class AbilitiesPane : public QWidget {
    Q_OBJECT

public:
    explicit AbilitiesPane(QWidget* parent = nullptr);

    void show(const CheckpointPtr& checkpoint);
    void clear();

Q_SIGNALS:
    void deployRequested();
    void continueRequested();

private:
    using Abilities = std::array<Ability, kAbilities>;
    void showRows(const Abilities& abilities);

    AsyncRunner m_runner{AsyncRunner::Pool::Background};
    Card* m_card = nullptr;
};

} // namespace cairn::ui
