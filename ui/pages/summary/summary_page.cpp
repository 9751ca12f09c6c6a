// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/summary_page.h"

#include "core/formats/format.h"
#include "core/runs/rank/why.h"
#include "ui/models/row_view.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/pages/history/history_follower.h"
#include "ui/pages/page_info.h"
#include "ui/pages/summary/abilities_card.h"
#include "ui/pages/summary/attention_card.h"
#include "ui/pages/summary/big_figure.h"
#include "ui/pages/summary/contents_card.h"
#include "ui/pages/summary/loss_card.h"
#include "ui/pages/summary/memory_card.h"
#include "ui/pages/summary/pickle_words.h"
#include "ui/pages/summary/run_summary.h"
#include "ui/pages/summary/shard_card.h"
#include "ui/pages/summary/tool_card.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/focus_mark.h"

#include <QDateTime>
#include <QGridLayout>
#include <QLocale>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

namespace cairn::ui {
namespace {

constexpr int kNarrow = 64 * theme::kGrid; ///< below it nothing is side by side

} // namespace

SummaryPage::SummaryPage(HistoryFollower* follower, QWidget* parent)
    : Page(parent), m_body(new QWidget), m_cards(new QVBoxLayout(m_body)), m_follower(follower),
      m_tools(new ToolCards(m_body)), m_loss(new LossCard(m_body)),
      m_abilities(new AbilitiesPane(m_body)), m_memory(new MemoryPane(m_body)),
      m_stack(new QStackedWidget), m_scroll(new QScrollArea), m_run(new RunSummary) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    new FocusMark(m_scroll, tr("Summary of the checkpoint"));
    m_scroll->setWidget(m_body);
    m_stack->addWidget(m_scroll);
    m_stack->addWidget(m_run);
    layout->addWidget(m_stack);
    m_cards->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                                2 * theme::kGrid);
    m_cards->setSpacing(2 * theme::kGrid - 2);
    m_loss->hide();
    connect(m_loss, &LossCard::checkpointChosen, this, &SummaryPage::checkpointChosen);
    connect(m_loss, &LossCard::moreRequested, this, &SummaryPage::historyRequested);
    connect(m_abilities, &AbilitiesPane::deployRequested, this, &SummaryPage::deployRequested);
    connect(m_abilities, &AbilitiesPane::continueRequested, this, &SummaryPage::continueRequested);
    connect(m_run, &RunSummary::checkpointChosen, this, &SummaryPage::checkpointChosen);
    connect(m_run, &RunSummary::historyRequested, this, &SummaryPage::historyRequested);
    if (m_follower != nullptr) {
        connect(m_follower, &HistoryFollower::changed, this, &SummaryPage::refreshLoss);
    }
}

SummaryPage::~SummaryPage() = default;

void SummaryPage::showRun(const RunPlace& place, const std::filesystem::path& selected) {
    m_place = place;
    m_selected = selected;
    refreshLoss();
    refreshHeadline(); // its step and its value may be known now
}

void SummaryPage::showRun(const RunPlace& place) {
    m_place = place;
    m_selected.clear();
    m_run->show(place);
    m_stack->setCurrentWidget(m_run);
    refreshLoss();
}

void SummaryPage::refreshLoss() {
    const HistoryPtr history = m_follower != nullptr ? m_follower->history() : nullptr;
    const bool ours = history && m_follower->run() == m_place.path;
    if (m_stack->currentWidget() == m_run) {
        m_run->showHistory(ours ? history : nullptr);
    } else {
        m_loss->show(ours ? history : nullptr, m_place, m_selected);
    }
}

extern const PageInfo kSummaryPage;
const PageInfo kSummaryPage{
    .id = "summary",
    .title = [] { return SummaryPage::tr("Summary"); },
    .shows = Page::Subject::Run,
    .make = [](const PageParts& parts) -> Page* { return new SummaryPage(&parts.follower); },
};

const PageInfo& SummaryPage::info() const {
    return kSummaryPage;
}

void SummaryPage::showCheckpoint(const CheckpointPtr& checkpoint) {
    if (checkpoint != m_checkpoint) {
        m_tools->clear();
    }
    m_checkpoint = checkpoint;
    m_stack->setCurrentIndex(0);
    m_scan.reset();
    m_facts.reset();
    m_pickleRunner.start(
        [checkpoint](const CancelToken& cancel) {
            return formats::scanForCode(*checkpoint, cancel);
        },
        [this](Result<formats::CodeScan> scan) {
            if (!scan && scan.error().code == ErrorCode::Cancelled) {
                return;
            }
            if (!scan) {
                m_scan.emplace();
                m_scan->verdict = pickle::Verdict::NotExamined;
                m_scan->reasons = {scan.error().message};
            } else {
                m_scan = std::move(*scan);
            }
            refreshAttention();
        });
    m_abilities->show(checkpoint);
    m_memory->show(checkpoint);
    m_runner.start(
        [checkpoint](const CancelToken& cancel) { return summarize(checkpoint, cancel); },
        [this](const Result<SummaryFacts>& facts) {
            if (facts) {
                m_facts = *facts;
                show(*facts);
            }
        });
}

void SummaryPage::runTool(CheckpointTool tool, const std::filesystem::path& other) {
    const ToolCard* card = m_tools->run({tool, m_checkpoint, other});
    connect(card, &ToolCard::finished, this, &SummaryPage::refreshHeadline);
    connect(card, &ToolCard::finished, this, &SummaryPage::toolFinished);
    m_scroll->verticalScrollBar()->setValue(0);
}

void SummaryPage::clear() {
    m_runner.cancel();
    m_pickleRunner.cancel();
    m_scan.reset();
    m_facts.reset();
    m_checkpoint.reset();
    m_tools->clear();
    m_abilities->clear();
    m_memory->clear();
    emptyOut();
}

bool SummaryPage::copySelection(CopyAs what) {
    return what == CopyAs::Rows && m_stack->currentWidget() == m_run && m_run->table()->copyRows();
}

void SummaryPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    fold();
}

QBoxLayout* SummaryPage::foldingRow(int spacing) {
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing);
    m_folding.emplace_back(row);
    return row;
}

void SummaryPage::fold() {
    const auto turn = [](QBoxLayout& row, bool narrow) {
        row.setDirection(narrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    };
    for (const QPointer<QBoxLayout>& row : m_folding) {
        if (row != nullptr) {
            turn(*row, width() < kNarrow);
        }
    }
    if (m_headline == nullptr) {
        return;
    }
    int needed = 8 * theme::kGrid; // margins of the page and of the card
    for (int i = 0; i < m_headline->count(); ++i) {
        needed += m_headline->itemAt(i)->sizeHint().width() + m_headline->spacing();
    }
    const bool narrow = width() < needed;
    turn(*m_headline, narrow);
    for (const QPointer<TextLabel>& label : m_origin) {
        if (label != nullptr) {
            label->setAlignment((narrow ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        }
    }
}

void SummaryPage::emptyOut() {
    m_folding.clear();
    m_origin.clear();
    while (QLayoutItem* item = m_cards->takeAt(0)) {
        if (QWidget* widget = item->widget(); widget != nullptr && widget != m_loss &&
                                              widget != m_tools && widget != m_memory &&
                                              widget != m_abilities) {
            widget->hide();
            widget->deleteLater();
        }
        if (QLayout* row = item->layout()) {
            while (QLayoutItem* inner = row->takeAt(0)) {
                if (inner->widget() != nullptr) {
                    inner->widget()->hide();
                    inner->widget()->deleteLater();
                }
                delete inner;
            }
        }
        delete item;
    }
}

void SummaryPage::show(const SummaryFacts& facts) {
    emptyOut();
    m_cards->addWidget(m_tools);
    m_headlineCard = headlineCard(facts);
    m_cards->addWidget(m_headlineCard);
    m_attention = attentionCard();
    if (m_attention != nullptr) {
        m_cards->addWidget(m_attention);
    }
    m_cards->addWidget(m_abilities);
    m_cards->addWidget(m_loss);
    QBoxLayout* row = foldingRow(m_cards->spacing());
    if (facts.shards.size() > 1) {
        row->addWidget(shards(facts), 1);
    }
    if (!facts.roles.empty()) {
        row->addWidget(new ContentsCard(facts), 1);
    }
    m_cards->addLayout(row);
    if (QWidget* card = values(facts)) {
        m_cards->addWidget(card);
    }
    m_cards->addWidget(m_memory); // last: its figures come later
    m_cards->addStretch(1);
    fold();
}

QWidget* SummaryPage::shards(const SummaryFacts& facts) {
    auto* card = new ShardCard(facts);
    connect(card, &ShardCard::moreRequested, this, &SummaryPage::shardsRequested);
    return card;
}

QWidget* SummaryPage::values(const SummaryFacts& facts) {
    // Step, epoch and loss above are values, too.
    const bool anyShown = facts.position.step || facts.position.epoch || !facts.headline.empty();
    const bool isDamaged = facts.valuesSaved.value == false;
    if (facts.values.empty() && !facts.valuesError && !isDamaged &&
        !(anyShown && facts.valuesSaved)) {
        return nullptr;
    }
    auto* card = new Card(tr("Values"));
    if (facts.valuesError) {
        const text::ErrorWords words = text::describe(*facts.valuesError);
        auto* label =
            new TextLabel(words.title + QLatin1Char(' ') + words.detail, theme::Tone::Attention);
        label->setWordWrap(true);
        card->content()->addWidget(label);
        return card;
    }
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(2 * theme::kGrid);
    grid->setVerticalSpacing(theme::kGrid / 2 + 1);
    const int half = static_cast<int>((facts.values.size() + 1) / 2);
    for (int i = 0; i < static_cast<int>(facts.values.size()); ++i) {
        const auto& [key, value] = facts.values[static_cast<std::size_t>(i)];
        const int column = 2 * (i / half);
        auto* label = new TextLabel(text::fromCore(value));
        label->setElideMiddle(true);
        grid->addWidget(new TextLabel(text::fromCore(key), theme::Tone::Dim), i % half, column);
        grid->addWidget(label, i % half, column + 1);
        grid->setColumnStretch(column + 1, 1);
    }
    card->content()->addLayout(grid);
    const Explanation saved = explainValuesSaved(facts.valuesSaved);
    if (!saved.from.empty()) {
        auto* label = new TextLabel(text::coreText(saved.from),
                                    isDamaged ? theme::Tone::Broken : theme::Tone::Dim);
        label->setObjectName(QStringLiteral("valuesSaved"));
        label->setWordWrap(true);
        card->content()->addWidget(label);
    }
    auto* more = new Button(tr("Show All Metadata"));
    connect(more, &QPushButton::clicked, this, &SummaryPage::metadataRequested);
    card->content()->addWidget(more, 0, Qt::AlignLeft);
    return card;
}

} // namespace cairn::ui
