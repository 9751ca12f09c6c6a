// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/attention_card.h"

#include "ui/text/error_text.h"
#include "ui/widgets/button.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <vector>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxNotices = 6;

} // namespace

QHBoxLayout* findingRow(theme::Tone tone, const QString& title, const QString& detail) {
    auto* row = new QHBoxLayout;
    auto* mark = new TextLabel(tone == theme::Tone::Broken      ? QStringLiteral("✕")
                               : tone == theme::Tone::Attention ? QStringLiteral("!")
                                                                : QStringLiteral("·"),
                               tone);
    mark->setMinimumWidth(2 * theme::kGrid);
    mark->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
    row->addWidget(mark, 0, Qt::AlignTop);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(1);
    auto* head = new TextLabel(title);
    head->setWordWrap(true);
    texts->addWidget(head);
    if (!detail.isEmpty()) {
        auto* line = new TextLabel(detail, theme::Tone::Dim);
        line->setWordWrap(true);
        texts->addWidget(line);
    }
    row->addLayout(texts, 1);
    return row;
}

AttentionCard* makeAttentionCard(std::span<const Notice> notices, QWidget* parent) {
    std::vector<const Notice*> shown;
    for (const Notice& notice : notices) {
        if (notice.severity != Severity::Info) {
            shown.push_back(&notice);
        }
    }
    if (shown.empty()) {
        return nullptr;
    }
    std::ranges::stable_sort(shown, std::greater(),
                             [](const Notice* notice) { return notice->severity; });
    auto* card = new AttentionCard(AttentionCard::tr("Needs attention"), parent);
    card->setEdge(shown.front()->severity == Severity::Error ? theme::Tone::Broken
                                                             : theme::Tone::Attention);
    for (std::size_t i = 0; i < std::min(shown.size(), kMaxNotices); ++i) {
        const text::ErrorWords words = text::describe(shown[i]->error);
        const auto tone =
            shown[i]->severity == Severity::Error ? theme::Tone::Broken : theme::Tone::Attention;
        QHBoxLayout* row = findingRow(tone, words.title, words.detail);
        if (shown[i]->error.code == ErrorCode::EditInterrupted) {
            auto* recover = new Button(AttentionCard::tr("Recover…"));
            const std::filesystem::path file = shown[i]->error.where.file;
            QObject::connect(recover, &QPushButton::clicked, card,
                             [card, file] { Q_EMIT card->recoveryRequested(file); });
            row->addWidget(recover, 0, Qt::AlignTop);
        }
        card->content()->addLayout(row);
    }
    if (shown.size() > kMaxNotices) {
        card->content()->addWidget(
            new TextLabel(AttentionCard::tr("and %Ln more", nullptr,
                                            static_cast<int>(shown.size() - kMaxNotices)),
                          theme::Tone::Dim));
    }
    return card;
}

} // namespace cairn::ui
