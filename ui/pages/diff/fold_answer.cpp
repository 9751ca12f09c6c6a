// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/fold_answer.h"

#include "core/formats/format.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QVBoxLayout>
#include <climits>

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

constexpr int kFoldTickMs = 100;
constexpr int kFoldBarWidth = 160;
constexpr std::size_t kShownFindings = 3; ///< that are shown

/// "lora-a", or "lora-a × 0.5"
QString nameOf(const RequestAdapter& adapter) {
    const QString name = text::fromPath(adapter.place.path().filename());
    return adapter.scale == 1 ? name
                              : QStringLiteral("%1 × %2").arg(name, text::number(adapter.scale));
}

QString verdictWords(FoldVerdict verdict) {
    switch (verdict) {
    case FoldVerdict::Unchanged:
        return FoldAnswer::tr("unchanged");
    case FoldVerdict::Exact:
        return FoldAnswer::tr("exact");
    case FoldVerdict::Rounding:
        return FoldAnswer::tr("within rounding");
    case FoldVerdict::NotApplied:
        return FoldAnswer::tr("not applied");
    case FoldVerdict::Scaled:
        return FoldAnswer::tr("scaled");
    case FoldVerdict::Other:
        return FoldAnswer::tr("not explained");
    case FoldVerdict::Touched:
        return FoldAnswer::tr("changed without an adapter");
    case FoldVerdict::OtherShape:
        return FoldAnswer::tr("other shape");
    case FoldVerdict::Missing:
        return FoldAnswer::tr("missing");
    case FoldVerdict::Added:
        return FoldAnswer::tr("added");
    case FoldVerdict::Unread:
        return FoldAnswer::tr("unread");
    }
    return {};
}

/// "8 tensors, 1 with adapter weights: 7 unchanged, 1 exact"
QString countsOf(const FoldExplanation& answer) {
    QStringList counts;
    for (std::size_t i = 0; i < kFoldVerdicts; ++i) {
        const auto verdict = static_cast<FoldVerdict>(i);
        if (const std::uint64_t count = answer.count(verdict); count > 0) {
            counts << text::count(count) + QLatin1Char(' ') + verdictWords(verdict);
        }
    }
    return FoldAnswer::tr("%Ln tensors", nullptr, static_cast<int>(answer.tensors.size())) +
           QStringLiteral(", ") +
           FoldAnswer::tr("%1 with adapter weights").arg(text::count(answer.targets())) +
           QStringLiteral(": ") + counts.join(QStringLiteral(", "));
}

/// The first tensor that is not explained, with its figures; null: there is none.
const ExplainedTensor* firstOpen(const FoldExplanation& answer) {
    const auto at = std::ranges::find_if(
        answer.tensors, [](const ExplainedTensor& each) { return !isExplained(each.verdict); });
    return at != answer.tensors.end() ? &*at : nullptr;
}

QString lineOf(const ExplainedTensor& tensor) {
    QString line = FoldAnswer::tr("First: %1, %2")
                       .arg(text::fromCore(tensor.name), verdictWords(tensor.verdict));
    if (tensor.factor) {
        line += QStringLiteral(", ") +
                FoldAnswer::tr("factor %1, %Ln elements outside", nullptr,
                               static_cast<int>(std::min<std::uint64_t>(tensor.outside, INT_MAX)))
                    .arg(text::number(*tensor.factor));
    }
    return tensor.error ? line + QStringLiteral(": ") + text::describe(*tensor.error).title : line;
}

} // namespace

FoldAnswer::FoldAnswer(QWidget* parent)
    : QWidget(parent), m_button(new Button(tr("Explain by Adapter"))), m_menu(new QMenu(m_button)),
      m_running(new QWidget), m_bar(new ByteProgress), m_text(new TextLabel({}, theme::Tone::Dim)),
      m_strip(new MessageStrip) {
    m_button->setMenu(m_menu);
    text::setToolTip(m_button, tr("Check whether B is A with an adapter folded in"));
    connect(m_menu, &QMenu::aboutToShow, this, &FoldAnswer::fillMenu);
    auto* stopButton = new Button(tr("Stop"));
    connect(stopButton, &QPushButton::clicked, this, &FoldAnswer::stop);
    auto* row = new QHBoxLayout(m_running);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kGrid);
    m_bar->setFixedWidth(kFoldBarWidth);
    m_text->setElideMiddle(true);
    row->addWidget(stopButton);
    row->addWidget(m_bar);
    row->addWidget(m_text, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_running);
    column->addWidget(m_strip);
    connect(m_strip, &MessageStrip::closed, this, &QWidget::hide);
    m_button->hide();
    m_tick.setInterval(kFoldTickMs);
    connect(&m_tick, &QTimer::timeout, this, &FoldAnswer::updateProgress);
    hide();
}

void FoldAnswer::setSides(const CheckpointPtr& left, const CheckpointPtr& right) {
    if (left == m_left && right == m_right) {
        return;
    }
    stop();
    m_left = left;
    m_right = right;
    m_adapters.clear();
    m_found.clear();
    m_button->hide();
    m_finding.cancel();
    if (!left || !right) {
        return;
    }
    m_finding.start(
        [paths = std::array{right->path(), left->path()}](
            const CancelToken& cancel) -> Result<std::vector<NearbyAdapter>> {
            std::vector<NearbyAdapter> found;
            for (const std::filesystem::path& path : paths) {
                CAIRN_TRY(const auto around, nearbyAdapters(path, path.parent_path(), cancel));
                for (const NearbyAdapter& each : around) {
                    const bool isNew =
                        std::ranges::find(found, each.path, &NearbyAdapter::path) == found.end();
                    if (isNew && std::ranges::find(paths, each.path) == paths.end()) {
                        found.push_back(each);
                    }
                }
            }
            return found;
        },
        [this](Result<std::vector<NearbyAdapter>> found) {
            if (found) {
                m_found = std::move(*found);
                m_button->setVisible(!m_found.empty());
            }
        });
}

void FoldAnswer::fillMenu() {
    m_menu->clear();
    addChoices({});
    if (!m_adapters.empty()) { // several were folded in one after another
        m_menu->addSection(text::withoutMnemonic(tr("After %1").arg(adapterNames())));
        addChoices(m_adapters);
        m_menu->addSeparator();
        addScales();
    }
}

void FoldAnswer::addScales() {
    for (std::size_t i = 0; i < m_adapters.size(); ++i) {
        const QString name = nameOf(m_adapters[i]);
        connect(m_menu->addAction(text::withoutMnemonic(tr("Scale of %1…").arg(name))),
                &QAction::triggered, this, [this, i] { askScale(i); });
    }
}

void FoldAnswer::askScale(std::size_t adapter) {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setWindowTitle(tr("Scale"));
    dialog->setLabelText(tr("Multiplies the changes of %1, in addition to its own scale:")
                             .arg(nameOf({m_adapters[adapter].place})));
    dialog->setDoubleRange(-kMostScale, kMostScale);
    dialog->setDoubleDecimals(3);
    dialog->setDoubleStep(0.1);
    dialog->setDoubleValue(m_adapters[adapter].scale);
    connect(dialog, &QInputDialog::doubleValueSelected, this,
            [this, adapter, all = m_adapters](double scale) mutable {
                all[adapter].scale = scale;
                explain(all, m_swapped);
            });
    dialog->open();
}

void FoldAnswer::addChoices(const std::vector<RequestAdapter>& before) {
    bool any = false;
    for (const NearbyAdapter& each : m_found) {
        if (std::ranges::find(before, Location(each.path), &RequestAdapter::place) !=
            before.end()) {
            continue;
        }
        any = true;
        const QString name = text::fromPath(each.path.parent_path().filename() / // of which run
                                            each.path.filename());
        QAction* action = m_menu->addAction(text::withoutMnemonic(name));
        action->setToolTip(text::toolTip(text::fromPath(each.path)));
        connect(action, &QAction::triggered, this, [this, before, path = each.path] {
            std::vector<RequestAdapter> all = before;
            all.push_back({path});
            explain(all);
        });
    }
    if (any) {
        m_menu->addSeparator();
    }
    connect(m_menu->addAction(tr("Choose Adapter…")), &QAction::triggered, this,
            [this, before] { pickFolder(before); });
}

QString FoldAnswer::adapterNames() const {
    QStringList names;
    for (const RequestAdapter& each : m_adapters) {
        names << nameOf(each);
    }
    return names.join(QStringLiteral(", "));
}

void FoldAnswer::pickFolder(const std::vector<RequestAdapter>& before) {
    auto* dialog = new QFileDialog(this, tr("Choose Adapter"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this, before](const QString& path) {
        std::vector<RequestAdapter> all = before;
        all.push_back({text::toPath(path)});
        explain(all);
    });
    dialog->open();
}

void FoldAnswer::explain(const std::vector<RequestAdapter>& adapters, bool swapped) {
    m_adapters = adapters;
    m_swapped = swapped;
    m_progress = std::make_shared<Progress>();
    m_strip->hide();
    m_running->show();
    QWidget::show();
    updateProgress();
    m_tick.start();
    m_explaining.start(
        [base = swapped ? m_right : m_left, merged = swapped ? m_left : m_right, adapters,
         progress = m_progress](const CancelToken& cancel) -> Result<FoldExplanation> {
            progress->all = totals(*merged).bytes;
            std::vector<AdapterMember> members;
            for (const RequestAdapter& each : adapters) {
                CAIRN_TRY(CheckpointPtr opened, openCheckpoint(each.place, cancel));
                members.push_back({std::move(opened), each.place.path().string(), each.scale});
            }
            FoldExplainOptions options;
            options.cancel = cancel;
            options.progress = &progress->done;
            return explainFold({base, {}}, {merged, {}}, members, options);
        },
        [this](const Result<FoldExplanation>& answer) { show(answer); });
}

void FoldAnswer::stop() {
    m_explaining.cancel();
    m_tick.stop();
    hide();
}

void FoldAnswer::updateProgress() {
    const std::uint64_t all = m_progress->all;
    const std::uint64_t done = std::min(m_progress->done.load(), all);
    m_bar->setShares(all == 0 ? -1 : static_cast<double>(done) / static_cast<double>(all), 0);
    m_text->setText(tr("Folding %1 and comparing: %2 of %3")
                        .arg(adapterNames(), text::bytes(done), text::bytes(all)));
}

void FoldAnswer::show(const Result<FoldExplanation>& answer) {
    m_tick.stop();
    m_running->hide();
    const QString names = adapterNames();
    const int count = static_cast<int>(m_adapters.size());
    Message message;
    if (!answer) {
        const text::ErrorWords words = text::describe(answer.error());
        message = {theme::Tone::Broken, words.title, words.detail, {}};
    } else if (answer->explained()) {
        const QString words = m_swapped
                                  ? tr("A is B with the adapters %1 folded in", nullptr, count)
                                  : tr("B is A with the adapters %1 folded in", nullptr, count);
        message = {theme::Tone::Good, words.arg(names), countsOf(*answer), {}};
    } else {
        QStringList lines{countsOf(*answer)};
        for (std::size_t i = 0; i < std::min(kShownFindings, answer->findings.size()); ++i) {
            lines << text::coreText(answer->findings[i]);
        }
        const QString words = m_swapped
                                  ? tr("A is not B with the adapters %1 folded in", nullptr, count)
                                  : tr("B is not A with the adapters %1 folded in", nullptr, count);
        message = {theme::Tone::Attention, words.arg(names), {}, {}};
        if (const ExplainedTensor* first = firstOpen(*answer)) {
            lines << lineOf(*first);
            message.actions.push_back(
                {tr("Show Tensor"),
                 [this, name = text::fromCore(first->name)] { Q_EMIT tensorChosen(name); }});
        }
        message.detail = lines.join(QLatin1Char('\n'));
    }
    if (!answer || !answer->explained()) {
        message.actions.push_back({m_swapped ? tr("Take A as the Base") : tr("Take B as the Base"),
                                   [this] { explain(m_adapters, !m_swapped); }});
    }
    m_strip->show(std::move(message));
}

} // namespace cairn::ui
