// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/reading_bar.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QHBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kTickMs = 100;
constexpr int kBarWidth = 160;

} // namespace

ReadingBar::ReadingBar(QWidget* parent)
    : QWidget(parent), m_button(new Button(QString())), m_bar(new ByteProgress),
      m_text(new TextLabel({}, theme::Tone::Dim)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kGrid);
    m_bar->setFixedWidth(kBarWidth);
    row->addWidget(m_button);
    row->addWidget(m_bar);
    row->addWidget(m_text, 1);
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &ReadingBar::updateProgress);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_tick.isActive()) {
            Q_EMIT stopped();
        } else {
            Q_EMIT started();
        }
    });
}

void ReadingBar::offer(std::uint64_t bytes) {
    m_tick.stop();
    m_bar->hide();
    m_button->setText(tr("Compare Values"));
    m_button->setVisible(bytes > 0);
    m_text->setText(
        bytes > 0 ? tr("Structure compared; comparing values reads %1").arg(text::bytes(bytes))
                  : tr("Structure compared; no common values to read"));
}

ReadingBar::Counter ReadingBar::begin(std::uint64_t bytes) {
    m_done = std::make_shared<std::atomic<std::uint64_t>>(0);
    m_bytes = bytes;
    m_button->setText(tr("Stop"));
    m_button->show();
    m_bar->show();
    m_tick.start();
    updateProgress();
    return m_done;
}

void ReadingBar::updateProgress() {
    const std::uint64_t done = m_done->load();
    m_bar->setShares(m_bytes == 0 ? -1 : static_cast<double>(done) / static_cast<double>(m_bytes),
                     0);
    m_text->setText(tr("Comparing values: %1 of %2").arg(text::bytes(done), text::bytes(m_bytes)));
}

} // namespace cairn::ui
