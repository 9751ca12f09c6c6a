// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/diff_page.h"

#include "core/base/absolute_path.h"
#include "core/compute/device_choice.h"
#include "core/runs/scan/open_named.h"
#include "ui/models/row_view.h"
#include "ui/navigator/checkpoint_words.h"
#include "ui/pages/diff/diff_tables.h"
#include "ui/pages/diff/equality_button.h"
#include "ui/pages/diff/fold_answer.h"
#include "ui/pages/diff/layer_strip.h"
#include "ui/pages/diff/pair_details.h"
#include "ui/pages/diff/partner_chooser.h"
#include "ui/pages/diff/reading_bar.h"
#include "ui/pages/diff/role_switches.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/accessible.h"
#include "ui/widgets/card.h"
#include "ui/widgets/device_button.h"
#include "ui/widgets/focus_mark.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/text_field.h"

#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace cairn::ui {
namespace {

constexpr int kLeastTables = 64; ///< px: the heads and a row, in the smallest window

TextLabel* sideName() {
    auto* label = new TextLabel;
    label->setElideMiddle(true);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

TextLabel* answerLabel() {
    auto* label = new TextLabel;
    label->setFont(theme::headline(label->font()));
    label->setWordWrap(true);
    return label;
}

/// Those of the roles that the document has.
std::vector<Role> rolesIn(const DiffDocument& document, std::vector<Role> roles) {
    std::erase_if(roles, [&](Role role) {
        return std::ranges::find(document.roles, role, &RoleCount::role) == document.roles.end();
    });
    return roles;
}

} // namespace

DiffPage::DiffPage(QWidget* parent)
    : Page(parent), m_stack(new QStackedLayout(this)), m_chooser(new PartnerChooser),
      m_notice(new NoticePane), m_result(new QWidget), m_leftName(sideName()),
      m_rightName(sideName()), m_answer(answerLabel()),
      m_counts(new TextLabel({}, theme::Tone::Dim)), m_rulesField(new TextField),
      m_which(new Segments({tr("Differences"), tr("All")})), m_equality(new EqualityButton),
      m_switches(new RoleSwitches), m_device(new DeviceButton(tr("Device for comparing values"))),
      m_table(new Segments({tr("Tensors"), tr("Values")})), m_reading(new ReadingBar),
      m_fold(new FoldAnswer), m_layersCard(new Card(tr("Relative change by layer"))),
      m_layers(new LayerStrip), m_tables(new DiffTables), m_details(new PairDetails) {
    auto* result = new QVBoxLayout(m_result);
    result->setContentsMargins(2 * theme::kGrid, theme::kGrid + 4, 2 * theme::kGrid,
                               2 * theme::kGrid);
    result->setSpacing(theme::kGrid);
    buildBar(*result);
    m_tables->setMinimumHeight(kLeastTables);
    result->addWidget(m_tables, 1);
    for (QWidget* state : std::initializer_list<QWidget*>{m_chooser, m_notice, m_result}) {
        m_stack->addWidget(state);
    }
    auto* side = new QScrollArea;
    side->setFrameShape(QFrame::NoFrame);
    side->setWidgetResizable(true);
    new FocusMark(side, tr("Details of the difference"));
    side->setWidget(m_details);
    side->viewport()->setAutoFillBackground(false);
    m_details->setAutoFillBackground(false);
    m_side = side;

    connect(m_notice, &NoticePane::actionChosen, this, &DiffPage::showNeighbours);
    connect(m_chooser, &PartnerChooser::chosen, this, &DiffPage::compareWith);
    connect(m_layers, &LayerStrip::layerChosen, m_tables, &DiffTables::goTo);
    connect(m_tables, &DiffTables::pairSelected, this, &DiffPage::announce);
    connect(m_tables, &DiffTables::widthsChosen, this, [this] { stateChanged(); });
    connect(m_tables, &DiffTables::clearFilterRequested, this, &DiffPage::clearFilterRequested);
    connect(m_tables, &DiffTables::sortRequested, this, [this](const RowSort& sort) {
        m_request.sort = sort;
        rearrange();
    });
    clear();
}

extern const PageInfo kDiffPage;
const PageInfo kDiffPage{
    .id = "diff",
    .title = [] { return DiffPage::tr("Diff"); },
    .make = [](const PageParts&) -> Page* { return new DiffPage; },
};

const PageInfo& DiffPage::info() const {
    return kDiffPage;
}

QWidget* DiffPage::filterTarget() {
    return m_tables->tree();
}

RowView* DiffPage::view() const {
    return m_tables->tree();
}

void DiffPage::clear() {
    for (AsyncRunner* runner : {&m_opening, &m_values, &m_arranging}) {
        runner->cancel();
    }
    m_shown.reset();
    m_left.reset();
    m_right.reset();
    m_partner.clear();
    m_partnerIsLeft.reset();
    m_document.reset();
    m_fold->setSides(nullptr, nullptr);
    m_waiting = false;
    m_tables->clear();
    m_details->clear(tr("Select a tensor to see how it differs."));
    m_notice->showMessage(tr("No checkpoint is open"),
                          tr("Select a checkpoint on the left to compare it."));
    m_stack->setCurrentWidget(m_notice);
}

void DiffPage::showCheckpoint(const CheckpointPtr& checkpoint) {
    if (checkpoint == m_shown) {
        return;
    }
    // The other one stays the same, so that several checkpoints can be compared with it.
    const CheckpointPtr& other = m_isPartnerLeft ? m_left : m_right;
    const bool keep = other && other->path() != checkpoint->path();
    const std::filesystem::path partner = keep ? m_partner : std::filesystem::path();
    const auto [left, right] = std::exchange(m_requested, {});
    clear();
    m_shown = checkpoint;
    if (!left.empty() && isAtOrBelow(checkpoint->path(), left)) {
        m_partner = right;
        m_partnerIsLeft = false;
    } else if (!right.empty() && isAtOrBelow(checkpoint->path(), right)) {
        m_partner = left;
        m_partnerIsLeft = true;
    } else {
        m_partner = partner;
    }
    m_waiting = true;
    if (isVisible()) {
        begin();
    }
}

void DiffPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    Q_EMIT filterProblem(m_problem);
    if (m_waiting) {
        begin();
    }
}

void DiffPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    Q_EMIT filterProblem({});
}

void DiffPage::showProblem(const QString& problem) {
    m_problem = problem;
    if (isVisible()) {
        Q_EMIT filterProblem(problem);
    }
}

void DiffPage::begin() {
    m_waiting = false;
    if (m_partner.empty()) {
        showNeighbours();
    } else {
        open(isPartnerEarlier());
    }
}

bool DiffPage::isPartnerEarlier() const {
    return m_partnerIsLeft ? *m_partnerIsLeft
                           : isEarlier(m_run, m_partner, m_shown->path()).value_or(false);
}

void DiffPage::showRun(const ScannedRun& run) {
    m_run = run;
    if (m_shown && m_stack->currentWidget() == m_chooser) {
        showNeighbours(); // damaged ones are known now
    } else if (m_shown && !m_partner.empty() && !m_waiting &&
               isPartnerEarlier() != m_isPartnerLeft) {
        open(isPartnerEarlier()); // their order is known now
    }
}

void DiffPage::showNeighbours() {
    m_chooser->offer(m_shown->path(), m_run);
    m_stack->setCurrentWidget(m_chooser);
}

void DiffPage::fail(const QString& headline, const Error& error) {
    m_notice->showError(headline, error, tr("Choose Another Checkpoint"));
    m_stack->setCurrentWidget(m_notice);
    Q_EMIT settled();
}

void DiffPage::compare(const std::filesystem::path& left, const std::filesystem::path& right) {
    m_requested = {left, right}; // survives clear(): A may be opened next
    const bool isRightShown = m_shown && m_shown->path() == right;
    if (m_shown && (m_shown->path() == left || isRightShown)) {
        m_partner = isRightShown ? left : right;
        m_partnerIsLeft = isRightShown;
        open(isRightShown);
    }
}

void DiffPage::compareWith(const std::filesystem::path& path) {
    if (m_shown) {
        m_partner = path;
        m_partnerIsLeft.reset();
        open(isPartnerEarlier());
    }
}

void DiffPage::open(bool isPartnerLeft) {
    m_waiting = false;
    m_values.cancel();
    m_isPartnerLeft = isPartnerLeft;
    m_notice->showMessage(tr("Comparing…"), QString());
    m_stack->setCurrentWidget(m_notice);
    m_opening.start(
        [shown = m_shown, path = m_partner, isPartnerLeft, rules = m_rules,
         roles = m_roles](const CancelToken& cancel) -> Result<DiffDocumentPtr> {
            CAIRN_TRY(NamedCheckpoint partner, openNamed(path, cancel));
            CheckpointPtr left = isPartnerLeft ? std::move(partner.checkpoint) : shown;
            CheckpointPtr right = isPartnerLeft ? shown : std::move(partner.checkpoint);
            CAIRN_TRY(DiffDocumentPtr document,
                      diffStructureOf(std::move(left), std::move(right), rules, cancel));
            return rolesIn(*document, roles).empty()
                       ? document
                       : withRoles(document, rolesIn(*document, roles));
        },
        [this](Result<DiffDocumentPtr> document) {
            if (!document) {
                fail(tr("The checkpoints cannot be compared"), document.error());
                return;
            }
            m_left = (*document)->left.checkpoint;
            m_right = (*document)->right.checkpoint;
            m_leftName->setText(PartnerChooser::shortPath(m_left->path()));
            m_rightName->setText(PartnerChooser::shortPath(m_right->path()));
            m_stack->setCurrentWidget(m_result);
            publish(std::move(*document));
        });
}

/// Other tensors of the same pair of checkpoints; what was read of them is kept.
void DiffPage::showRoles(const std::vector<Role>& shown) {
    m_roles = shown;
    m_values.cancel();
    m_opening.start(
        [document = m_document, shown](const CancelToken&) -> Result<DiffDocumentPtr> {
            return withRoles(document, shown);
        },
        [this](Result<DiffDocumentPtr> document) { publish(std::move(*document)); });
}

void DiffPage::publish(DiffDocumentPtr document) {
    m_document = std::move(document);
    const DiffSums& sums = m_document->tree.root().sums;
    m_layersCard->setVisible(m_document->layers.size() > 1 && sums.changed > 0 &&
                             sums.unread < sums.tensors);
    m_switches->show(m_document->roles, m_document->shown);
    m_layers->show(m_document->layers);
    m_rulesField->setVisible(!m_rules.empty() || (sums.onlyLeft > 0 && sums.onlyRight > 0));
    m_tables->showPlainValues(m_document);
    m_fold->setSides(m_left, m_right);
    m_equality->setCanCast(m_document->hasOtherDtypes());
    m_request.equality = m_equality->equality();
    m_reading->setVisible(!m_document->hasValues());
    m_reading->offer(m_document->bytes);
    rearrange();
    if (!m_document->hasValues() && m_document->bytes <= kAutoReadLimit &&
        !m_document->structure.pairs.empty()) { // also of one file, without reading
        compareValues();
    }
}

void DiffPage::compareValues() {
    const Tolerance tolerance{m_equality->equality().rtol, 0};
    m_reading->show();
    m_values.start(
        [document = m_document, tolerance, device = m_device->device(),
         progress = m_reading->begin(m_document->bytes)](const CancelToken& cancel) {
            return diffValuesOf(document, tolerance, device, progress, cancel);
        },
        [this](Result<DiffDocumentPtr> document) {
            if (document) {
                publish(std::move(*document));
            } else {
                fail(tr("The values cannot be compared"), document.error());
            }
        });
}

void DiffPage::applyRules() {
    auto rules = NameRules::parse(m_rulesField->text().toStdString());
    if (rules) {
        m_rules = std::move(*rules);
        open(m_isPartnerLeft);
    } else {
        m_counts->setText(text::coreText(rules.error().message));
    }
}

void DiffPage::setEquality(const Equality& equality) {
    const bool countedSo = m_request.equality.rtol == equality.rtol;
    m_request.equality = equality;
    if (m_document && m_document->hasValues() && equality.kind == Equality::Kind::Within &&
        !countedSo) {
        compareValues(); // elements beyond a tolerance are counted while reading
    } else {
        rearrange();
    }
}

void DiffPage::chooseTable(int index) {
    m_which->setVisible(index == DiffTables::Tensors);
    m_equality->setVisible(index == DiffTables::Tensors);
    m_switches->setVisible(index == DiffTables::Tensors && m_switches->hasChoice());
    m_device->setVisible(index == DiffTables::Tensors && hasCudaDriver());
    m_tables->choose(static_cast<DiffTables::Table>(index));
}

void DiffPage::setFilter(const QString& text) {
    if (text != m_request.filter) {
        m_request.filter = text;
        rearrange();
    }
}

void DiffPage::rearrange() {
    arrange(m_request.filter);
}

/// With the last valid filter again if this one is invalid.
void DiffPage::arrange(const QString& filter) {
    if (!m_document) {
        return;
    }
    DiffRows::Request request = m_request;
    request.filter = filter;
    // Without values the differences are not known.
    request.onlyDifferent = request.onlyDifferent && m_document->hasValues();
    m_arranging.start(
        [document = m_document, request](const CancelToken& cancel) {
            return DiffRows::make(document, request, cancel);
        },
        [this, filter](Result<DiffRowsPtr> rows) {
            if (filter == m_request.filter) {
                showProblem(rows ? QString() : text::briefly(rows.error()));
            }
            if (rows) {
                m_validFilter = filter;
                showAnswer(**rows);
                m_counts->setText(summary());
                m_counts->setVisible(!m_counts->text().isEmpty());
                ui::announce(this, m_answer->text());
                m_tables->showRows(std::move(*rows), filter);
            } else if (filter != m_validFilter) {
                arrange(m_validFilter);
                return;
            }
            if (!m_values.isRunning()) {
                Q_EMIT settled();
            }
        });
}

void DiffPage::announce(std::optional<std::size_t> pair) {
    if (pair) {
        m_details->showPair(m_document, *pair);
    } else {
        m_details->clear(tr("Select a tensor to see how it differs."));
    }
}

void DiffPage::goToDifference(bool forward) {
    m_tables->goToDifference(forward);
}

QJsonObject DiffPage::keptState() const {
    return m_tables->chosenWidths();
}

void DiffPage::restoreState(const QJsonObject& state) {
    m_tables->chooseWidths(state);
}

bool DiffPage::copySelection(CopyAs what) {
    return what == CopyAs::Rows && m_tables->copyRows();
}

QString DiffPage::answer() const {
    return m_document ? m_answer->text() : QString();
}

void DiffPage::showAnswer(const DiffRows& rows) {
    m_answer->setText(text::coreText(answerText(rows.answer)));
    m_answer->setTone(rows.answer.hasValues && rows.answer.isSame() ? theme::Tone::Good
                                                                    : theme::Tone::Plain);
}

/// What the answer does not say.
QString DiffPage::summary() const {
    QStringList parts;
    const auto renamed = std::ranges::count_if(m_document->structure.pairs, &TensorPair::renamed);
    if (renamed > 0) {
        parts << tr("%Ln tensors renamed", nullptr, static_cast<int>(renamed));
    }
    const PlainValuesDiff& plain = m_document->plain;
    const std::size_t values =
        plain.changed.size() + plain.onlyLeft.size() + plain.onlyRight.size();
    if (values > 0) {
        parts << tr("%Ln plain values differ", nullptr, static_cast<int>(values));
    }
    QStringList left;
    for (const RoleCount& share : m_document->roles) {
        if (!m_document->isShown(share.role)) {
            left << words::role(share.role);
        }
    }
    if (!left.isEmpty()) {
        parts << tr("not compared: %1").arg(left.join(QStringLiteral(", ")));
    }
    return parts.join(QStringLiteral(" · "));
}

} // namespace cairn::ui
