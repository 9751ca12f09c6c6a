// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/spectrum.h"
#include "ui/bridge/async_runner.h"

#include <QWidget>

#include <optional>

class QGridLayout;

namespace cairn::ui {

class Button;
class TextLabel;

/// The inspector's singular values of one matrix, on demand: they need libtorch and minutes for a
/// large matrix, so nothing is computed before the button is pressed. GUI thread only; a worker
/// reads and computes.
class SpectrumSection : public QWidget {
    Q_OBJECT

public:
    explicit SpectrumSection(QWidget* parent = nullptr);

    /// Offers the button when the tensor is a matrix, and hides otherwise.
    void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor);
    void clear();

Q_SIGNALS:
    /// The figures are shown, or the reason why there are none.
    void settled();

private:
    void compute();
    void showSpectrum(const Spectrum& spectrum);

    AsyncRunner m_work{AsyncRunner::Pool::Long};
    CheckpointPtr m_checkpoint;
    std::optional<TensorIndex> m_tensor;
    Button* m_compute;
    QWidget* m_numbersBox;
    QGridLayout* m_numbers;
    TextLabel* m_note;
};

} // namespace cairn::ui
