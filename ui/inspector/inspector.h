// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/models/tensor_preview.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace cairn::ui {

class Button;
class FiguresSection;
class ShardStrip;
class SpectrumSection;
class TextLabel;
class ValueGrid;

/// The right column: a few facts about the selection. A tensor: name, dtype, shape, bytes, pieces,
/// its statistics, location and first values, read by workers. A group or a checkpoint: short
/// facts. GUI thread only; reads no file itself.
class Inspector : public QWidget {
    Q_OBJECT

public:
    explicit Inspector(QWidget* parent = nullptr);

    void showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor);
    void showGroup(const CheckpointPtr& checkpoint, const QString& name, quint64 tensors,
                   quint64 bytes);
    void showCheckpoint(const CheckpointPtr& checkpoint);
    /// Sums of several tensors.
    void showTensors(const CheckpointPtr& checkpoint, const std::vector<TensorIndex>& tensors);
    struct Fact {
        QString label;
        QString value;
        QString tip = {}; ///< the evidence for it, plain text
    };
    using Facts = std::vector<Fact>;
    /// What its run shows about the checkpoint, in addition to what is in it. Also before or after
    /// showCheckpoint(), until another one is shown.
    void setDecided(Facts facts);
    /// Of a run or an experiment; `note`: lines below them, may be empty.
    void showFacts(const QString& title, const QString& path, const Facts& facts,
                   const QString& note);
    void clear();

    QSize sizeHint() const override { return {290, 600}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

Q_SIGNALS:
    /// Requests how a tensor, all tensors below a name (`group`), or all weights (no name) changed
    /// during the run.
    void overRunRequested(const QString& name, bool group);
    /// The values of the shown tensor are shown, or the reason why they cannot be read; for tests.
    void valuesShown();

private:
    void makeButtons();
    void offerOverRun(const QString& name, bool group);
    void begin(const QString& title, const QString& path);
    void setFacts(const Facts& facts);
    void setCheckpointFacts();
    Facts factsOf(const TensorEntry& tensor) const;
    void showWhere(const TensorEntry& tensor);
    void readValues();
    void showPreview(TensorPreview preview);
    void copyName();
    void copyPython();

    CheckpointPtr m_checkpoint;
    std::optional<TensorIndex> m_tensor;
    QString m_fullName;
    AsyncRunner m_preview;
    AsyncRunner m_snippet;
    AsyncRunner m_totals;
    AsyncRunner m_saved;
    bool m_showsCheckpoint = false;
    Facts m_own;        ///< of the checkpoint itself
    Facts m_decided;    ///< see setDecided()
    Facts m_savedFacts; ///< whether its values are what was saved

    TextLabel* m_title;
    TextLabel* m_path;
    QGridLayout* m_facts;
    QWidget* m_factsBox;
    QWidget* m_valuesBox;
    TextLabel* m_valuesCaption;
    ValueGrid* m_values;
    TextLabel* m_valuesNote;
    FiguresSection* m_figures;
    SpectrumSection* m_spectrum;
    QWidget* m_whereBox;
    ShardStrip* m_strip;
    QLabel* m_files;
    QWidget* m_buttons;
    Button* m_overRun;
    std::pair<QString, bool> m_overRunOf; ///< name, group
    TextLabel* m_hint;
};

} // namespace cairn::ui
