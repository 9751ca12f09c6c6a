// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/tensors/tensors_page.h"

#include "ui/models/row_delegate.h"
#include "ui/models/row_roles.h"
#include "ui/models/row_view.h"
#include "ui/models/tensor_model.h"
#include "ui/models/tensor_words.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segments.h"

#include <QHeaderView>
#include <QMenu>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kRoomyRows = 24; ///< the first levels are expanded up to this total number of rows
constexpr std::size_t kOpenAtOnce = 5000; ///< rows: matches of a filter, or below the only one

const QString kColumnsKey = QStringLiteral("columns");
const QString kTreeKey = QStringLiteral("tree");

int section(TensorColumn column) {
    return static_cast<int>(column);
}

} // namespace

TensorsPage::TensorsPage(QWidget* parent)
    : Page(parent), m_model(new TensorModel(this)), m_view(new RowView), m_notice(new NoticePane),
      m_stack(new QStackedLayout), m_mode(new Segments({tr("Tree"), tr("List")})),
      m_counts(new TextLabel({}, theme::Tone::Dim)), m_columns(new Button(tr("Columns"))) {
    auto* page = new QVBoxLayout(this);
    page->setContentsMargins(2 * theme::kGrid, theme::kGrid + 4, 2 * theme::kGrid,
                             2 * theme::kGrid);
    page->setSpacing(theme::kGrid);
    auto* bar = new QHBoxLayout;
    bar->setSpacing(theme::kGrid + 4);
    bar->addWidget(m_mode);
    bar->addWidget(m_counts, 1);
    bar->addWidget(m_columns);
    page->addLayout(bar);
    auto* card = new Card;
    card->layout()->setContentsMargins(1, 1, 1, 1);
    card->content()->addLayout(m_stack, 1);
    page->addWidget(card, 1);
    m_stack->addWidget(m_view);
    m_stack->addWidget(m_notice);
    buildView();
    buildBar();
    setTree(true);
    clear();
}

TensorsPage::~TensorsPage() = default;

void TensorsPage::buildBar() {
    m_mode->setAccessibleName(tr("View mode"));
    m_columns->setToolTip(tr("Choose columns"));
    m_columns->setOpensList(true);
    connect(m_mode, &Segments::chosenByUser, this, [this](int index) { setTree(index == 0); });
    connect(m_columns, &QPushButton::clicked, this, [this] {
        QMenu menu;
        m_view->fillColumnMenu(menu);
        menu.exec(m_columns->mapToGlobal(QPoint(0, m_columns->height())));
    });
}

void TensorsPage::buildView() {
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Tensors"));
    m_view->setDragDropMode(QAbstractItemView::DragOnly); // a tensor as a file
    QHeaderView* header = m_view->header();
    m_view->setSortable(true);
    const auto widest = std::to_array<std::pair<TensorColumn, QString>>({
        {TensorColumn::Name, QStringLiteral("down_proj.weight.exp_avg_sq")},
        {TensorColumn::Dtype, QStringLiteral("bfloat16 ")},
        {TensorColumn::Shape, QStringLiteral("49152 × 4096")},
        {TensorColumn::Bytes, QStringLiteral("999.9 MB")},
        {TensorColumn::Role, words::tensorRole(Role::TrainingState)},
        {TensorColumn::Shards, TensorModel::tr("%1 of %2 missing").arg(1).arg(4)},
        {TensorColumn::Pieces, TensorModel::tr("Pieces") + QLatin1Char(' ')},
    });
    for (const auto& [column, text] : widest) {
        header->resizeSection(section(column), m_view->fontMetrics().horizontalAdvance(text) +
                                                   2 * RowDelegate::kPadding + 4);
    }
    // Until they are chosen: dtype: and role: filter all the same, the inspector shows the pieces,
    // and names need the room in small windows.
    m_view->setColumnHidden(section(TensorColumn::Role), true);
    m_view->setColumnHidden(section(TensorColumn::Pieces), true);
    connect(m_view, &RowView::sortRequested, this, &TensorsPage::sortBy);
    for (const auto changed : {&QHeaderView::sectionResized, &QHeaderView::sectionMoved}) {
        connect(header, changed, this, [this] { stateChanged(); });
    }
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this] { stateChanged(); });
    m_view->setNameColumn(section(TensorColumn::Name));
    m_view->setTextColumn(section(TensorColumn::Shards));
    m_view->setCopySource([this]() -> RowView::ModelMaker {
        return [arrangement = m_model->arrangement()] {
            auto model = std::make_unique<TensorModel>();
            model->show(arrangement);
            return model;
        };
    });
    connect(m_notice, &NoticePane::actionChosen, this, &TensorsPage::clearFilterRequested);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &TensorsPage::announce);
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &TensorsPage::announceSeveral);
    const auto keep = [this](const QModelIndex& index, bool open) {
        if (!m_quiet && m_request.filter.isEmpty()) {
            const QString name = index.data(RowRoles::FullName).toString();
            open ? void(m_expanded.insert(name)) : void(m_expanded.remove(name));
        }
    };
    connect(m_view, &QTreeView::expanded, this, [keep](const QModelIndex& i) { keep(i, true); });
    connect(m_view, &QTreeView::collapsed, this, [keep](const QModelIndex& i) { keep(i, false); });
    connect(m_view, &QWidget::customContextMenuRequested, this, &TensorsPage::showContextMenu);
}

extern const PageInfo kTensorsPage;
const PageInfo kTensorsPage{
    .id = "tensors",
    .title = [] { return TensorsPage::tr("Tensors"); },
    .make = [](const PageParts&) -> Page* { return new TensorsPage; },
};

const PageInfo& TensorsPage::info() const {
    return kTensorsPage;
}

QWidget* TensorsPage::filterTarget() {
    return m_view;
}

void TensorsPage::clear() {
    m_indexing.cancel();
    m_arranging.cancel();
    m_snippet.cancel();
    m_checkpoint.reset();
    m_table.reset();
    m_whole.reset();
    m_current.reset();
    m_expanded.clear();
    m_model->show(nullptr);
    m_counts->setText(QString());
    m_notice->showMessage(tr("No checkpoint is open"),
                          tr("Select a checkpoint on the left to see its tensors."));
    m_stack->setCurrentWidget(m_notice);
}

void TensorsPage::showCheckpoint(const CheckpointPtr& checkpoint) {
    if (checkpoint == m_checkpoint) {
        return;
    }
    clear();
    m_checkpoint = checkpoint;
    m_notice->showMessage(tr("Listing tensors…"), QString());
    m_indexing.start(
        [checkpoint](const CancelToken& cancel) { return TensorTable::make(checkpoint, cancel); },
        [this](Result<TensorTablePtr> table) {
            if (table) {
                m_table = std::move(*table);
                rearrange();
            } else {
                m_notice->showError(tr("The tensors cannot be listed"), table.error(), {});
            }
        });
}

void TensorsPage::setFilter(const QString& text) {
    if (text != m_request.filter) {
        m_request.filter = text;
        rearrange();
    }
}

void TensorsPage::setTree(bool tree) {
    m_request.tree = tree;
    m_mode->choose(tree ? 0 : 1);
    m_view->setRootIsDecorated(tree);
    stateChanged();
    rearrange();
}

void TensorsPage::sortBy(int column, Qt::SortOrder order) {
    m_request.sortColumn = static_cast<TensorColumn>(std::max(0, column)); // -1: natural order
    m_request.descending = order == Qt::DescendingOrder;
    rearrange();
}

void TensorsPage::rearrange() {
    if (m_table) {
        arrange(m_request);
    }
}

void TensorsPage::arrange(const ArrangementRequest& request) {
    m_arranging.start(
        [table = m_table, request, shown = m_model->arrangement(),
         whole = m_whole](const CancelToken& cancel) {
            return whole && whole->request() == request // the filter was cleared
                       ? Result<TensorArrangementPtr>(whole)
                       : TensorArrangement::make(table, request, cancel, shown);
        },
        [this, request](Result<TensorArrangementPtr> arrangement) {
            if (arrangement) {
                publish(std::move(*arrangement));
            } else if (showProblem(text::briefly(arrangement.error()));
                       arrangement.error().code == ErrorCode::InvalidArgument) {
                // The last valid filter stays, in the order that was asked for meanwhile.
                const TensorArrangementPtr& shown = m_model->arrangement();
                ArrangementRequest valid = request;
                valid.filter = shown ? shown->request().filter : QString();
                if (!shown || shown->request() != valid) {
                    arrange(valid);
                    return;
                }
            }
            Q_EMIT settled();
        });
}

void TensorsPage::showProblem(const QString& problem) {
    m_problem = problem;
    if (isVisible()) {
        Q_EMIT filterProblem(problem);
    }
}

void TensorsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    Q_EMIT filterProblem(m_problem);
}

void TensorsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    Q_EMIT filterProblem({});
}

void TensorsPage::publish(TensorArrangementPtr arrangement) {
    if (arrangement->request().filter == m_request.filter) {
        showProblem({});
    }
    if (arrangement->request().filter.isEmpty()) {
        m_whole = arrangement;
    }
    m_quiet = true;
    m_model->show(std::move(arrangement));
    restoreExpansion();
    restoreCurrent();
    m_quiet = false;
    updateCounts();
    if (m_model->rowCount() == 0) {
        showEmptyNotice();
    }
    m_stack->setCurrentWidget(m_model->rowCount() == 0 ? static_cast<QWidget*>(m_notice) : m_view);
    m_view->fitTexts();
}

void TensorsPage::restoreExpansion() {
    const TensorArrangement& shown = *m_model->arrangement();
    if (!shown.isTree()) {
        return;
    }
    if (!shown.request().filter.isEmpty()) {
        if (shown.nodes().size() <= kOpenAtOnce) {
            m_view->expandAll();
        } else {
            m_view->expandToDepth(0);
        }
        return;
    }
    int rows = m_model->rowCount();
    QModelIndexList open;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        open << m_model->index(row, 0);
    }
    const bool isFirst = m_expanded.isEmpty();
    while (!open.isEmpty()) {
        const QModelIndex index = open.takeFirst();
        const int children = m_model->rowCount(index);
        const QString name = isFirst ? QString() : index.data(RowRoles::FullName).toString();
        const bool isAlone = rows == 1 && static_cast<std::size_t>(children) <= kOpenAtOnce;
        const bool wanted =
            isFirst ? isAlone || rows + children <= kRoomyRows : m_expanded.contains(name);
        if (children == 0 || !wanted) {
            continue;
        }
        m_view->setExpanded(index, true);
        rows += children;
        if (isFirst) {
            m_expanded.insert(index.data(RowRoles::FullName).toString());
        }
        for (int row = 0; row < children; ++row) {
            open << m_model->index(row, 0, index);
        }
    }
}

void TensorsPage::restoreCurrent() {
    if (m_current) {
        const QModelIndex index = m_model->indexOf(*m_current); // none while the filter hides it
        m_view->setCurrentIndex(index);
        m_view->scrollTo(index);
    }
}

void TensorsPage::updateCounts() {
    const TensorArrangement& shown = *m_model->arrangement();
    const std::size_t all = m_table->size();
    const QString bytes = text::bytes(shown.bytes());
    m_counts->setTone(theme::Tone::Dim);
    const QString before = m_counts->text();
    m_counts->setText(shown.tensorCount() == all
                          ? tr("%Ln tensors · %1", nullptr, static_cast<int>(all)).arg(bytes)
                          : tr("%1 of %Ln tensors · %2", nullptr, static_cast<int>(all))
                                .arg(text::count(shown.tensorCount()), bytes));
    const bool isNews = !m_request.filter.isEmpty() && shown.tensorCount() > 0 && isVisible();
    if (isNews && m_counts->text() != before) {
        ui::announce(this, m_counts->text());
    }
}

void TensorsPage::showEmptyNotice() {
    if (m_table->size() == 0) {
        m_notice->showMessage(tr("This checkpoint has no tensors"),
                              tr("Its plain values are on the Metadata page."));
    } else {
        m_notice->showMessage(
            tr("No tensor matches “%1”").arg(m_request.filter),
            tr("Words match in any order. * and ? are wildcards, -word excludes, /…/ is a regular "
               "expression. Columns: size > 100MB, dtype == bf16, shape ~ 4096, role:weight"),
            tr("Clear Filter"));
    }
}

void TensorsPage::showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) {
    if (!checkpoint || checkpoint != m_checkpoint) {
        return;
    }
    m_current = tensor;
    m_quiet = true;
    restoreCurrent();
    m_quiet = false;
}

void TensorsPage::announce(const QModelIndex& current) {
    if (m_quiet || !current.isValid() || !m_checkpoint) {
        return;
    }
    if (const std::optional<TensorIndex> tensor = m_model->tensorAt(current)) {
        m_current = tensor;
        Q_EMIT tensorSelected(m_checkpoint, *tensor);
        return;
    }
    m_current.reset();
    const QModelIndex group = current.siblingAtColumn(0);
    const TensorArrangement::Node* node = m_model->nodeAt(group);
    Q_EMIT groupSelected(m_checkpoint, group.data(RowRoles::FullName).toString(), node->tensors,
                         node->bytes);
}

/// The tensors of the selected rows, and those below selected modules.
void TensorsPage::announceSeveral() {
    const QModelIndexList rows = m_view->selectionModel()->selectedRows();
    if (m_quiet || !m_checkpoint || rows.size() < 2) {
        return;
    }
    std::set<TensorIndex> tensors;
    std::vector<QModelIndex> open(rows.begin(), rows.end());
    while (!open.empty()) {
        const QModelIndex row = open.back();
        open.pop_back();
        if (const std::optional<TensorIndex> tensor = m_model->tensorAt(row)) {
            tensors.insert(*tensor);
        }
        for (int child = 0; child < m_model->rowCount(row); ++child) {
            open.push_back(m_model->index(child, 0, row));
        }
    }
    Q_EMIT tensorsSelected(m_checkpoint, {tensors.begin(), tensors.end()});
}

QJsonObject TensorsPage::keptState() const {
    return {{kColumnsKey, QString::fromLatin1(m_view->header()->saveState().toBase64())},
            {kTreeKey, m_request.tree}};
}

void TensorsPage::restoreState(const QJsonObject& state) {
    QHeaderView* header = m_view->header();
    const QSignalBlocker blocker(header);
    if (header->restoreState(
            QByteArray::fromBase64(state.value(kColumnsKey).toString().toLatin1()))) {
        m_request.sortColumn = static_cast<TensorColumn>(
            std::clamp(header->sortIndicatorSection(), 0, kTensorColumns - 1));
        m_request.descending = header->sortIndicatorOrder() == Qt::DescendingOrder;
    }
    setTree(state.value(kTreeKey).toBool(true));
}

} // namespace cairn::ui
