// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/frame/command_palette.h"

#include "ui/shell/frame/actions.h"
#include "ui/text/plain_text.h"
#include "ui/text/text_flags.h"
#include "ui/text/words.h"
#include "ui/theme/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/risky.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QRegularExpression>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <cctype>

namespace cairn::ui {
namespace {

constexpr int kKeysRole = Qt::UserRole + 1;
constexpr std::size_t kMostEntries = 20; ///< of each kind
constexpr int kLeastForTensors = 2;      ///< characters

/// Tensors whose name contains all words, in any case, at most kMostEntries.
Result<std::vector<TensorIndex>> tensorsNamed(const Checkpoint& checkpoint,
                                              const std::vector<std::string>& words,
                                              const CancelToken& cancel) {
    const auto sameLetter = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    std::vector<TensorIndex> found;
    for (std::size_t i = 0; i < checkpoint.tensors().size() && found.size() < kMostEntries; ++i) {
        if (i % 1024 == 0) {
            CAIRN_CHECK(cancel.check());
        }
        const TensorIndex index(static_cast<std::uint32_t>(i));
        const std::string_view name = checkpoint.tensor(index).name;
        if (std::ranges::all_of(words, [&](const std::string& word) {
                return !std::ranges::search(name, word, sameLetter).empty();
            })) {
            found.push_back(index);
        }
    }
    return found;
}

QString plain(const QAction& action) {
    return action.iconText(); // without the mnemonic; that of a page has no number
}

/// The order of the rows.
enum Rank : int {
    kExactly,
    kNamedAction,
    kPageCommand,
    kOtherPageCommand,
    kObject,
    kActionBySynonym,
    kPreference,
    kTensor,
    kDisabled,
    kRiskyRank
};

/// "step 10" names "step-10".
QString withoutSigns(const QString& name) {
    static const QRegularExpression signs(QStringLiteral("[\\s_./:·-]+"));
    return QString(name).replace(signs, QStringLiteral(" ")).trimmed().toLower();
}

int rankOf(const PaletteEntry& entry, const QStringList& words) {
    const QString typed = withoutSigns(words.join(QLatin1Char(' ')));
    if (entry.isRisky) {
        return kRiskyRank;
    }
    switch (entry.group) {
    case PaletteEntry::Group::PageCommand:
        return kPageCommand;
    case PaletteEntry::Group::OtherPageCommand:
        return kOtherPageCommand;
    case PaletteEntry::Group::Preference:
        return kPreference;
    case PaletteEntry::Group::Object:
        break;
    }
    return std::ranges::any_of(entry.names,
                               [&](const QString& name) { return withoutSigns(name) == typed; })
               ? kExactly
               : kObject;
}

/// Name at the left, shortcut at the right.
class EntryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QPalette palette = option.palette;
        theme::quietSelection(palette);
        if ((option.state & QStyle::State_Selected) != 0) {
            painter->fillRect(option.rect, palette.color(QPalette::Highlight));
        }
        const bool enabled = (index.flags() & Qt::ItemIsEnabled) != 0;
        const QRect row = option.rect.adjusted(theme::kGrid + 4, 0, -theme::kGrid - 4, 0);
        painter->setFont(option.font);
        painter->setPen(theme::color(enabled ? theme::Tone::Plain : theme::Tone::Dim, palette));
        const auto draw = [&](Qt::Alignment side, const QString& text) {
            painter->drawText(row, text::textFlags(option.direction, side | Qt::AlignVCenter, text),
                              text);
        };
        draw(Qt::AlignLeft, index.data().toString());
        painter->setPen(theme::color(theme::Tone::Dim, palette));
        draw(Qt::AlignRight, index.data(kKeysRole).toString());
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {200, QFontMetrics(option.font).height() + 12};
    }
};

} // namespace

CommandPalette::CommandPalette(QList<QAction*> actions, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_actions(std::move(actions)), m_field(new QLineEdit(this)),
      m_list(new QListWidget(this)), m_nothing(plainLabel({}, this)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(theme::kGrid, theme::kGrid, theme::kGrid, theme::kGrid);
    m_field->setPlaceholderText(tr("Search actions, runs, checkpoints, tensors…"));
    m_field->setAccessibleName(tr("Find anything"));
    m_field->setMinimumHeight(theme::kControlHeight + 4);
    m_field->installEventFilter(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("Found"));
    m_nothing->setWordWrap(true);
    m_nothing->setMargin(theme::kGrid);
    m_nothing->hide();
    layout->addWidget(m_field);
    layout->addWidget(m_nothing);
    layout->addWidget(m_list);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::applyFilter);
    connect(m_field, &QLineEdit::returnPressed, this, &CommandPalette::run);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
}

void CommandPalette::popUp(const QList<QAction*>& pageActions) {
    m_pageActions = pageActions;
    m_field->clear();
    applyFilter({});
    const int width = std::min(560, parentWidget()->width() - 4 * theme::kGrid);
    resize(width, std::min(420, parentWidget()->height() - 8 * theme::kGrid));
    move(parentWidget()->mapToGlobal(
        QPoint((parentWidget()->width() - width) / 2, 7 * theme::kGrid)));
    show();
    m_field->setFocus();
}

bool CommandPalette::Found::isRisky() const {
    return action != nullptr ? action->property(kRisky).toBool() : entry.isRisky;
}

void CommandPalette::applyFilter(const QString& words) {
    m_tensors.cancel();
    m_found.clear();
    const QStringList parts = text::wordsOf(words);
    find(parts);
    fill();
    selectFirst();
    searchTensors(parts);
    updateNothing(m_tensors.isRunning());
}

void CommandPalette::find(const QStringList& words) {
    for (QAction* action : m_pageActions + m_actions) {
        const QString searched = plain(*action) + QLatin1Char(' ') + action->toolTip() +
                                 QLatin1Char(' ') + action->property(kSynonyms).toString();
        if (!text::containsWords(searched, words)) {
            continue;
        }
        int rank = text::containsWords(plain(*action), words) ? kNamedAction : kActionBySynonym;
        rank = words.isEmpty() ? kExactly : !action->isEnabled() ? kDisabled : rank;
        m_found.push_back({action->property(kRisky).toBool() ? kRiskyRank : rank, action, {}});
    }
    if (words.isEmpty() || !findPlaces) {
        return;
    }
    for (PaletteEntry& entry : findPlaces(words, kMostEntries)) {
        const int rank = rankOf(entry, words);
        m_found.push_back({rank, nullptr, std::move(entry)});
    }
}

void CommandPalette::fill() {
    std::ranges::stable_sort(m_found, {}, &Found::rank);
    m_list->clear();
    for (const Found& found : m_found) {
        addRow(found);
    }
}

void CommandPalette::addRow(const Found& found) {
    auto* item = new QListWidgetItem(m_list);
    if (found.action == nullptr) {
        item->setText(found.entry.text);
        item->setData(kKeysRole, found.entry.kind);
        item->setToolTip(text::toolTip(found.entry.text));
        return;
    }
    item->setText(plain(*found.action));
    QStringList sequences;
    for (const QKeySequence& sequence : found.action->shortcuts()) {
        sequences << sequence.toString(QKeySequence::NativeText);
    }
    item->setData(kKeysRole, sequences.join(QStringLiteral(", ")));
    item->setToolTip(text::toolTip(found.action->toolTip())); // why an action is disabled
    item->setFlags(found.action->isEnabled() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                                             : Qt::NoItemFlags);
}

void CommandPalette::searchTensors(const QStringList& words) {
    const CheckpointPtr checkpoint = shownCheckpoint ? shownCheckpoint() : nullptr;
    if (!checkpoint || words.isEmpty() || words.join(QString()).size() < kLeastForTensors) {
        return;
    }
    std::vector<std::string> wanted;
    for (const QString& word : words) {
        wanted.push_back(word.toStdString());
    }
    m_tensors.start(
        [checkpoint, wanted](const CancelToken& cancel) {
            return tensorsNamed(*checkpoint, wanted, cancel);
        },
        [this, checkpoint, words](const Result<std::vector<TensorIndex>>& found) {
            const int row = m_list->currentRow();
            const QString current = row > 0 ? m_list->item(row)->text() : QString();
            for (const TensorIndex index : found ? *found : std::vector<TensorIndex>()) {
                const QString name = text::fromCore(checkpoint->tensor(index).name);
                PaletteEntry entry{.text = name,
                                   .kind = tr("tensor"),
                                   .choose = [this, index] { chooseTensor(index); },
                                   .names = {name}};
                const int rank = rankOf(entry, words);
                m_found.push_back({rank == kExactly ? kExactly : kTensor, nullptr, entry});
            }
            fill();
            const auto same = m_list->findItems(current, Qt::MatchExactly);
            if (!current.isEmpty() && !same.isEmpty()) { // that the user went to meanwhile
                m_list->setCurrentItem(same.front());
            } else {
                selectFirst();
            }
            updateNothing(false);
        });
}

void CommandPalette::selectFirst() {
    for (int row = 0; row < m_list->count(); ++row) {
        if ((m_list->item(row)->flags() & Qt::ItemIsEnabled) != 0 &&
            !m_found[static_cast<std::size_t>(row)].isRisky()) {
            m_list->setCurrentRow(row);
            break;
        }
    }
}

void CommandPalette::updateNothing(bool searching) {
    const bool nothing = m_list->count() == 0 && !searching;
    if (nothing) {
        const bool tensors = shownCheckpoint && shownCheckpoint();
        m_nothing->setText(
            (tensors ? tr("Nothing found for “%1” in the actions, runs, checkpoints, and tensors "
                          "of the shown checkpoint")
                     : tr("Nothing found for “%1” in the actions, runs and checkpoints"))
                .arg(m_field->text()));
    }
    m_nothing->setVisible(nothing);
}

void CommandPalette::run() {
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr || (item->flags() & Qt::ItemIsEnabled) == 0) {
        return;
    }
    const Found found = m_found.at(static_cast<std::size_t>(m_list->currentRow()));
    hide();
    if (found.action != nullptr) {
        found.action->trigger();
    } else {
        found.entry.choose();
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        auto* press = static_cast<QKeyEvent*>(event);
        const int step = press->key() == Qt::Key_Down ? 1 : press->key() == Qt::Key_Up ? -1 : 0;
        if (step != 0) {
            int row = m_list->currentRow() + step; // from none (-1) down to the first
            while (row >= 0 && row < m_list->count() &&
                   (m_list->item(row)->flags() & Qt::ItemIsEnabled) == 0) {
                row += step;
            }
            if (row >= 0 && row < m_list->count()) {
                m_list->setCurrentRow(row);
            }
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace cairn::ui
