// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/compare/settings_card.h"

#include "ui/models/row_view.h"
#include "ui/pages/compare/settings_tree.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/text_field.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

QString sourcesText(const std::vector<std::string>& sources) {
    QStringList texts;
    for (const std::string& each : sources) {
        texts << text::fromCore(each);
    }
    return texts.isEmpty() ? SettingsCard::tr("none") : texts.join(QStringLiteral(", "));
}

} // namespace

SettingsCard::SettingsCard(QWidget* parent)
    : Card({}, parent), m_title(captionLabel({})), m_tree(new SettingsTree(this)),
      m_view(new RowView), m_nothing(new TextLabel({}, theme::Tone::Dim)), m_ignoreRow(new QWidget),
      m_ignore(new TextField), m_problem(new TextLabel({}, theme::Tone::Attention)),
      m_sources(new TextLabel({}, theme::Tone::Dim)) {
    content()->setSpacing(theme::kGrid / 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(2 * theme::kGrid);
    head->addWidget(m_title, 1);
    head->addWidget(m_ignoreRow, 1);
    content()->addLayout(head);
    m_view->setModel(m_tree);
    m_view->setSelectionMode(QAbstractItemView::SingleSelection);
    m_view->setTabKeyNavigation(false);
    m_view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_view->setAccessibleName(tr("Settings that differ"));
    m_view->header()->setSectionsMovable(false);
    m_view->setSortable(true);
    connect(m_view, &RowView::sortRequested, this, [this](int column, Qt::SortOrder order) {
        m_tree->setSort({column, order == Qt::DescendingOrder});
    });
    m_view->header()->setSectionResizeMode(QHeaderView::Stretch);
    m_nothing->setWordWrap(true);
    content()->addWidget(m_view);
    content()->addWidget(m_nothing);
    auto* row = new QHBoxLayout(m_ignoreRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kGrid);
    auto* word = new TextLabel(tr("Ignore"), theme::Tone::Dim);
    row->addWidget(word);
    row->addWidget(m_ignore, 1);
    setTabOrder(m_ignore, m_view);
    m_ignore->setPlaceholderText(tr("seed, *_dir"));
    m_ignore->setAccessibleName(tr("Settings to ignore, separated by commas"));
    text::setToolTip(m_ignore, tr("Names or patterns, separated by commas. * matches any "
                                  "characters. A name matches the full key or its last part."));
    m_sources->setElideMiddle(true);
    content()->addWidget(m_problem);
    content()->addWidget(m_sources);
    content()->addStretch(1);
    m_problem->hide();
    connect(m_ignore, &QLineEdit::textChanged, this, &SettingsCard::readPatterns);
    connect(m_view, &QTreeView::expanded, this, &SettingsCard::fitHeight);
    connect(m_view, &QTreeView::collapsed, this, &SettingsCard::fitHeight);
    connect(m_view, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        if (!m_view->currentIndex().isValid()) {
            return;
        }
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        connect(menu->addAction(tr("Ignore")), &QAction::triggered, this,
                &SettingsCard::ignoreCurrent);
        menu->popup(m_view->viewport()->mapToGlobal(at));
    });
    auto* leaveOut = new QAction(tr("Ignore"), m_view);
    leaveOut->setShortcut(QKeySequence(Qt::Key_Delete));
    leaveOut->setShortcutContext(Qt::WidgetShortcut);
    connect(leaveOut, &QAction::triggered, this, &SettingsCard::ignoreCurrent);
    m_view->addAction(leaveOut);
    clear();
}

bool SettingsCard::isSorting() const {
    return m_tree->isSorting();
}

void SettingsCard::clear() {
    m_tree->show({});
    setHead(tr("Settings"));
    m_view->hide();
    m_nothing->hide();
    m_ignoreRow->hide();
    m_sources->hide();
}

void SettingsCard::show(const SettingsComparison& settings) {
    const std::uint64_t differ = settings.differing();
    const std::uint64_t all = settings.count();
    QString title = tr("Settings · %1 of %2 differ").arg(text::count(differ), text::count(all));
    if (settings.ignored > 0) {
        title += QStringLiteral(" · ") + tr("%1 ignored").arg(text::count(settings.ignored));
    }
    if (settings.cut) {
        title += QStringLiteral(" · ") + tr("first %1 only").arg(text::count(kMaxSettings));
    }
    QStringList sources;
    for (const std::string& each : settingSources(settings)) {
        sources << text::fromCore(each);
    }
    m_sources->setText(tr("Read from %1").arg(sources.join(QStringLiteral(", "))));
    text::setToolTip(
        m_sources, tr("A: %1\nB: %2")
                       .arg(sourcesText(settings.leftSources), sourcesText(settings.rightSources)));
    m_sources->setVisible(!sources.isEmpty());
    setHead(all == 0 ? tr("Settings") : title);
    m_tree->show(settings);
    m_view->expandToDepth(1);
    m_view->setVisible(differ > 0);
    m_ignoreRow->setVisible(all > 0);
    m_nothing->setVisible(differ == 0);
    m_nothing->setText(all == 0 ? tr("Neither run recorded its settings.")
                       : settings.ignored > 0
                           ? tr("All other settings are equal.")
                           : tr("All %1 settings are equal.").arg(text::count(all)));
    fitHeight();
}

void SettingsCard::setHead(const QString& title) {
    m_title->setText(title);
    setAccessibleName(title);
}

QString SettingsCard::head() const {
    return m_title->text();
}

QString SettingsCard::sources() const {
    return m_sources->isHidden() ? QString() : m_sources->text();
}

void SettingsCard::setMostRows(int rows) {
    if (rows != m_mostRows) {
        m_mostRows = rows;
        fitHeight();
    }
}

void SettingsCard::fitHeight() {
    int rows = 0;
    std::vector<QModelIndex> open{QModelIndex()};
    while (!open.empty() && rows < m_mostRows) {
        const QModelIndex parent = open.back();
        open.pop_back();
        for (int row = 0; row < m_tree->rowCount(parent); ++row) {
            const QModelIndex index = m_tree->index(row, 0, parent);
            ++rows;
            if (m_view->isExpanded(index)) {
                open.push_back(index);
            }
        }
    }
    const int rowHeight =
        std::max(m_view->sizeHintForRow(0), fontMetrics().height() + theme::kGrid);
    m_view->setFixedHeight(m_view->header()->sizeHint().height() +
                           std::clamp(rows, 1, m_mostRows) * rowHeight + 2);
}

void SettingsCard::readPatterns() {
    m_ignored.clear();
    m_problem->hide();
    for (const QString& part : m_ignore->text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const Result<Glob> glob = Glob::parse(part.trimmed().toStdString());
        if (glob) {
            m_ignored.push_back(*glob);
        } else {
            m_problem->setText(text::describe(glob.error()).title);
            m_problem->show();
        }
    }
    Q_EMIT ignoredChanged();
}

void SettingsCard::ignoreCurrent() {
    const QModelIndex current = m_view->currentIndex();
    if (!current.isValid()) {
        return;
    }
    QString pattern;
    for (const char c : m_tree->key(current.siblingAtColumn(0))) {
        const bool special = c == '{' || c == '}' || c == '\\' || c == ',';
        const bool ascii = c > 0;
        pattern += QLatin1Char(!ascii ? '*' : special ? '?' : c);
    }
    const QString before = m_ignore->text().trimmed();
    m_ignore->setText(before.isEmpty() ? pattern : before + QStringLiteral(", ") + pattern);
}

} // namespace cairn::ui
