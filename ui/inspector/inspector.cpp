// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/inspector.h"

#include "core/analysis/parameter_count.h"
#include "core/model/saved_values.h"
#include "core/runs/rank/why.h"
#include "ui/inspector/figures_section.h"
#include "ui/inspector/shard_strip.h"
#include "ui/inspector/spectrum_section.h"
#include "ui/inspector/value_grid.h"
#include "ui/models/python_snippet.h"
#include "ui/models/tensor_name.h"
#include "ui/models/tensor_words.h"
#include "ui/text/core_text.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/side_column.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QTimer>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

constexpr int kListedFiles = 4;
constexpr int kCopiedMs = 1500;

/// A part of the column with its caption; hidden while it is empty.
QWidget* section(QVBoxLayout& column, TextLabel* caption, const QList<QWidget*>& parts) {
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, theme::kGrid, 0, 0);
    layout->setSpacing(theme::kGrid - 2);
    if (caption != nullptr) {
        layout->addWidget(caption);
    }
    for (QWidget* part : parts) {
        layout->addWidget(part);
    }
    column.addWidget(box);
    return box;
}

Inspector::Fact roleFact(const TensorEntry& tensor) {
    const QString role = words::tensorRole(tensor.role);
    return tensor.roleBasis == RoleBasis::Name
               ? Inspector::Fact{Inspector::tr("role"), Inspector::tr("%1, by its name").arg(role),
                                 Inspector::tr("Only the name of the tensor shows its role")}
               : Inspector::Fact{Inspector::tr("role"), role};
}

/// Shows "Copied" on the button for a moment.
void confirmCopy(Button* button, const QString& label) {
    button->setText(Inspector::tr("Copied"));
    QTimer::singleShot(kCopiedMs, button, [button, label] { button->setText(label); });
}

} // namespace

Inspector::Inspector(QWidget* parent)
    : QWidget(parent), m_title(new TextLabel), m_path(new TextLabel({}, theme::Tone::Dim)),
      m_facts(nullptr), m_factsBox(new QWidget), m_valuesBox(nullptr),
      m_valuesCaption(captionLabel(tr("First values"))), m_values(new ValueGrid),
      m_valuesNote(new TextLabel({}, theme::Tone::Dim)), m_figures(new FiguresSection),
      m_spectrum(new SpectrumSection), m_whereBox(nullptr), m_strip(new ShardStrip),
      m_files(plainLabel({})), m_buttons(nullptr), m_overRun(new Button(tr("Across Checkpoints"))),
      m_hint(new TextLabel({}, theme::Tone::Dim)) {
    QVBoxLayout* column = makeSideColumn(this);
    m_title->setFont(theme::headline(m_title->font()));
    m_title->setElideMiddle(true);
    m_path->setElideMiddle(true);
    m_facts = makeFactGrid(m_factsBox);
    m_valuesNote->setWordWrap(true);
    m_files->setWordWrap(true);
    m_files->setFont(theme::small(m_files->font()));
    m_files->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_hint->setWordWrap(true);

    makeButtons();

    column->addWidget(captionLabel(tr("Inspector")));
    column->addWidget(m_title);
    column->addWidget(m_path);
    column->addWidget(m_factsBox);
    m_valuesBox = section(*column, m_valuesCaption, {m_values, m_valuesNote});
    column->addWidget(m_figures);
    column->addWidget(m_spectrum);
    column->addWidget(m_overRun, 0, Qt::AlignLeft);
    text::setToolTip(m_overRun, tr("Plot these statistics for every checkpoint of the run"));
    connect(m_overRun, &QPushButton::clicked, this,
            [this] { Q_EMIT overRunRequested(m_overRunOf.first, m_overRunOf.second); });
    m_whereBox = section(*column, captionLabel(tr("Location")), {m_strip, m_files});
    column->addWidget(m_buttons);
    column->addWidget(m_hint);
    column->addStretch(1);
    clear();
}

void Inspector::makeButtons() {
    auto* name = new Button(tr("Copy Name"));
    auto* python = new Button(tr("Copy as Python"));
    connect(name, &QPushButton::clicked, this, [this, name] {
        copyName();
        confirmCopy(name, tr("Copy Name"));
    });
    connect(python, &QPushButton::clicked, this, [this, python] {
        copyPython();
        confirmCopy(python, tr("Copy as Python"));
    });
    m_buttons = new QWidget;
    auto* row = new QHBoxLayout(m_buttons);
    row->setContentsMargins(0, theme::kGrid, 0, 0);
    row->setSpacing(theme::kGrid);
    row->addWidget(name);
    row->addWidget(python);
    row->addStretch(1);
}

void Inspector::begin(const QString& title, const QString& path) {
    m_preview.cancel();
    m_snippet.cancel();
    m_totals.cancel();
    m_saved.cancel();
    m_showsCheckpoint = false;
    m_tensor.reset();
    m_fullName.clear();
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    m_path->setText(path);
    m_path->setVisible(!path.isEmpty());
    m_hint->hide();
    m_valuesBox->hide();
    m_figures->clear();
    m_spectrum->clear();
    m_overRun->hide();
    m_whereBox->hide();
    m_buttons->hide();
    setFacts({});
}

void Inspector::clear() {
    begin({}, {});
    m_checkpoint.reset();
    m_decided.clear();
    m_hint->setText(tr("Select a tensor to see its shape, location and first values."));
    m_hint->show();
}

void Inspector::showFacts(const QString& title, const QString& path, const Facts& facts,
                          const QString& note) {
    begin(title, path);
    m_checkpoint.reset();
    m_decided.clear();
    setFacts(facts);
    m_hint->setText(note);
    m_hint->setVisible(!note.isEmpty());
}

void Inspector::setFacts(const Facts& facts) {
    while (QLayoutItem* item = m_facts->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const auto& [label, value, tip] : facts) {
        addFactRow(*m_facts, label, value, tip);
    }
    m_factsBox->setVisible(!facts.empty());
}

void Inspector::setDecided(Facts facts) {
    m_decided = std::move(facts);
    setCheckpointFacts();
}

void Inspector::setCheckpointFacts() {
    if (!m_showsCheckpoint || m_own.empty()) {
        return; // they are shown together, so that the rows do not move
    }
    Facts facts = m_own;
    facts.insert(facts.end(), m_decided.begin(), m_decided.end());
    facts.insert(facts.end(), m_savedFacts.begin(), m_savedFacts.end());
    setFacts(facts);
}

Inspector::Facts Inspector::factsOf(const TensorEntry& tensor) const {
    Facts facts{{tr("dtype"), words::dtype(tensor.dtype)},
                {tr("shape"), text::shape(tensor.shape)},
                {tr("size"), text::bytes(tensor.bytes())},
                roleFact(tensor),
                {tr("pieces"), words::pieces(tensor)}};
    if (tensor.shape.size() != 1 && !tensor.shape.empty()) {
        facts.insert(facts.begin() + 2, Fact{tr("elements"), text::count(tensor.elements())});
    }
    if (tensor.aliasOf) {
        facts.push_back(
            {tr("tied to"), text::fromCore(m_checkpoint->tensor(*tensor.aliasOf).name)});
    }
    if (!tensor.pieces.empty() && tensor.pieces.front().codec != kRawCodec) {
        facts.push_back({tr("stored as"),
                         text::fromCore(m_checkpoint->codecName(tensor.pieces.front().codec))});
    }
    return facts;
}

void Inspector::showTensor(const CheckpointPtr& checkpoint, TensorIndex index) {
    if (checkpoint == m_checkpoint && m_tensor == index) {
        return;
    }
    const TensorEntry& tensor = checkpoint->tensor(index);
    const NameParts parts = splitName(tensor.name);
    begin(text::fromCore(parts.leaf), text::fromCore(parts.path));
    m_checkpoint = checkpoint;
    m_tensor = index;
    m_fullName = words::exactName(tensor);
    setFacts(factsOf(tensor));
    showWhere(tensor);
    m_buttons->show();
    readValues();
    m_figures->showTensor(checkpoint, index);
    m_spectrum->showTensor(checkpoint, index);
    if (canMeasure(tensor.dtype) || dtypeInfo(tensor.dtype).isBlock()) {
        offerOverRun(text::fromCore(tensor.name), false);
    }
}

void Inspector::showWhere(const TensorEntry& tensor) {
    if (tensor.pieces.empty()) {
        return;
    }
    m_strip->show(*m_checkpoint, tensor);
    const QStringList files = words::fileList(*m_checkpoint, tensor, 1 << 20);
    QStringList lines = files;
    if (files.size() > kListedFiles) {
        lines = {tr("%1 … %2").arg(files.front(), files.back()),
                 tr("%Ln files", nullptr, static_cast<int>(files.size()))};
        const qsizetype missing = std::ranges::count_if(
            files, [](const QString& f) { return f.endsWith(QLatin1Char(')')); });
        if (missing > 0) {
            lines << tr("%1 missing").arg(missing);
        }
    }
    m_files->setText(lines.join(QLatin1Char('\n')));
    text::setToolTip(m_files, files.mid(0, 40).join(QLatin1Char('\n')));
    m_whereBox->show();
}

void Inspector::readValues() {
    m_valuesBox->show();
    m_valuesCaption->setText(tr("First values"));
    m_values->clear();
    m_values->hide();
    m_valuesNote->setText(tr("Reading…"));
    m_valuesNote->show();
    m_preview.start(
        [checkpoint = m_checkpoint, tensor = *m_tensor](const CancelToken& cancel) {
            return readPreview(checkpoint, tensor, cancel);
        },
        [this](Result<TensorPreview> preview) {
            if (preview) {
                showPreview(std::move(*preview));
            } else {
                const text::ErrorWords words = text::describe(preview.error());
                m_valuesNote->setText(words.title + QLatin1Char('\n') + words.detail);
            }
            Q_EMIT valuesShown();
        });
}

void Inspector::showPreview(TensorPreview preview) {
    const bool isEmpty = preview.cells.empty();
    m_valuesCaption->setText(preview.where.isEmpty() ? tr("Value")
                                                     : tr("First values %1").arg(preview.where));
    m_valuesNote->setText(isEmpty ? tr("The tensor has no elements.") : QString());
    m_valuesNote->setVisible(isEmpty);
    m_values->show(std::move(preview));
    m_values->setVisible(!isEmpty);
}

void Inspector::showGroup(const CheckpointPtr& checkpoint, const QString& name, quint64 tensors,
                          quint64 bytes) {
    const std::string full = name.toStdString();
    const std::size_t cut = full.rfind('.');
    const std::string_view view(full);
    begin(text::fromCore(cut == std::string::npos ? view : view.substr(cut + 1)),
          cut == std::string::npos ? QString() : text::fromCore(view.substr(0, cut)));
    m_checkpoint = checkpoint;
    setFacts({{tr("tensors"), text::count(tensors)}, {tr("size"), text::bytes(bytes)}});
    m_figures->showGroup(checkpoint, name, tensors, bytes);
    offerOverRun(name, true);
}

void Inspector::showTensors(const CheckpointPtr& checkpoint,
                            const std::vector<TensorIndex>& tensors) {
    begin(tr("%Ln tensors", nullptr, static_cast<int>(tensors.size())), tr("selected"));
    m_checkpoint = checkpoint;
    m_totals.start(
        [checkpoint, tensors](const CancelToken&) {
            return Result<TensorSums>(sumsOf(*checkpoint, tensors));
        },
        [this](const Result<TensorSums>& sums) {
            if (!sums) {
                return;
            }
            Facts facts{{tr("elements"), text::count(sums->elements)},
                        {tr("size"), text::bytes(sums->bytes)}};
            for (const auto& [dtype, bytes] : sums->byDtype) {
                facts.push_back({words::dtype(dtype), text::bytes(bytes)});
            }
            setFacts(facts);
        });
}

void Inspector::showCheckpoint(const CheckpointPtr& checkpoint) {
    begin(text::fromPath(checkpoint->path().filename()),
          text::fromPath(checkpoint->path().parent_path()));
    const bool isSame = m_checkpoint != nullptr && m_checkpoint->path() == checkpoint->path();
    if (!isSame) {
        m_decided.clear();
    }
    m_checkpoint = checkpoint;
    m_showsCheckpoint = true;
    m_own.clear();
    m_savedFacts.clear();
    m_saved.start(
        [checkpoint](const CancelToken& cancel) -> Result<Decided<bool>> {
            CAIRN_TRY(const SavedValues saved, savedValues(*checkpoint, cancel));
            return decideSaved(saved, checkpoint->path());
        },
        [this](const Result<Decided<bool>>& saved) {
            if (saved && *saved) {
                m_savedFacts = {{tr("values"), text::coreText(explainValuesSaved(*saved).answer),
                                 text::coreText(explainValuesSaved(*saved).from)}};
                setCheckpointFacts();
            }
        });
    m_totals.start(
        [checkpoint](const CancelToken&) { return Result<Totals>(totals(*checkpoint)); },
        [this](Result<Totals> sums) {
            if (!sums) {
                return;
            }
            Facts facts{{tr("format"), text::formatName(m_checkpoint->format())},
                        {tr("tensors"), text::count(sums->tensors)},
                        {tr("size"), text::bytes(sums->bytes)},
                        {tr("on disk"), text::bytes(sums->storedBytes)},
                        {tr("files"), text::count(m_checkpoint->files().size())}};
            if (!sums->byDtype.empty()) {
                facts.push_back({tr("main dtype"), words::dtype(sums->byDtype.front().first)});
            }
            m_own = std::move(facts);
            setCheckpointFacts();
            const auto weights = std::ranges::find(sums->byRole, Role::Weight,
                                                   &std::pair<Role, std::uint64_t>::first);
            m_figures->showGroup(m_checkpoint, {}, sums->tensors,
                                 weights != sums->byRole.end() ? weights->second : 0); // 0: none
            offerOverRun({}, true);
        });
}

void Inspector::offerOverRun(const QString& name, bool group) {
    m_overRunOf = {name, group};
    m_overRun->show();
}

void Inspector::copyName() {
    QApplication::clipboard()->setText(m_fullName);
}

void Inspector::copyPython() {
    if (!m_tensor) {
        return;
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
}

} // namespace cairn::ui
