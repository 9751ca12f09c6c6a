// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/centre_notice.h"

#include "ui/widgets/card.h"

#include <QVBoxLayout>

namespace cairn::ui {

CentreNotice::CentreNotice(QWidget* parent)
    : QWidget(parent), m_quiet(new TextLabel({}, theme::Tone::Dim)), m_problem(new MessageStrip) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    m_problem->setClosable(false);
    m_problem->hide();
    m_quiet->setAlignment(Qt::AlignCenter);
    m_quiet->setWordWrap(true);
    layout->addWidget(m_problem);
    layout->addWidget(m_quiet, 1);
}

void CentreNotice::showQuiet(const QString& sentence) {
    m_problem->hide();
    m_quiet->setText(sentence);
}

void CentreNotice::showProblem(Message message) {
    m_quiet->clear();
    m_problem->show(std::move(message));
}

QString CentreNotice::title() const {
    return m_problem->isHidden() ? m_quiet->text() : m_problem->title();
}

} // namespace cairn::ui
