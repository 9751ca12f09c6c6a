// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/spectrum_section.h"

#include "core/compute/torch_module.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::ui {

SpectrumSection::SpectrumSection(QWidget* parent)
    : QWidget(parent), m_compute(new Button(tr("Compute Singular Values"))),
      m_numbersBox(new QWidget), m_numbers(new QGridLayout(m_numbersBox)),
      m_note(new TextLabel({}, theme::Tone::Dim)) {
    m_numbers->setContentsMargins(0, 0, 0, 0);
    m_numbers->setHorizontalSpacing(2 * theme::kGrid);
    m_numbers->setVerticalSpacing(theme::kGrid - 2);
    m_numbers->setColumnStretch(1, 1);
    m_note->setWordWrap(true);
    m_compute->setObjectName(QStringLiteral("computeSpectrum"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, theme::kGrid, 0, 0);
    column->setSpacing(theme::kGrid - 2);
    column->addWidget(captionLabel(tr("Spectrum")));
    column->addWidget(m_compute, 0, Qt::AlignLeft);
    column->addWidget(m_numbersBox);
    column->addWidget(m_note);
    connect(m_compute, &QPushButton::clicked, this, &SpectrumSection::compute);
    clear();
}

void SpectrumSection::clear() {
    m_work.cancel();
    m_checkpoint.reset();
    m_tensor.reset();
    hide();
}

void SpectrumSection::showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) {
    clear();
    const auto shape = matrixOf(checkpoint->tensor(tensor));
    if (!shape || std::min(shape->rows, shape->columns) < 2) {
        return;
    }
    m_checkpoint = checkpoint;
    m_tensor = tensor;
    m_numbersBox->hide();
    m_note->hide();
    m_compute->show();
    text::setToolTip(m_compute, tr("Reads %1 and decomposes a %2 × %3 matrix with libtorch")
                                    .arg(text::bytes(checkpoint->tensor(tensor).bytes()),
                                         text::count(shape->rows), text::count(shape->columns)));
    show();
}

void SpectrumSection::compute() {
    m_compute->hide();
    m_note->setText(tr("Computing…"));
    m_note->show();
    m_work.start(
        [checkpoint = m_checkpoint,
         tensor = *m_tensor](const CancelToken& cancel) -> Result<Spectrum> {
            CAIRN_TRY(const TorchModuleInfo module, openTorchModule());
            MatrixOptions options;
            options.cancel = cancel;
            options.device = module.device;
            return tensorSpectrum(*checkpoint, checkpoint->tensor(tensor), options);
        },
        [this](Result<Spectrum> spectrum) {
            if (spectrum) {
                m_note->hide();
                showSpectrum(*spectrum);
            } else {
                const text::ErrorWords words = text::describe(spectrum.error());
                m_note->setText(words.title + QLatin1Char('\n') + words.detail);
            }
            Q_EMIT settled();
        });
}

void SpectrumSection::showSpectrum(const Spectrum& spectrum) {
    while (QLayoutItem* item = m_numbers->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const auto condition = spectrum.condition();
    const std::vector<std::pair<QString, QString>> rows{
        {tr("largest"), text::number(spectrum.largest())},
        {tr("smallest"), text::number(spectrum.smallest())},
        {tr("condition"), condition ? text::number(*condition) : tr("none")},
        {tr("effective rank"),
         tr("%1 of %2")
             .arg(text::number(spectrum.effectiveRank()), text::count(spectrum.values.size()))},
        {tr("stable rank"), text::number(spectrum.stableRank())},
    };
    int row = 0;
    for (const auto& [label, value] : rows) {
        auto* figure = new TextLabel(value);
        figure->setFont(theme::mono(figure->font()));
        figure->setTextInteractionFlags(Qt::TextSelectableByMouse);
        figure->setAccessibleName(label);
        m_numbers->addWidget(new TextLabel(label, theme::Tone::Dim), row, 0);
        m_numbers->addWidget(figure, row, 1);
        ++row;
    }
    m_numbersBox->show();
}

} // namespace cairn::ui
