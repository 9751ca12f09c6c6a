// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/shards/shards_page.h"

#include "ui/models/python_snippet.h"
#include "ui/models/tensor_name.h"
#include "ui/models/tensor_words.h"
#include "ui/pages/notice_pane.h"
#include "ui/pages/page_info.h"
#include "ui/pages/shards/piece_grid.h"
#include "ui/pages/shards/shard_map.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/bars.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"

#include <QApplication>
#include <QClipboard>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kListedPieces = 9;

/// One swatch for each group of roles that the map has boxes of.
QWidget* legendOf(const ShardIndex& index) {
    auto* box = new QWidget;
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::kGrid - 2);
    const QStringList names{ShardsPage::tr("weights"), ShardsPage::tr("optimizer"),
                            ShardsPage::tr("other")};
    for (int i = 0; i < names.size(); ++i) {
        if (index.holds[static_cast<std::size_t>(i)]) {
            row->addSpacing(theme::kGrid);
            row->addWidget(new Swatch(i));
            row->addWidget(new TextLabel(names[i], theme::Tone::Dim));
        }
    }
    return box;
}

/// "0  __0_0.distcp  rows 0-63", one line a piece, in order of their boxes.
QString pieceLines(const Checkpoint& checkpoint, const TensorEntry& tensor) {
    QStringList lines;
    for (const Piece& piece : tensor.pieces) {
        if (lines.size() == kListedPieces) {
            lines << ShardsPage::tr("and %Ln more", nullptr,
                                    static_cast<int>(tensor.pieces.size() - kListedPieces));
            break;
        }
        const CheckpointFile& file = checkpoint.files()[piece.file.position()];
        const QString line =
            QStringLiteral("%1   %2   %3")
                .arg(words::shardNumber(file.path, piece.file.position()),
                     text::fromCore(file.path), words::box(piece.box, tensor.shape));
        lines << (file.missing ? ShardsPage::tr("%1   missing").arg(line) : line);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

ShardsPage::ShardsPage(QWidget* parent)
    : Page(parent), m_stack(new QStackedLayout(this)), m_notice(new NoticePane),
      m_totals(new TextLabel({}, theme::Tone::Dim)), m_legend(new QWidget),
      m_hint(new TextLabel(tr("Select a box to see how its tensor is sharded."), theme::Tone::Dim)),
      m_map(new ShardMap), m_tensorCard(new Card), m_name(new TextLabel),
      m_path(new TextLabel({}, theme::Tone::Dim)), m_facts(new TextLabel({}, theme::Tone::Dim)),
      m_problem(new TextLabel({}, theme::Tone::Broken)), m_grid(new PieceGrid),
      m_files(plainLabel({})), m_flattened(new TextLabel({}, theme::Tone::Dim)) {
    auto* body = new QWidget;
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(2 * theme::kGrid, 2 * theme::kGrid, 2 * theme::kGrid,
                               2 * theme::kGrid);
    column->setSpacing(2 * theme::kGrid - 2);
    auto* files = new Card(tr("Files"));
    files->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_head = new FlowLayout(3 * theme::kGrid);
    m_head->addWidget(m_totals);
    m_head->addWidget(m_legend);
    files->content()->addLayout(m_head);
    files->content()->addWidget(m_map, 1);
    files->content()->addWidget(m_hint);
    column->addWidget(files, 1);

    m_name->setFont(theme::headline(m_name->font()));
    m_name->setElideMiddle(true);
    m_path->setElideMiddle(true);
    m_problem->setWordWrap(true);
    m_files->setFont(theme::small(m_files->font()));
    m_files->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* title = new QHBoxLayout;
    title->setSpacing(theme::kGrid + 4);
    title->addWidget(m_name);
    title->addWidget(m_path, 1);
    m_facts->setElideMiddle(true);
    m_tensorCard->content()->addLayout(title);
    m_tensorCard->content()->addWidget(m_facts);
    m_tensorCard->content()->addWidget(m_problem);
    auto* drawing = new QHBoxLayout;
    drawing->setSpacing(3 * theme::kGrid);
    drawing->addWidget(m_grid, 0, Qt::AlignTop);
    drawing->addWidget(m_files, 1, Qt::AlignTop);
    m_tensorCard->content()->addLayout(drawing);
    m_tensorCard->content()->addWidget(m_flattened);
    m_tensorCard->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column->addWidget(m_tensorCard);
    column->addStretch(0);

    m_stack->addWidget(body);
    m_stack->addWidget(m_notice);
    connect(m_map, &ShardMap::chosen, this, [this](TensorIndex tensor) {
        showPieces(tensor);
        Q_EMIT tensorSelected(m_checkpoint, tensor);
    });
    clear();
}

extern const PageInfo kShardsPage;
const PageInfo kShardsPage{
    .id = "shards",
    .title = [] { return ShardsPage::tr("Shards"); },
    .make = [](const PageParts&) -> Page* { return new ShardsPage; },
};

const PageInfo& ShardsPage::info() const {
    return kShardsPage;
}

void ShardsPage::clear() {
    m_indexing.cancel();
    m_layout.cancel();
    m_snippet.cancel();
    m_checkpoint.reset();
    m_index.reset();
    m_tensor.reset();
    m_map->show(nullptr);
    m_grid->clear();
    m_tensorCard->hide();
    m_hint->show();
    m_notice->showMessage(tr("No checkpoint is open"),
                          tr("Select a checkpoint on the left to see its files."));
    m_stack->setCurrentWidget(m_notice);
}

void ShardsPage::showCheckpoint(const CheckpointPtr& checkpoint) {
    if (checkpoint == m_checkpoint) {
        return;
    }
    clear();
    m_checkpoint = checkpoint;
    if (isVisible()) {
        map();
    }
}

void ShardsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_checkpoint && !m_index && !m_indexing.isRunning()) {
        map();
    }
}

void ShardsPage::map() {
    m_notice->showMessage(tr("Mapping files…"), QString());
    m_indexing.start(
        [checkpoint = m_checkpoint](const CancelToken& cancel) {
            return ShardIndex::make(checkpoint, cancel);
        },
        [this](Result<ShardIndexPtr> index) {
            if (index) {
                showIndex(std::move(*index));
            } else {
                m_notice->showError(tr("The files cannot be mapped"), index.error(), {});
            }
            Q_EMIT settled();
        });
}

void ShardsPage::showIndex(ShardIndexPtr index) {
    m_index = std::move(index);
    if (m_index->files.empty()) {
        m_notice->showMessage(tr("This checkpoint has no files"), QString());
        return;
    }
    m_map->show(m_index);
    m_head->removeWidget(m_legend);
    delete m_legend;
    m_legend = legendOf(*m_index);
    m_head->addWidget(m_legend);
    updateTotals();
    m_stack->setCurrentIndex(0);
    if (m_tensor) {
        reveal(*m_tensor);
    }
}

void ShardsPage::updateTotals() {
    std::uint64_t bytes = 0;
    std::size_t uneven = 0;
    for (const ShardIndex::File& file : m_index->files) {
        bytes += file.missing ? 0 : file.bytes;
        uneven += file.against != 0 ? 1 : 0;
    }
    QStringList parts{tr("%Ln files", nullptr, static_cast<int>(m_index->files.size())),
                      text::bytes(bytes)};
    if (m_index->missing > 0) {
        parts << tr("%1 missing").arg(text::count(m_index->missing));
    }
    if (uneven > 0) {
        parts << tr("%1 uneven").arg(text::count(uneven));
    }
    m_totals->setTone(m_index->missing > 0 ? theme::Tone::Broken : theme::Tone::Dim);
    m_totals->setText(parts.join(QStringLiteral(" · ")));
}

void ShardsPage::showTensor(const CheckpointPtr& checkpoint, TensorIndex tensor) {
    if (!checkpoint || checkpoint != m_checkpoint) {
        return;
    }
    m_tensor = tensor;
    if (m_index) {
        reveal(tensor);
    }
}

void ShardsPage::reveal(TensorIndex tensor) {
    m_map->select(tensor);
    m_map->revealSelected();
    showPieces(tensor);
}

void ShardsPage::showPieces(TensorIndex index) {
    m_tensor = index;
    const TensorEntry& tensor = m_checkpoint->tensor(index);
    const NameParts parts = splitName(tensor.name);
    m_name->setText(text::fromCore(parts.leaf));
    m_path->setText(text::fromCore(parts.path));
    m_facts->setText(tr("%1 · %2 · %3 · pieces: %4")
                         .arg(words::dtype(tensor.dtype), text::shape(tensor.shape),
                              text::bytes(tensor.bytes()), words::pieces(tensor)));
    m_layout.start(
        [checkpoint = m_checkpoint, index](const CancelToken&) {
            return Result<PieceLayout>(layOutPieces(*checkpoint, checkpoint->tensor(index)));
        },
        [this, index](Result<PieceLayout> layout) {
            if (layout) {
                describePieces(m_checkpoint->tensor(index), *layout);
                m_grid->show(m_checkpoint, index, std::move(*layout));
                m_tensorCard->show();
                m_hint->hide();
            }
            Q_EMIT settled();
        });
}

void ShardsPage::describePieces(const TensorEntry& tensor, const PieceLayout& layout) {
    QStringList problems;
    if (layout.holeElements > 0) {
        problems << tr("%1 of %2 elements are not covered by any piece")
                        .arg(text::count(layout.holeElements), text::count(tensor.elements()));
    }
    if (layout.overlaps > 0) {
        problems << tr("%1 elements are covered by more than one piece")
                        .arg(text::count(layout.overlaps));
    }
    const auto missing = std::ranges::count_if(
        layout.parts, [](const PieceLayout::Part& part) { return part.missing; });
    if (missing > 0) {
        problems
            << tr("%1 of %2 pieces are in missing files").arg(missing).arg(layout.parts.size());
    }
    m_problem->setText(problems.join(QStringLiteral(" · ")));
    m_problem->setVisible(!problems.isEmpty());
    m_files->setText(pieceLines(*m_checkpoint, tensor));
    m_flattened->setVisible(layout.flattened);
    m_flattened->setText(tr("Sharded along more than two dimensions; drawn along %1 and %2.")
                             .arg(layout.vertical)
                             .arg(layout.horizontal));
}

bool ShardsPage::copySelection(CopyAs what) {
    if (!m_tensor) {
        return false;
    }
    if (what == CopyAs::Rows) {
        QStringList lines{QStringList{tr("File"), tr("Elements"), tr("Offset"), tr("Bytes")}.join(
            QLatin1Char('\t'))};
        const TensorEntry& tensor = m_checkpoint->tensor(*m_tensor);
        for (const Piece& piece : tensor.pieces) {
            lines << QStringList{text::fromCore(m_checkpoint->files()[piece.file.position()].path),
                                 words::box(piece.box, tensor.shape),
                                 QString::number(piece.bytes.offset),
                                 QString::number(piece.bytes.length)}
                         .join(QLatin1Char('\t'));
        }
        QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
        return true;
    }
    m_snippet.start(
        [checkpoint = m_checkpoint, tensor = *m_tensor](const CancelToken& cancel) {
            return pythonSnippet(checkpoint, tensor, cancel);
        },
        [](Result<QString> snippet) {
            if (snippet) {
                QApplication::clipboard()->setText(*snippet);
            }
        });
    return true;
}

} // namespace cairn::ui
