// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/memory_card.h"

#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kStacked = 90; ///< average characters; below this width the columns are stacked
constexpr std::size_t kUsualOptimizers = 3; ///< of the optimizers; the others are details
const QString kBetween = QStringLiteral(" · ");

QString wholeTokens(std::uint64_t tokens) {
    return MemoryCard::tr("%Ln tokens", nullptr, static_cast<int>(tokens));
}

/// "bfloat16 with float32 copies"
QString precisionWords(const std::string& precision) {
    const QString copies = QStringLiteral(" with float32 copies");
    const QString words = text::fromCore(precision);
    return words.endsWith(copies)
               ? MemoryCard::tr("%1 with float32 copies").arg(words.chopped(copies.size()))
               : words;
}

} // namespace

bool MemoryCard::hasFigures(const FoundMemory& memory) {
    return memory.needs.weightBytes > 0;
}

MemoryCard::MemoryCard(const FoundMemory& memory, QWidget* parent)
    : Card(tr("Memory"), parent), m_columns(new QBoxLayout(QBoxLayout::LeftToRight)),
      m_button(new Button(QString())) {
    m_columns->setSpacing(4 * theme::kGrid);
    content()->addLayout(m_columns);
    addTraining(memory.needs);
    addServing(memory.needs);
    addSources(memory);
    content()->addWidget(m_button, 0, Qt::AlignLeft);
    connect(m_button, &QPushButton::clicked, this, [this] { setFormulasShown(!m_shown); });
    setFormulasShown(false);
}

QGridLayout* MemoryCard::addColumn(const QString& heading) {
    auto* column = new QVBoxLayout;
    column->setSpacing(theme::kGrid / 2 + 1);
    column->addWidget(new TextLabel(heading, theme::Tone::Dim));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid / 2 + 1);
    grid->setColumnStretch(0, 1);
    column->addLayout(grid);
    column->addStretch(1);
    m_columns->addLayout(column, 1);
    return grid;
}

void MemoryCard::addRow(QGridLayout& grid, const QString& name, const QString& figure,
                        const QString& formula, bool isDetail) {
    const int row = grid.rowCount();
    auto* label = new TextLabel(name);
    label->setElideMiddle(true);
    auto* value = new TextLabel(figure);
    value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto* how = new TextLabel(formula, theme::Tone::Dim);
    how->setWordWrap(true);
    how->setFont(theme::small(how->font()));
    grid.addWidget(label, row, 0);
    grid.addWidget(value, row, 1);
    grid.addWidget(how, row + 1, 0, 1, 2);
    m_details.push_back(how);
    if (isDetail) {
        m_details.push_back(label);
        m_details.push_back(value);
    }
}

void MemoryCard::addTraining(const MemoryNeeds& needs) {
    if (needs.training.empty()) {
        return;
    }
    QGridLayout* grid = addColumn(tr("Training"));
    for (std::size_t i = 0; i < needs.training.size(); ++i) {
        const TrainingMemory& each = needs.training[i];
        addRow(*grid, text::coreText(each.optimizer) + kBetween + precisionWords(each.precision),
               text::bytes(each.total()), text::coreText(each.formula), i >= kUsualOptimizers);
    }
    if (const auto& kept = needs.activations) {
        const QString formula = text::coreText(kept->formula);
        addRow(*grid, tr("plus activations of %1").arg(wholeTokens(kept->tokens)),
               tr("about %1").arg(text::bytes(kept->all)), formula);
        addRow(*grid, tr("or, with gradient checkpointing"),
               tr("about %1").arg(text::bytes(kept->checkpointed)),
               tr("the input of each layer, one layer completely, the logits"));
    }
}

void MemoryCard::addServing(const MemoryNeeds& needs) {
    QGridLayout* grid = addColumn(tr("Serving"));
    addRow(*grid, tr("Weights as stored"), text::bytes(needs.weightBytes),
           tr("weights and buffers of the checkpoint"));
    for (const ServingWeights& each : needs.serving) {
        addRow(*grid, tr("Weights as %1").arg(text::fromCore(each.dtype)), text::bytes(each.bytes),
               text::coreText(each.formula));
    }
    if (!needs.kvCache) {
        return;
    }
    const KvCache& cache = *needs.kvCache;
    const QString formula = text::coreText(cache.kind) + QStringLiteral(": ") +
                            text::coreText(cache.formula) + QStringLiteral(" (") +
                            text::fromCore(cache.source) + QLatin1Char(')');
    addRow(*grid, tr("KV cache of a token"), text::bytes(cache.bytesPerToken()), formula);
    if (needs.contextTokens > 0) {
        addRow(*grid, tr("KV cache of %1").arg(wholeTokens(needs.contextTokens)),
               text::bytes(cache.bytes(needs.contextTokens)),
               cache.slidingLayers == 0 ? tr("one sequence of the model's longest context")
                                        : tr("%Ln layers keep the last %1", nullptr,
                                             static_cast<int>(cache.slidingLayers))
                                              .arg(wholeTokens(cache.window)));
    }
}

void MemoryCard::addSources(const FoundMemory& memory) {
    QStringList lines;
    for (const Sentence& each : memory.needs.missing) {
        lines << text::coreText(each);
    }
    if (!memory.config.empty()) {
        lines << tr("Sizes of the model from %1").arg(text::fromCore(memory.config));
    }
    lines << tr("Estimates for one device that holds everything; buffers of libraries and "
                "fragmentation are not included.");
    for (const QString& line : lines) {
        auto* label = new TextLabel(line, theme::Tone::Dim);
        label->setWordWrap(true);
        content()->addWidget(label);
        if (line == lines.back()) {
            m_details.push_back(label);
        }
    }
}

void MemoryCard::setFormulasShown(bool shown) {
    m_shown = shown;
    for (QWidget* each : m_details) {
        each->setVisible(shown);
    }
    m_button->setText(shown ? tr("Hide Formulas") : tr("Show Formulas"));
    m_button->updateGeometry();
}

void MemoryCard::resizeEvent(QResizeEvent* event) {
    Card::resizeEvent(event);
    m_columns->setDirection(width() < kStacked * fontMetrics().averageCharWidth()
                                ? QBoxLayout::TopToBottom
                                : QBoxLayout::LeftToRight);
}

MemoryPane::MemoryPane(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    hide();
}

void MemoryPane::clear() {
    m_runner.cancel();
    hide();
    delete m_card;
    m_card = nullptr;
}

void MemoryPane::show(const CheckpointPtr& checkpoint) {
    clear();
    if (checkpoint->completeness() != Completeness::Complete) {
        return;
    }
    m_runner.start(
        [checkpoint](const CancelToken&) -> Result<FoundMemory> { return findMemory(*checkpoint); },
        [this](const Result<FoundMemory>& memory) {
            if (memory && MemoryCard::hasFigures(*memory)) {
                m_card = new MemoryCard(*memory);
                layout()->addWidget(m_card);
                setVisible(true);
            }
        });
}

} // namespace cairn::ui
