// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/tool_card.h"

#include "ui/pages/summary/attention_card.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"

#include <QApplication>
#include <QClipboard>
#include <QProgressBar>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kRefreshMs = 200;
constexpr int kSteps = 1000; ///< of the progress bar

} // namespace

ToolCard::ToolCard(ToolRequest request, QWidget* parent)
    : Card(toolTitle(request), parent), m_request(std::move(request)),
      m_progress(std::make_shared<ToolProgress>()), m_restoreTimer(new TextLabel),
      m_bar(new QProgressBar), m_stop(new Button(tr("Stop"))), m_copy(new Button(tr("Copy"))),
      m_close(new Button(tr("Close"))) {
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kGrid);
    m_restoreTimer->setWordWrap(true);
    m_restoreTimer->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_restoreTimer->hide();
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(toolTitle(m_request));
    row->addWidget(m_restoreTimer, 1);
    row->addWidget(m_bar, 1);
    for (Button* button : {m_stop, m_copy, m_close}) {
        row->addWidget(button, 0, Qt::AlignTop);
    }
    m_copy->hide();
    m_close->hide();
    content()->addLayout(row);
    connect(m_stop, &QPushButton::clicked, this, &ToolCard::stop);
    connect(m_close, &QPushButton::clicked, this, &ToolCard::closed);
    m_timer.setInterval(kRefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &ToolCard::refreshProgress);
    m_timer.start();
    m_runner.start([request = m_request, progress = m_progress](
                       const CancelToken& cancel) { return runTool(request, cancel, progress); },
                   [this](const Result<ToolResult>& result) { end(result); });
}

void ToolCard::refreshProgress() {
    const std::uint64_t total = m_progress->total.load();
    if (total == 0) {
        return;
    }
    const double done = static_cast<double>(m_progress->done.load()) / static_cast<double>(total);
    m_bar->setRange(0, kSteps);
    m_bar->setValue(static_cast<int>(std::min(1.0, done) * kSteps));
}

void ToolCard::stop() {
    m_runner.cancel();
    end(fail(ErrorCode::Cancelled, "Stopped"));
}

void ToolCard::end(const Result<ToolResult>& result) {
    m_timer.stop();
    m_bar->hide();
    m_stop->hide();
    m_close->show();
    m_restoreTimer->show();
    if (result) {
        showResult(*result);
    } else if (result.error().code == ErrorCode::Cancelled) {
        m_restoreTimer->setText(tr("Stopped"));
        m_restoreTimer->setTone(theme::Tone::Dim);
    } else {
        const text::ErrorWords words = text::describe(result.error());
        setEdge(theme::Tone::Broken);
        m_restoreTimer->setTone(theme::Tone::Broken);
        m_restoreTimer->setText(words.title);
        if (!words.detail.isEmpty()) {
            content()->addLayout(findingRow(theme::Tone::Broken, words.detail, {}));
        }
    }
    m_headline = m_restoreTimer->text();
    Q_EMIT finished();
}

void ToolCard::showResult(const ToolResult& result) {
    setEdge(result.tone);
    m_tone = result.tone;
    m_restoreTimer->setTone(result.tone);
    m_restoreTimer->setText(result.headline);
    for (const ToolFinding& finding : result.findings) {
        content()->addLayout(findingRow(finding.tone, finding.title, finding.detail));
    }
    if (result.more > 0) {
        content()->addWidget(new TextLabel(
            tr("and %Ln more", nullptr, static_cast<int>(result.more)), theme::Tone::Dim));
    }
    m_copy->show();
    connect(m_copy, &QPushButton::clicked, this,
            [copied = result.headline + QLatin1Char('\n') + result.copied] {
                QApplication::clipboard()->setText(copied);
            });
}

ToolCards::ToolCards(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2 * theme::kGrid - 2);
    hide();
}

ToolCard* ToolCards::run(ToolRequest request) {
    const auto same = std::ranges::find(m_cards, request.tool, &ToolCard::tool);
    if (same != m_cards.end()) {
        remove(*same);
    }
    auto* card = new ToolCard(std::move(request));
    m_layout->insertWidget(0, card);
    m_cards.insert(m_cards.begin(), card);
    connect(card, &ToolCard::closed, this, [this, card] { remove(card); });
    connect(card, &ToolCard::finished, this, &ToolCards::finished);
    show();
    return card;
}

void ToolCards::remove(ToolCard* card) {
    std::erase(m_cards, card);
    card->hide();
    card->deleteLater();
    setVisible(!m_cards.empty());
}

void ToolCards::clear() {
    while (!m_cards.empty()) {
        remove(m_cards.back());
    }
}

} // namespace cairn::ui
