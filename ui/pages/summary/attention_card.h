// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "ui/widgets/card.h"

#include <filesystem>
#include <span>

class QHBoxLayout;

namespace cairn::ui {

/// A checkpoint's warnings and errors, the errors first, at most six.
class AttentionCard : public Card {
    Q_OBJECT

public:
    using Card::Card;

Q_SIGNALS:
    /// Of a file whose edit was interrupted.
    void recoveryRequested(const std::filesystem::path& file);
};

/// A finding on its own line: a mark in its tone, title, and detail below. Owned by the layout that
/// it is added to.
QHBoxLayout* findingRow(theme::Tone tone, const QString& title, const QString& detail);

/// Null if there is no warning and no error. Owned by the layout it is added to.
AttentionCard* makeAttentionCard(std::span<const Notice> notices, QWidget* parent = nullptr);

} // namespace cairn::ui
