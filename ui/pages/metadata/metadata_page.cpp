// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/metadata/metadata_page.h"

#include "core/model/saved_values.h"
#include "core/runs/rank/why.h"
#include "ui/models/python_snippet.h"
#include "ui/models/row_delegate.h"
#include "ui/models/row_view.h"
#include "ui/models/value_model.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/card.h"
#include "ui/widgets/facts_pane.h"
#include "ui/widgets/focus_mark.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QMenu>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kRoomyRows = 30; ///< small containers are expanded up to this total number of rows
constexpr int kSmallContainer = 12; ///< rows
constexpr int kMostWidth = 4000;    ///< px of a column
const QString kKeyWidth = QStringLiteral("key");
const QString kTypeWidth = QStringLiteral("type");
constexpr qsizetype kMostShown = 2'000; ///< characters in the right column
constexpr qsizetype kShortValue = 80;   ///< characters that fit into the row itself

} // namespace

MetadataPage::MetadataPage(QWidget* parent)
    : Page(parent), m_model(new ValueModel(this)), m_view(new RowView), m_notice(new NoticePane),
      m_stack(new QStackedLayout), m_counts(new TextLabel({}, theme::Tone::Dim)),
      m_facts(new FactsPane), m_detail(new QWidget), m_path(new TextLabel({}, theme::Tone::Dim)),
      m_value(plainLabel({})) {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(2 * theme::kGrid, theme::kGrid + 4, 2 * theme::kGrid,
                             2 * theme::kGrid);
    page->setSpacing(theme::kGrid);
    m_counts->setMinimumHeight(theme::kControlHeight);
    m_counts->setWordWrap(true);
    page->addWidget(m_counts);
    auto* card = new Card;
    card->layout()->setContentsMargins(1, 1, 1, 1);
    card->content()->setSpacing(0);
    card->content()->addLayout(m_stack, 1);
    card->content()->addWidget(m_detail);
    page->addWidget(card, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_notice);
    announce({}); // the right column says what it is for

    m_path->setElideMiddle(true);
    m_path->setFont(theme::small(m_path->font()));
    m_value->setFont(theme::mono(m_value->font()));
    m_value->setWordWrap(true);
    m_value->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_value->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    new FocusMark(scroll, tr("Value"));
    scroll->setWidget(m_value);
    scroll->viewport()->setAutoFillBackground(false);
    m_value->setAutoFillBackground(false);
    scroll->setMaximumHeight(m_value->fontMetrics().height() * 6);
    auto* detail = new QVBoxLayout(m_detail);
    detail->setContentsMargins(0, 0, 0, theme::kGrid);
    detail->setSpacing(theme::kGrid / 2);
    detail->addWidget(new Hairline);
    auto* inset = new QVBoxLayout;
    inset->setContentsMargins(theme::kGrid + 4, theme::kGrid, theme::kGrid + 4, 0);
    inset->addWidget(m_path);
    inset->addWidget(scroll);
    detail->addLayout(inset);

    buildView();
    connect(m_notice, &NoticePane::actionChosen, this, [this] {
        if (m_matches) {
            Q_EMIT clearFilterRequested();
        } else {
            read();
        }
    });
    clear();
}

QJsonObject MetadataPage::keptState() const {
    const QHeaderView* header = m_view->header();
    return {{kKeyWidth, header->sectionSize(ValueModel::Key)},
            {kTypeWidth, header->sectionSize(ValueModel::Type)}};
}

void MetadataPage::restoreState(const QJsonObject& state) {
    const auto restore = [&](int column, const QString& name) {
        if (const int width = state.value(name).toInt(); width > 0 && width < kMostWidth) {
            m_view->header()->resizeSection(column, width);
        }
    };
    restore(ValueModel::Key, kKeyWidth);
    restore(ValueModel::Type, kTypeWidth);
}

void MetadataPage::buildView() {
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Values"));
    QHeaderView* header = m_view->header();
    header->setSectionsMovable(false);
    header->setSectionResizeMode(ValueModel::Content, QHeaderView::Stretch);
    const int letter = m_view->fontMetrics().averageCharWidth();
    header->resizeSection(ValueModel::Key, letter * 26);
    header->resizeSection(ValueModel::Type, letter * 15);
    connect(header, &QHeaderView::sectionResized, this, [this] { stateChanged(); });
    m_view->setSortable(true);
    connect(m_view, &RowView::sortRequested, this, [this](int column, Qt::SortOrder order) {
        m_sort = {column, order == Qt::DescendingOrder};
        sort();
    });
    m_view->setCopySource([this]() -> RowView::ModelMaker {
        return [checkpoint = m_checkpoint, root = m_root, matches = m_matches, orders = m_orders] {
            auto model = std::make_unique<ValueModel>();
            model->show(checkpoint, root);
            model->showMatches(matches);
            model->setOrders(orders);
            return model;
        };
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &MetadataPage::announce);
    connect(m_view, &QWidget::customContextMenuRequested, this, &MetadataPage::showContextMenu);
}

extern const PageInfo kMetadataPage;
const PageInfo kMetadataPage{
    .id = "metadata",
    .title = [] { return MetadataPage::tr("Metadata"); },
    .make = [](const PageParts&) -> Page* { return new MetadataPage; },
};

const PageInfo& MetadataPage::info() const {
    return kMetadataPage;
}

QWidget* MetadataPage::sidePanel() {
    return m_facts;
}

QWidget* MetadataPage::filterTarget() {
    return m_view;
}

void MetadataPage::clear() {
    m_reading.cancel();
    m_searching.cancel();
    m_sorting.cancel();
    m_snippet.cancel();
    m_matches.reset();
    m_orders.reset();
    m_checkpoint.reset();
    m_root = Value();
    m_isRead = false;
    m_model->show(nullptr, Value());
    m_counts->setText(QString());
    m_counts->setTone(theme::Tone::Dim);
    m_saved = {};
    m_detail->hide();
    m_notice->showMessage(tr("No checkpoint is open"),
                          tr("Select a checkpoint on the left to see its values."));
    m_stack->setCurrentWidget(m_notice);
}

void MetadataPage::showCheckpoint(const CheckpointPtr& checkpoint) {
    if (checkpoint == m_checkpoint) {
        return;
    }
    clear();
    m_checkpoint = checkpoint;
    if (isVisible()) {
        read();
    }
}

void MetadataPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_checkpoint && !m_isRead && !m_reading.isRunning()) {
        read();
    }
}

void MetadataPage::read() {
    m_notice->showMessage(tr("Reading values…"), QString());
    m_reading.start(
        [checkpoint = m_checkpoint](const CancelToken& cancel) -> Result<Read> {
            CAIRN_TRY(Value root, checkpoint->values(cancel));
            CAIRN_TRY(const SavedValues saved, savedValues(*checkpoint, cancel));
            return Read{std::move(root), decideSaved(saved, checkpoint->path())};
        },
        [this](Result<Read> read) {
            m_isRead = true;
            if (read) {
                showValues(std::move(*read));
            } else {
                m_notice->showError(tr("The values cannot be read"), read.error(), tr("Retry"));
            }
            Q_EMIT settled();
        });
}

void MetadataPage::showValues(Read read) {
    m_root = std::move(read.root);
    m_saved = std::move(read.saved);
    m_orders.reset();
    m_matches.reset();
    m_model->show(m_checkpoint, m_root);
    if (m_sort.column >= 0) {
        sort();
    }
    if (m_model->rowCount() == 0) {
        m_notice->showMessage(
            tr("This checkpoint has no plain values"),
            tr("It contains only tensors. Epoch, loss and arguments are stored only if "
               "the training script saves them."));
        return;
    }
    m_stack->setCurrentWidget(m_view);
    openSmallContainers();
    updateKeyCount();
    if (!m_filter.isEmpty()) {
        search();
    }
}

void MetadataPage::sort() {
    if (!m_root.isContainer()) {
        return;
    }
    if (m_sort.column < 0) {
        m_sorting.cancel();
        m_orders.reset();
        m_model->setOrders(nullptr);
        Q_EMIT settled();
        return;
    }
    m_sorting.start(
        [root = m_root, checkpoint = m_checkpoint, sort = m_sort](const CancelToken& cancel) {
            return orderValues(root, checkpoint, sort, cancel);
        },
        [this](Result<ValueOrdersPtr> orders) {
            if (orders) {
                m_orders = std::move(*orders);
                m_model->setOrders(m_orders);
            }
            Q_EMIT settled();
        });
}

void MetadataPage::updateKeyCount() {
    const Explanation saved = explainValuesSaved(m_saved);
    QStringList parts{tr("%Ln keys", nullptr, static_cast<int>(m_root.items().size())),
                      text::coreText(saved.from)};
    parts.removeAll(QString());
    m_counts->setText(parts.join(QStringLiteral(" · ")));
    m_counts->setTone(m_saved.value == false ? theme::Tone::Broken : theme::Tone::Dim);
}

void MetadataPage::openSmallContainers() {
    int rows = m_model->rowCount();
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        const int children = m_model->rowCount(index);
        if (!m_model->isTensorFold(index) && children > 0 && children <= kSmallContainer &&
            rows + children <= kRoomyRows) {
            m_view->expand(index);
            rows += children;
        }
    }
}

void MetadataPage::setFilter(const QString& text) {
    if (text != m_filter) {
        m_filter = text;
        search();
    }
}

void MetadataPage::search() {
    if (!m_root.isContainer() || !m_checkpoint) {
        return;
    }
    if (m_filter.trimmed().isEmpty()) {
        m_searching.cancel();
        showMatches(nullptr);
        Q_EMIT settled();
        return;
    }
    m_searching.start(
        [root = m_root, checkpoint = m_checkpoint, text = m_filter](const CancelToken& cancel) {
            return findValues(root, checkpoint, text, cancel);
        },
        [this](Result<ValueMatchesPtr> matches) {
            if (matches) {
                showMatches(*matches);
            }
            Q_EMIT settled();
        });
}

void MetadataPage::showMatches(const ValueMatchesPtr& matches) {
    m_quiet = true;
    m_detail->hide();
    m_matches = matches;
    m_model->showMatches(matches);
    m_quiet = false;
    if (!matches) {
        m_stack->setCurrentWidget(m_view);
        openSmallContainers();
        updateKeyCount();
        return;
    }
    if (matches->matches == 0) {
        m_counts->setText(QString());
        m_notice->showMessage(tr("Nothing matches “%1”").arg(m_filter),
                              tr("Every word must occur in a key or value."), tr("Clear Filter"));
        m_stack->setCurrentWidget(m_notice);
        return;
    }
    m_stack->setCurrentWidget(m_view);
    m_counts->setTone(theme::Tone::Dim);
    for (const ValueMatches::Entry& entry : matches->entries) {
        if (entry.parent != 0) {
            m_view->expand(m_model->indexOfMatch(entry.parent));
        }
    }
    const int count = static_cast<int>(matches->matches);
    m_counts->setText(matches->more ? tr("First %Ln matches", nullptr, count)
                                    : tr("%Ln matches", nullptr, count));
    ui::announce(this, m_counts->text());
}

void MetadataPage::announce(const QModelIndex& current) {
    if (m_quiet || !current.isValid()) {
        m_detail->hide();
        m_facts->showHint(tr("Select a value to see it in full."));
        return;
    }
    const QString full = m_model->fullValueAt(current);
    showFacts(current, full);
    m_path->setText(m_model->pathAt(current));
    m_value->setText(full);
    const int room = m_view->header()->sectionSize(ValueModel::Content) - 2 * RowDelegate::kPadding;
    m_detail->setVisible(m_view->fontMetrics().horizontalAdvance(full.left(kShortValue)) > room ||
                         full.size() > kShortValue || full.contains(QLatin1Char('\n')));
    if (const std::optional<TensorIndex> tensor = m_model->tensorAt(current)) {
        Q_EMIT tensorSelected(m_checkpoint, *tensor);
    }
}

void MetadataPage::showFacts(const QModelIndex& current, const QString& value) {
    const auto cell = [&](int column) { return current.siblingAtColumn(column).data().toString(); };
    std::vector<std::pair<QString, QString>> facts{
        {tr("type"), cell(ValueModel::Type)},
        {tr("value"),
         value.size() > kMostShown ? value.left(kMostShown) + QStringLiteral("…") : value}};
    if (const QString python = m_model->pythonAt(current); !python.isEmpty()) {
        facts.emplace_back(tr("in Python"), QStringLiteral("checkpoint") + python);
    }
    m_facts->show(cell(ValueModel::Key), m_model->pathAt(current), {{{}, facts}});
}

bool MetadataPage::copyPython(const QModelIndex& index) {
    const std::optional<TensorIndex> tensor = m_model->tensorAt(index);
    if (!tensor) {
        const QString subscripts = m_model->pythonAt(index);
        if (!subscripts.isEmpty()) {
            QApplication::clipboard()->setText(QStringLiteral("checkpoint") + subscripts);
        }
        return !subscripts.isEmpty();
    }
    m_snippet.start(
        [checkpoint = m_checkpoint, tensor = *tensor](const CancelToken& cancel) {
            return pythonSnippet(checkpoint, tensor, cancel);
        },
        [](Result<QString> snippet) {
            if (snippet) {
                QApplication::clipboard()->setText(*snippet);
            }
        });
    return true;
}

bool MetadataPage::copySelection(CopyAs what) {
    return what == CopyAs::Rows ? m_view->copyRows() : copyPython(m_view->currentIndex());
}

void MetadataPage::showContextMenu(const QPoint& at) {
    const QModelIndex index = m_view->indexAt(at);
    if (!index.isValid()) {
        return;
    }
    QMenu menu;
    menu.addAction(tr("Copy"), m_view, [this] { m_view->copyRows(); });
    menu.addAction(tr("Copy Value"), this, [this, index] {
        QApplication::clipboard()->setText(m_model->fullValueAt(index));
    });
    menu.addAction(tr("Copy Path"), this,
                   [this, index] { QApplication::clipboard()->setText(m_model->pathAt(index)); });
    menu.addAction(tr("Copy as Python"), this, [this, index] { copyPython(index); });
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

} // namespace cairn::ui
