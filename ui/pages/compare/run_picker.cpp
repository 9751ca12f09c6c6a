// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/run_picker.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/run_letter.h"

#include <QHBoxLayout>
#include <QMenu>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr std::size_t kMaxRuns = 60; ///< in the menu

} // namespace

RunPicker::RunPicker(int series, QWidget* parent)
    : QWidget(parent), m_series(series), m_letter(new RunLetter(series, Qt::AlignLeft, true)),
      m_button(new Button(QString())), m_menu(new QMenu(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kGrid);
    row->addWidget(m_letter);
    row->addWidget(m_button);
    m_button->setMenu(m_menu);
    connect(m_menu, &QMenu::aboutToShow, this, &RunPicker::fillMenu);
    updateName();
}

void RunPicker::setSource(Source source) {
    m_source = std::move(source);
}

void RunPicker::setRun(const std::optional<RunPlace>& run) {
    m_run = run;
    updateName();
}

void RunPicker::setNameWidth(int pixels) {
    if (pixels != m_nameWidth) {
        m_nameWidth = pixels;
        updateName();
    }
}

int RunPicker::widthBesideName() const {
    const QString text = m_button->text().replace(QLatin1String("&&"), QLatin1String("&"));
    return m_letter->sizeHint().width() + theme::kGrid + m_button->sizeHint().width() -
           m_button->fontMetrics().horizontalAdvance(text);
}

void RunPicker::updateName() {
    const QString letter = RunLetter::text(m_series);
    m_button->setText(text::withoutMnemonic(text::elided(m_run ? m_run->name : tr("Choose a Run"),
                                                         m_button->fontMetrics(), m_nameWidth)));
    m_button->updateGeometry();
    m_button->setAccessibleName(m_run ? tr("Run %1: %2").arg(letter, m_run->name)
                                      : tr("Run %1: not chosen").arg(letter));
    text::setToolTip(m_button,
                     m_run ? text::fromPath(m_run->path) : tr("Run to use as %1").arg(letter));
}

void RunPicker::fillMenu() {
    m_menu->clear();
    const std::vector<RunPlace> runs = m_source ? m_source() : std::vector<RunPlace>();
    for (std::size_t i = 0; i < std::min(runs.size(), kMaxRuns); ++i) {
        const RunPlace& run = runs[i];
        QAction* action = m_menu->addAction(
            text::withoutMnemonic(text::elided(run.name, m_menu->fontMetrics(), 360)));
        action->setCheckable(true);
        action->setChecked(m_run && m_run->path == run.path);
        connect(action, &QAction::triggered, this, [this, run] { Q_EMIT chosen(run); });
    }
    if (runs.size() > kMaxRuns) {
        m_menu
            ->addAction(tr("%Ln more: mark them on the left with X", nullptr,
                           static_cast<int>(runs.size() - kMaxRuns)))
            ->setEnabled(false);
    }
    if (runs.empty()) {
        m_menu->addAction(tr("No runs are open"))->setEnabled(false);
    }
}

} // namespace cairn::ui
