// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/diff/pair_details.h"

#include "core/analysis/diff_elements.h"
#include "core/model/element.h"
#include "ui/inspector/heat_map_view.h"
#include "ui/models/tensor_name.h"
#include "ui/models/tensor_words.h"
#include "ui/pages/diff/diff_model.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr std::size_t kElements = 12;

/// The box of one element at a place in C order.
Box elementAt(const Shape& shape, std::uint64_t position) {
    Box box = Box::whole(shape);
    for (std::size_t d = shape.size(); d-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(shape[d]);
        box.origin[d] = static_cast<std::int64_t>(position % extent);
        box.extent[d] = 1;
        position /= extent;
    }
    return box;
}

QString placeText(const Box& box) {
    QStringList parts;
    for (const std::int64_t index : box.origin) {
        parts << QString::number(index);
    }
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

} // namespace

Result<std::vector<ChangedElement>> readChanged(const DiffDocumentPtr& document, std::size_t pair,
                                                std::uint64_t from, std::size_t limit,
                                                const CancelToken& cancel) {
    const Checkpoint& left = *document->left.checkpoint;
    const Checkpoint& right = *document->right.checkpoint;
    const TensorPair& indices = document->structure.pairs[pair];
    const TensorEntry& leftTensor = left.tensor(indices.left);
    const TensorEntry& rightTensor = right.tensor(indices.right);
    CAIRN_TRY(const std::vector<std::uint64_t> positions,
              changedPositions({left, leftTensor}, {right, rightTensor}, from, limit, cancel));
    std::vector<ChangedElement> found;
    for (const std::uint64_t position : positions) {
        CAIRN_CHECK(cancel.check());
        const Box box = elementAt(leftTensor.shape, position);
        CAIRN_TRY(const SliceDiff slice, diffSlice({left, leftTensor}, {right, rightTensor}, box));
        found.push_back({position, placeText(box),
                         text::fromCore(elementText(leftTensor.dtype, slice.left)),
                         text::fromCore(elementText(rightTensor.dtype, slice.right))});
    }
    return found;
}

PairDetails::PairDetails(QWidget* parent)
    : QWidget(parent), m_title(new TextLabel), m_path(new TextLabel({}, theme::Tone::Dim)),
      m_measuresBox(new QWidget), m_measures(new QGridLayout(m_measuresBox)),
      m_mapCaption(captionLabel({})), m_map(new HeatMapView),
      m_elementsCaption(captionLabel(tr("Changed elements"))), m_elementsBox(new QWidget),
      m_elements(new QGridLayout(m_elementsBox)), m_note(new TextLabel({}, theme::Tone::Dim)),
      m_more(new Button(tr("Show More"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(theme::kGrid - 2);
    m_title->setFont(theme::headline(m_title->font()));
    m_title->setElideMiddle(true);
    m_path->setElideMiddle(true);
    m_note->setWordWrap(true);
    for (QGridLayout* grid : {m_measures, m_elements}) {
        grid->setContentsMargins(0, theme::kGrid, 0, 0);
        grid->setHorizontalSpacing(2 * theme::kGrid);
        grid->setVerticalSpacing(theme::kGrid - 2);
    }
    column->addWidget(captionLabel(tr("Difference")));
    for (QWidget* caption : {m_mapCaption, m_elementsCaption}) {
        caption->setContentsMargins(0, 2 * theme::kGrid, 0, 0);
    }
    m_map->setAccessibleName(tr("Map of changes"));
    m_map->setChoosable(tr("Click to list the changes from here"));
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_title, m_path, m_measuresBox, m_mapCaption, m_map,
                                         m_elementsCaption, m_elementsBox, m_note}) {
        column->addWidget(part);
    }
    column->addWidget(m_more, 0, Qt::AlignLeft);
    column->addStretch(1);
    connect(m_more, &QPushButton::clicked, this, &PairDetails::readElements);
    connect(m_map, &HeatMapView::blockChosen, this, [this](qint64 row, qint64 first) {
        const Shape& shape =
            m_document->left.checkpoint->tensor(m_document->structure.pairs[m_pair].left).shape;
        m_from = static_cast<std::uint64_t>(row * shape[shape.size() - 1] + first);
        readElements();
    });
    clear({});
}

void PairDetails::clear(const QString& hint) {
    m_mapping.cancel();
    m_reading.cancel();
    m_document.reset();
    for (QWidget* part :
         std::initializer_list<QWidget*>{m_title, m_path, m_measuresBox, m_mapCaption, m_map,
                                         m_elementsCaption, m_elementsBox, m_more}) {
        part->hide();
    }
    m_note->setText(hint);
    m_note->setVisible(!hint.isEmpty());
}

void PairDetails::setRows(QGridLayout& grid, const std::vector<QStringList>& rows) {
    while (QLayoutItem* item = grid.takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (int column = 0; column < rows[row].size(); ++column) {
            auto* label = new TextLabel(rows[row][column],
                                        column == 0 ? theme::Tone::Dim : theme::Tone::Plain);
            label->setFont(column == 0 ? label->font() : theme::mono(label->font()));
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
            grid.addWidget(label, static_cast<int>(row), column);
        }
    }
    grid.setColumnStretch(grid.columnCount() - 1, 1);
}

void PairDetails::showPair(const DiffDocumentPtr& document, std::size_t pair) {
    clear({});
    m_document = document;
    m_pair = pair;
    m_from = 0;
    const TensorEntry& left =
        document->left.checkpoint->tensor(document->structure.pairs[pair].left);
    const NameParts parts = splitName(left.name);
    m_title->setText(text::fromCore(parts.leaf));
    m_path->setText(text::fromCore(parts.path));
    m_title->show();
    m_path->setVisible(!parts.path.empty());
    if (!document->hasValues()) {
        m_note->setText(tr("The values have not been compared yet."));
        m_note->show();
        return;
    }
    const PairDiff& values = document->values[pair];
    showMeasures(values);
    if (values.compared() && values.values.changed > 0) {
        readMap();
        readElements();
    }
}

void PairDetails::showMeasures(const PairDiff& values) {
    if (!values.compared()) {
        QString why = tr("The shapes differ.");
        if (values.error) {
            const text::ErrorWords words = text::describe(*values.error);
            why = words.title + QLatin1Char('\n') + words.detail;
        } else if (values.by == DiffBy::OtherDtype) {
            why = tr("These dtypes cannot be compared.");
        }
        m_note->setText(why);
        m_note->show();
        return;
    }
    if (values.values.identical) {
        m_note->setText(values.by == DiffBy::SameFile
                            ? tr("Both are the same bytes of the same file; equal without reading.")
                            : tr("Bitwise identical."));
        m_note->show();
        return;
    }
    const ElementComparison& found = values.values;
    std::vector<QStringList> rows{
        {tr("changed"), tr("%1 of %2").arg(text::count(found.changed), text::count(found.count))}};
    if (found.numeric) {
        const auto optional = [](const std::optional<double>& value) {
            return value ? text::number(*value) : QStringLiteral("–");
        };
        rows.push_back({tr("relative L2"), relativeText(values.relativeChange())});
        rows.push_back({tr("cosine"), optional(found.cosine())});
        rows.push_back({tr("max abs"), text::number(found.maxAbs)});
        rows.push_back({tr("mean abs"), text::number(found.meanAbs())});
        rows.push_back({tr("rms"), text::number(found.rms())});
        if (found.nonfinite > 0) {
            rows.push_back({tr("NaN, Inf"), tr("%1 pairs").arg(text::count(found.nonfinite))});
        }
    }
    if (found.changedAfterCast) {
        rows.push_back(
            {tr("after a cast"), *found.changedAfterCast == 0
                                     ? tr("equal")
                                     : tr("%1 changed").arg(text::count(*found.changedAfterCast))});
    }
    setRows(*m_measures, rows);
    m_measuresBox->show();
    if (found.changed == 0) {
        m_note->setText(tr("Bits differ, but values are equal (0 and −0, NaN)."));
        m_note->show();
    }
}

void PairDetails::readMap() {
    m_mapping.start(
        [document = m_document, pair = m_pair](const CancelToken& cancel) {
            const Checkpoint& left = *document->left.checkpoint;
            const Checkpoint& right = *document->right.checkpoint;
            const TensorPair& indices = document->structure.pairs[pair];
            HeatMapOptions options;
            options.cancel = cancel;
            return differenceMap(left, left.tensor(indices.left), right,
                                 right.tensor(indices.right), options);
        },
        [this](Result<HeatMap> map) {
            // Tensors without a heat map (one element, not numeric) still have the list.
            m_mapCaption->setVisible(map.has_value());
            m_map->setVisible(map.has_value());
            if (map) {
                m_mapCaption->setText(HeatMapView::caption(tr("Changes"), *map));
                m_map->show(std::move(*map));
            }
            Q_EMIT mapShown();
        });
}

void PairDetails::readElements() {
    m_elementsCaption->show();
    m_more->hide();
    m_note->setText(tr("Reading…"));
    m_note->show();
    m_reading.start(
        [document = m_document, pair = m_pair, from = m_from](const CancelToken& cancel) {
            return readChanged(document, pair, from, kElements, cancel);
        },
        [this](Result<std::vector<ChangedElement>> elements) {
            m_note->hide();
            if (elements) {
                showElements(*elements);
            } else {
                const text::ErrorWords words = text::describe(elements.error());
                m_note->setText(words.title + QLatin1Char('\n') + words.detail);
                m_note->show();
            }
            Q_EMIT elementsShown();
        });
}

void PairDetails::showElements(const std::vector<ChangedElement>& elements) {
    std::vector<QStringList> rows{{tr("index"), tr("A"), tr("B")}};
    for (const ChangedElement& element : elements) {
        rows.push_back({element.where, element.left, element.right});
    }
    setRows(*m_elements, rows);
    m_elementsBox->setVisible(!elements.empty());
    const bool more = elements.size() == kElements;
    m_more->setVisible(more || m_from > 0);
    m_more->setText(more ? tr("Show More") : tr("Show First"));
    m_from = more ? elements.back().position + 1 : 0;
}

} // namespace cairn::ui
