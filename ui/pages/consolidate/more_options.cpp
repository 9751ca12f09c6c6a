// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/more_options.h"

#include "core/formats/format.h"
#include "core/plan/request_fields.h"
#include "ui/pages/consolidate/adapter_rows.h"
#include "ui/pages/consolidate/choice_bar.h"
#include "ui/pages/consolidate/choice_button.h"
#include "ui/pages/consolidate/field_control.h"
#include "ui/pages/consolidate/plan_cards.h"
#include "ui/pages/consolidate/rank_grid.h"
#include "ui/pages/consolidate/strip_roles.h"
#include "ui/pages/consolidate/targets.h"
#include "ui/text/error_text.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/device_button.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/name_rules_editor.h"
#include "ui/widgets/text_field.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kTypingMs = 350;

/// The options with a control of their own: here, in the bar above, or in the rows of adapters.
constexpr auto kOwn = std::to_array<std::string_view>(
    {"output",   "to",         "only",      "dtype",          "keep-fp32", "strip",   "bundle",
     "cast-all", "dequantize", "rename",    "adapter",        "like",      "weights", "ranks",
     "grid",     "dim",        "per-layer", "max-shard-size", "device",    "for"});

/// Those made from the table that are among the first rows.
constexpr auto kFirst = std::to_array<std::string_view>({"names", "sign", "provenance", "bom"});

/// Some kind of job that the page makes has the field.
bool isOffered(const RequestField& field) {
    return field.kinds.contains(JobKind::Consolidate) || field.kinds.contains(JobKind::Average) ||
           field.kinds.contains(JobKind::Reshard);
}

} // namespace

bool MoreOptions::hasOwnControl(std::string_view field) {
    return std::ranges::find(kOwn, field) != kOwn.end();
}

MoreOptions::MoreOptions(ChoiceBar* bar, AdapterRows* adapters, QWidget* parent)
    : Card(QString(), parent), m_first(new QWidget), m_firstGrid(new QGridLayout(m_first)),
      m_grid(new QGridLayout), m_castAll(nullptr), m_dequantize(nullptr),
      m_device(new DeviceButton(
          tr("Device for casting, scaling and averaging; plain copies always use the CPU"))),
      m_names(new NameRulesEditor(tr("Names in the output"))), m_strip(new StripRoles),
      m_ranks(new RankGrid), m_adapter(new Button(tr("Add Adapter…"))),
      m_like(new TextLabel(QString(), theme::Tone::Dim)),
      m_likeButton(new Button(tr("Config from…"))), m_likeReset(new Button(tr("Reset"))) {
    setTitle(tr("More options"));
    setAccessibleName(tr("More options"));
    for (QGridLayout* grid : {m_firstGrid, m_grid}) {
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(theme::kGrid);
        grid->setVerticalSpacing(theme::kGrid);
        grid->setColumnMinimumWidth(0, kNameWidth);
        grid->setColumnStretch(1, 1);
    }
    content()->addLayout(m_grid);
    m_typing.setSingleShot(true);
    m_typing.setInterval(kTypingMs);
    connect(&m_typing, &QTimer::timeout, this, [this] {
        const std::vector<ChoiceChange> typed = std::move(m_typed);
        m_typed.clear();
        Q_EMIT changed([typed](JobChoices& choices) {
            for (const ChoiceChange& each : typed) {
                each(choices);
            }
        });
    });
    addFirstRows(bar, adapters);
    addDtypes();
    addNames();
    m_only = line(tr("Names of tensors"), tr("all selected above; or *.mlp.*"), "only");
    text::setToolTip(m_only, tr("Only tensors whose full name matches: *, ?, {a,b}"));
    m_onlyRow = {addRow(m_grid, tr("tensors"), m_only).label, m_only};
    addRoles();
    m_weights = line(tr("Weight of each checkpoint"), tr("equal; or 1, 1, 2"), "weights");
    m_weightsRow = {addRow(m_grid, tr("weights"), m_weights).label, m_weights};
    addRanks();
    addFields();
}

MoreOptions::Row MoreOptions::addRow(QGridLayout* grid, const QString& name, QWidget* first) {
    const int row = grid->rowCount();
    auto* label = new TextLabel(name, theme::Tone::Dim);
    label->setBuddy(first);
    label->setElideMiddle(true); // with a much larger font
    label->setMinimumHeight(
        theme::kControlHeight); // aligned with the first line of a row that wraps
    grid->addWidget(label, row, 0, Qt::AlignTop);
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kGrid);
    line->addWidget(first);
    grid->addLayout(line, row, 1);
    return {line, label};
}

/// A dim remark beside a control.
TextLabel* MoreOptions::facts() {
    auto* label = new TextLabel(QString(), theme::Tone::Dim);
    label->setMinimumHeight(theme::kControlHeight);
    label->setElideMiddle(true);
    return label;
}

/// A control made from the table of fields.
FieldControl* MoreOptions::field(std::string_view name) {
    auto* control = new FieldControl(*findRequestField(name));
    connect(control, &FieldControl::chosen, this, [this, name](const std::string& text) {
        Q_EMIT changed([name, text](JobChoices& choices) { chooseText(choices, name, text); });
    });
    connect(control, &FieldControl::typed, this, [this, name](const std::string& text) {
        send([name, text](JobChoices& choices) { chooseText(choices, name, text); });
    });
    return control;
}

void MoreOptions::addFirstRows(ChoiceBar* bar, AdapterRows* adapters) {
    const auto flow = [](QWidget* proxy) { // wraps in a small window
        auto* row = new QWidget;
        auto* line = new FlowLayout(theme::kGrid, row);
        line->addWidget(proxy);
        row->setFocusProxy(proxy);
        return std::pair(row, line);
    };
    const auto add = [this](const QString& name, QWidget* row) {
        const Row added = addRow(m_firstGrid, name, row);
        added.line->setStretchFactor(row, 1);
        return added.label;
    };
    const RequestField* dtype = findRequestField("dtype");
    m_dtype = new ChoiceButton(tr("Dtype in the output"), valuesOf(*dtype), dtypeWords);
    connect(m_dtype, &ChoiceButton::chosenByUser, this, [this](const std::string& chosen) {
        Q_EMIT changed([chosen](JobChoices& choices) { chooseDtype(choices, chosen); });
    });
    const auto [precision, precisionLine] = flow(m_dtype);
    m_precisionFacts = facts();
    precisionLine->addWidget(m_precisionFacts);
    add(tr("precision"), precision);

    auto* folded = new QWidget;
    auto* column = new QVBoxLayout(folded);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kGrid / 2);
    column->addWidget(adapters);
    column->addWidget(adapterButton(), 0, Qt::AlignLeft);
    m_adapterRow = {add(tr("adapters"), folded), m_adapter};

    FieldControl* named = field("names");
    const auto [names, namesLine] = flow(named);
    addLike(namesLine);
    m_fields.push_back({named, add(tr("names"), names)});

    auto* files = new QWidget;
    auto* filesColumn = new QVBoxLayout(files);
    filesColumn->setContentsMargins(0, 0, 0, 0);
    filesColumn->setSpacing(0);
    filesColumn->addWidget(bar);
    m_filesFacts = facts();
    filesColumn->addWidget(m_filesFacts);
    add(tr("files"), files);

    auto* trust = new QWidget;
    auto* trustColumn = new QVBoxLayout(trust);
    trustColumn->setContentsMargins(0, 0, 0, 0);
    trustColumn->setSpacing(theme::kGrid / 2);
    FieldControl* sign = field("sign");
    trustColumn->addWidget(sign);
    auto* boxes = new QWidget;
    auto* boxLine = new FlowLayout(theme::kGrid + theme::kGrid / 2, boxes);
    trustColumn->addWidget(boxes);
    m_fields.push_back({sign, add(tr("trust"), trust)});
    for (const char* each : {"provenance", "bom"}) {
        FieldControl* box = field(each);
        boxLine->addWidget(box);
        m_fields.push_back({box, nullptr});
    }

    addDevices();
}

void MoreOptions::send(ChoiceChange change) {
    if (!m_filling) {
        m_typed.push_back(std::move(change));
        m_typing.start();
    }
}

QLineEdit* MoreOptions::line(const QString& name, const QString& placeholder,
                             std::string_view field) {
    auto* edit = new TextField;
    edit->setAccessibleName(name);
    edit->setPlaceholderText(placeholder);
    edit->setClearButtonEnabled(true);
    connect(edit, &QLineEdit::textChanged, this, [this, field](const QString& typed) {
        send([field, text = typed.trimmed().toStdString()](JobChoices& choices) {
            chooseText(choices, field, text);
        });
    });
    return edit;
}

QCheckBox* MoreOptions::box(const QString& text, const QString& tip, bool JobRequest::*flag) {
    auto* check = new CheckBox(text);
    text::setToolTip(check, tip);
    connect(check, &QCheckBox::toggled, this, [this, flag](bool on) {
        if (!m_filling) {
            Q_EMIT changed([flag, on](JobChoices& choices) { choices.request.*flag = on; });
        }
    });
    return check;
}

void MoreOptions::addDtypes() {
    m_keepFp32 =
        line(tr("Tensors that are float32 in the output"), tr("*norm*; lm_head.*"), "keep-fp32");
    m_castAll =
        box(tr("Norms and buffers too"),
            tr("Small tensors that lose precision when cast; otherwise they keep their dtype"),
            &JobRequest::castAll);
    addRow(m_grid, tr("cast"), m_castAll).line->addStretch(1);
    addRow(m_grid, tr("float32 for"), m_keepFp32);
    m_dequantize =
        box(tr("Dequantize"),
            tr("Writes plain floating-point values that every program reads; they are larger"),
            &JobRequest::dequantize);
    const Row row = addRow(m_grid, tr("Quantised weights"), m_dequantize);
    row.line->addStretch(1);
    m_dequantizeName = row.label;
}

void MoreOptions::addDevices() {
    connect(m_device, &DeviceButton::chosenByUser, this, [this](const std::string& device) {
        Q_EMIT changed([device](JobChoices& choices) { choices.request.device = device; });
    });
    auto* row = new QWidget;
    auto* line = new FlowLayout(theme::kGrid, row);
    line->addWidget(m_device);
    auto* elsewhere = new Button(tr("Run On…"));
    text::setToolTip(elsewhere, tr("As an array on a cluster's scheduler; shows the command"));
    connect(elsewhere, &QPushButton::clicked, this, &MoreOptions::runOnRequested);
    line->addWidget(elsewhere);
    m_runFacts = facts();
    line->addWidget(m_runFacts);
    row->setFocusProxy(m_device);
    addRow(m_firstGrid, tr("run on"), row).line->setStretchFactor(row, 1);
}

void MoreOptions::addNames() {
    connect(m_names, &NameRulesEditor::chosen, this, [this](const std::string& rules) {
        Q_EMIT changed([rules](JobChoices& choices) { chooseText(choices, "rename", rules); });
    });
    connect(m_names, &NameRulesEditor::typed, this, [this](const std::string& rules) {
        send([rules](JobChoices& choices) { chooseText(choices, "rename", rules); });
    });
    addRow(m_grid, tr("rename"), m_names).line->setStretchFactor(m_names, 1);
}

void MoreOptions::addRoles() {
    connect(m_strip, &StripRoles::changed, this, &MoreOptions::changed);
    const Row row = addRow(m_grid, tr("leave out"), m_strip);
    row.line->setStretchFactor(m_strip, 1);
    m_stripName = row.label;
}

void MoreOptions::addRanks() {
    connect(m_ranks, &RankGrid::changed, this, [this] {
        send([grid = m_ranks->axes()](JobChoices& choices) {
            choices.request.sharding.axes = grid;
        });
    });
    m_rankRow = {addRow(m_grid, tr("ranks"), m_ranks).label, m_ranks};
}

QWidget* MoreOptions::adapterButton() {
    text::setToolTip(m_adapter,
                     tr("A folder with adapter_config.json that PEFT saved; it is folded "
                        "into the weights"));
    connect(m_adapter, &QPushButton::clicked, this, [this] {
        pickFolder(tr("Choose Adapter"),
                   [this](const std::filesystem::path& folder) { addAdapter(folder); });
    });
    return m_adapter;
}

void MoreOptions::addLike(QLayout* line) {
    text::setToolTip(
        m_likeButton,
        tr("Takes config and tokenizer from a folder of the base model, or of an earlier export"));
    m_likeReset->setAccessibleName(tr("Search config and tokenizer around the checkpoint"));
    text::setToolTip(m_likeReset, tr("Search config and tokenizer around the checkpoint"));
    m_like->setElideMiddle(true);
    m_like->setMinimumHeight(theme::kControlHeight);
    connect(m_likeButton, &QPushButton::clicked, this, &MoreOptions::pickLike);
    connect(m_likeReset, &QPushButton::clicked, this, [this] { setLike({}); });
    for (QWidget* each : std::initializer_list<QWidget*>{m_likeButton, m_likeReset, m_like}) {
        line->addWidget(each);
    }
}

void MoreOptions::pickLike() {
    pickFolder(tr("Take Config and Tokenizer from"),
               [this](const std::filesystem::path& folder) { setLike(folder); });
}

void MoreOptions::pickFolder(const QString& title,
                             const std::function<void(const std::filesystem::path&)>& picked) {
    auto* dialog = new QFileDialog(this, title, QString::fromLocal8Bit(m_near.c_str()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [picked](const QString& folder) { picked(text::toPath(folder)); });
    dialog->open();
}

void MoreOptions::addAdapter(const std::filesystem::path& adapter) {
    Q_EMIT changed([adapter](JobChoices& choices) {
        std::vector<RequestAdapter>& adapters = choices.request.adapters;
        if (std::ranges::find(adapters, Location(adapter), &RequestAdapter::place) ==
            adapters.end()) {
            adapters.push_back({adapter, 1});
        }
    });
}

void MoreOptions::setLike(const std::filesystem::path& folder) {
    Q_EMIT changed([folder](JobChoices& choices) { choices.request.like = folder; });
}

/// A row for each option of the table without a control of its own; its boxes share one.
void MoreOptions::addFields() {
    auto* boxes = new QWidget; // wraps in a small window
    auto* flow = new FlowLayout(theme::kGrid + theme::kGrid / 2, boxes);
    for (const RequestField& each : requestFields()) {
        const bool isThere = std::ranges::any_of(
            m_fields, [&](const FieldRow& row) { return &row.control->field() == &each; });
        if (isThere || hasOwnControl(each.name) || !isOffered(each)) {
            continue;
        }
        FieldControl* control = field(each.name);
        QWidget* label = nullptr;
        if (control->isBox()) {
            flow->addWidget(control);
            m_boxes.push_back(control);
        } else {
            const Row row = addRow(m_grid, control->label(), control);
            row.line->setStretchFactor(control, 1);
            label = row.label;
        }
        m_fields.push_back({control, label});
    }
    const Row row = addRow(m_grid, tr("further"), boxes);
    row.line->setStretchFactor(boxes, 1);
    m_boxRow = {row.label, boxes};
}

void MoreOptions::showFields(const JobChoices& choices) {
    for (const auto& [control, label] : m_fields) {
        const RequestField& field = control->field();
        const bool isAbove = field.name == "require" && kindOf(choices) == JobKind::Convert;
        const bool shown = hasOption(choices, field) && !isAbove;
        const auto valid = checkText(choices, field.name);
        control->setText(textOf(choices, field.name), m_typing.isActive());
        control->setProblem(valid ? QString() : text::briefly(valid.error()));
        control->setVisible(shown);
        if (label != nullptr) {
            label->setVisible(shown);
        }
    }
    const bool boxes = std::ranges::any_of(
        m_boxes, [&](const FieldControl* box) { return hasOption(choices, box->field()); });
    for (QWidget* widget : m_boxRow) {
        widget->setVisible(boxes);
    }
}

void MoreOptions::setChoices(const JobChoices& choices, bool scaled,
                             const std::vector<RoleContents>& roles) {
    const QScopedValueRollback filling(m_filling, true);
    const JobRequest& request = choices.request;
    const auto put = [&](QLineEdit* edit, std::string_view field) {
        const QString wanted = QString::fromStdString(textOf(choices, field));
        if (edit->text().trimmed() != wanted && !m_typing.isActive()) {
            edit->setText(wanted);
        }
    };
    m_dtype->setValue(request.dtype);
    m_device->setDevice(request.device);
    put(m_keepFp32, "keep-fp32");
    m_castAll->setChecked(request.castAll);
    m_castAll->setEnabled(request.dtype != "keep");
    m_dequantize->setChecked(request.dequantize);
    const bool dequantizes = scaled || request.dequantize;
    m_dequantize->setVisible(dequantizes);
    m_dequantizeName->setVisible(dequantizes);
    m_names->setRules(textOf(choices, "rename"), m_typing.isActive());
    put(m_only, "only");
    m_strip->show(choices, roles);
    const bool continues = kindOf(choices) == JobKind::Convert;
    for (QWidget* widget : m_onlyRow) {
        widget->setVisible(!continues);
    }
    m_strip->setVisible(m_strip->hasChoice() && !continues);
    m_stripName->setVisible(m_strip->hasChoice() && !continues);
    put(m_weights, "weights");
    for (QWidget* widget : m_weightsRow) {
        widget->setVisible(averages(choices));
    }
    for (QWidget* widget : m_adapterRow) {
        widget->setVisible(!averages(choices) && !continues);
    }
    const bool takesConfig = request.bundle || kindOf(choices) == JobKind::Reshard;
    m_likeButton->setVisible(takesConfig);
    if (!request.like.empty() || !request.adapters.empty()) {
        const Location& near = request.like.empty() ? request.adapters.back().place : request.like;
        m_near = near.path().parent_path();
    }
    m_like->setText(text::fromPath(request.like.path()));
    m_like->setVisible(takesConfig && !request.like.empty());
    m_likeReset->setVisible(takesConfig && !request.like.empty());
    if (!m_typing.isActive()) {
        m_ranks->setAxes(request.sharding.axes);
    }
    const FormatInfo* format = findFormat(request.to);
    for (QWidget* widget : m_rankRow) {
        widget->setVisible(format != nullptr && format->writes.cutsTensors && !averages(choices) &&
                           !continues);
    }
    showFields(choices);
}

void MoreOptions::showPlan(const PlannedDeployment* planned,
                           const std::optional<Outlook>& outlook) {
    const auto put = [](TextLabel* label, const QStringList& parts) {
        label->setText(parts.join(QStringLiteral(" · ")));
        label->setVisible(!parts.isEmpty());
    };
    QStringList precision;
    if (outlook && outlook->relativeError) {
        const auto percent = [](double share) {
            return tr("%1 %").arg(QLocale().toString(100 * share, 'g', 2));
        };
        precision << tr("error %1 of the weights (sampled)").arg(percent(*outlook->relativeError));
        if (outlook->worstError) {
            precision << tr("worst tensor %1").arg(percent(*outlook->worstError));
        }
    }
    QStringList files;
    QStringList run;
    if (planned != nullptr) {
        const Forecast& forecast = planned->plan.forecast;
        if (planned->castTensors > 0) {
            precision.prepend(
                tr("%Ln tensors cast", nullptr, static_cast<int>(planned->castTensors)));
        }
        files << tr("%Ln files", nullptr, static_cast<int>(forecast.files))
              << text::bytes(forecast.bytes);
        if (planned->freeBytes) {
            files << tr("%1 free").arg(text::bytes(*planned->freeBytes));
        }
        files << text::fromPath(planned->plan.output);
        run << text::estimate(forecast.seconds)
            << tr("%1 memory").arg(text::bytes(forecast.memoryBytes));
    }
    put(m_precisionFacts, precision);
    put(m_filesFacts, files);
    put(m_runFacts, run);
}

/// Of the rows that are not always visible.
bool MoreOptions::hasChoices(const JobChoices& choices) {
    const JobRequest& request = choices.request;
    const FormatInfo* format = choices.automatic ? nullptr : findFormat(request.to);
    const auto isFirst = [](const auto& typed) {
        return std::ranges::find(kFirst, typed.first) != kFirst.end();
    };
    const auto isAbove = [&](const auto& typed) {
        return isFirst(typed) || (typed.first == "require" && !request.trainer.empty());
    };
    return !std::ranges::all_of(choices.typed, isAbove) || request.castAll || request.dequantize ||
           !request.only.without.empty() ||
           (format != nullptr && format->writes.cutsTensors && request.trainer.empty());
}

} // namespace cairn::ui
