// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/more_options.h"

#include "core/formats/format.h"
#include "core/plan/request_fields.h"
#include "ui/pages/consolidate/choice_button.h"
#include "ui/pages/consolidate/field_control.h"
#include "ui/pages/consolidate/plan_cards.h"
#include "ui/pages/consolidate/rank_grid.h"
#include "ui/pages/consolidate/strip_roles.h"
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
#include <QScopedValueRollback>

#include <algorithm>
#include <array>
#include <utility>

namespace cairn::ui {
namespace {

constexpr int kTypingMs = 350;

/// The options with a control of their own: here, in the bar above, or in the rows of adapters.
constexpr auto kOwn = std::to_array<std::string_view>(
    {"output", "to", "only", "dtype", "keep-fp32", "strip", "bundle", "cast-all", "dequantize",
     "rename", "adapter", "like", "weights", "ranks", "grid", "dim", "per-layer", "max-shard-size",
     "device"});

/// Some kind of job that the page makes has the field.
bool isOffered(const RequestField& field) {
    return field.kinds.contains(JobKind::Consolidate) || field.kinds.contains(JobKind::Average) ||
           field.kinds.contains(JobKind::Reshard);
}

} // namespace

bool MoreOptions::hasOwnControl(std::string_view field) {
    return std::ranges::find(kOwn, field) != kOwn.end();
}

MoreOptions::MoreOptions(QWidget* parent)
    : Card(QString(), parent), m_grid(new QGridLayout), m_castAll(nullptr), m_dequantize(nullptr),
      m_device(new DeviceButton(
          tr("Device for casting, scaling and averaging; plain copies always use the CPU"))),
      m_names(new NameRulesEditor(tr("Names in the output"))), m_strip(new StripRoles),
      m_ranks(new RankGrid), m_adapter(new Button(tr("Add Adapter…"))),
      m_like(new TextLabel(QString(), theme::Tone::Dim)),
      m_likeButton(new Button(tr("Take Config and Tokenizer from…"))),
      m_likeReset(new Button(tr("Reset"))) {
    setTitle(tr("More options"));
    setAccessibleName(tr("More options"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(theme::kGrid);
    m_grid->setVerticalSpacing(theme::kGrid);
    m_grid->setColumnMinimumWidth(0, kNameWidth);
    m_grid->setColumnStretch(1, 1);
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
    addDtypes();
    addDevices();
    addNames();
    m_only = line(tr("Names of tensors"), tr("all selected above; or *.mlp.*"), "only");
    text::setToolTip(m_only, tr("Only tensors whose full name matches: *, ?, {a,b}"));
    addRow(tr("tensors"), m_only);
    addRoles();
    m_weights = line(tr("Weight of each checkpoint"), tr("equal; or 1, 1, 2"), "weights");
    addRow(tr("weights"), m_weights);
    m_weightsRow = {m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget(), m_weights};
    addRanks();
    addFolders();
    addFields();
}

QHBoxLayout* MoreOptions::addRow(const QString& name, QWidget* first) {
    const int row = m_grid->rowCount();
    auto* label = new TextLabel(name, theme::Tone::Dim);
    label->setBuddy(first);
    label->setMinimumHeight(
        theme::kControlHeight); // aligned with the first line of a row that wraps
    m_grid->addWidget(label, row, 0, Qt::AlignTop);
    auto* line = new QHBoxLayout;
    line->setSpacing(theme::kGrid);
    line->addWidget(first);
    m_grid->addLayout(line, row, 1);
    return line;
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
    const RequestField* field = findRequestField("dtype");
    m_dtype = new ChoiceButton(tr("Dtype in the output"),
                               field == nullptr ? std::vector<std::string>() : valuesOf(*field),
                               dtypeWords);
    connect(m_dtype, &ChoiceButton::chosenByUser, this, [this](const std::string& dtype) {
        Q_EMIT changed([dtype](JobChoices& choices) {
            choices.request.dtype = dtype.empty() ? JobRequest().dtype : dtype;
        });
    });
    m_keepFp32 =
        line(tr("Tensors that are float32 in the output"), tr("*norm*; lm_head.*"), "keep-fp32");
    m_castAll =
        box(tr("Norms and buffers too"),
            tr("Small tensors that lose precision when cast; otherwise they keep their dtype"),
            &JobRequest::castAll);
    auto* row = new QWidget; // wraps in a small window
    auto* line = new FlowLayout(theme::kGrid, row);
    line->addWidget(m_dtype);
    line->addWidget(m_castAll);
    row->setFocusProxy(m_dtype);
    addRow(tr("dtype"), row)->setStretchFactor(row, 1);
    addRow(tr("float32 for"), m_keepFp32);
    m_dequantize =
        box(tr("Dequantize"),
            tr("Writes plain floating-point values that every program reads; they are larger"),
            &JobRequest::dequantize);
    addRow(tr("Quantised weights"), m_dequantize)->addStretch(1);
    m_dequantizeName = m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget();
}

void MoreOptions::addDevices() {
    connect(m_device, &DeviceButton::chosenByUser, this, [this](const std::string& device) {
        Q_EMIT changed([device](JobChoices& choices) { choices.request.device = device; });
    });
    addRow(tr("device"), m_device)->addStretch(1);
}

void MoreOptions::addNames() {
    connect(m_names, &NameRulesEditor::chosen, this, [this](const std::string& rules) {
        Q_EMIT changed([rules](JobChoices& choices) { chooseText(choices, "rename", rules); });
    });
    connect(m_names, &NameRulesEditor::typed, this, [this](const std::string& rules) {
        send([rules](JobChoices& choices) { chooseText(choices, "rename", rules); });
    });
    addRow(tr("names"), m_names)->setStretchFactor(m_names, 1);
}

void MoreOptions::addRoles() {
    connect(m_strip, &StripRoles::changed, this, &MoreOptions::changed);
    addRow(tr("leave out"), m_strip)->setStretchFactor(m_strip, 1);
    m_stripName = m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget();
}

void MoreOptions::addRanks() {
    connect(m_ranks, &RankGrid::changed, this, [this] {
        send([grid = m_ranks->axes()](JobChoices& choices) {
            choices.request.sharding.axes = grid;
        });
    });
    addRow(tr("ranks"), m_ranks);
    m_rankRow = {m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget(), m_ranks};
}

void MoreOptions::addFolders() {
    text::setToolTip(m_adapter,
                     tr("A folder with adapter_config.json that PEFT saved; it is folded "
                        "into the weights"));
    connect(m_adapter, &QPushButton::clicked, this, [this] {
        pickFolder(tr("Choose Adapter"),
                   [this](const std::filesystem::path& folder) { addAdapter(folder); });
    });
    addRow(tr("adapters"), m_adapter)->addStretch(1);
    m_adapterRow = {m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget(), m_adapter};
    text::setToolTip(m_likeButton, tr("A folder of the base model, or of an earlier export"));
    m_likeReset->setAccessibleName(tr("Search config and tokenizer around the checkpoint"));
    text::setToolTip(m_likeReset, tr("Search config and tokenizer around the checkpoint"));
    m_like->setElideMiddle(true);
    connect(m_likeButton, &QPushButton::clicked, this, [this] {
        pickFolder(tr("Take Config and Tokenizer from"),
                   [this](const std::filesystem::path& folder) { setLike(folder); });
    });
    connect(m_likeReset, &QPushButton::clicked, this, [this] { setLike({}); });
    QHBoxLayout* line = addRow(tr("config"), m_likeButton);
    line->addWidget(m_likeReset);
    line->addWidget(m_like, 1);
    line->addStretch(0); // while no folder is shown
    m_likeRow = {m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget(), m_likeButton};
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
    for (const RequestField& field : requestFields()) {
        if (hasOwnControl(field.name) || !isOffered(field)) {
            continue;
        }
        auto* control = new FieldControl(field);
        connect(control, &FieldControl::chosen, this,
                [this, name = field.name](const std::string& text) {
                    Q_EMIT changed(
                        [name, text](JobChoices& choices) { chooseText(choices, name, text); });
                });
        connect(control, &FieldControl::typed, this,
                [this, name = field.name](const std::string& text) {
                    send([name, text](JobChoices& choices) { chooseText(choices, name, text); });
                });
        QWidget* label = nullptr;
        if (control->isBox()) {
            flow->addWidget(control);
        } else {
            addRow(control->label(), control)->setStretchFactor(control, 1);
            label = m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget();
        }
        m_fields.push_back({control, label});
    }
    addRow(tr("further"), boxes)->setStretchFactor(boxes, 1);
    m_boxRow = {m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget(), boxes};
}

void MoreOptions::showFields(const JobChoices& choices) {
    const JobKind kind = kindOf(choices);
    bool boxes = false;
    for (const auto& [control, label] : m_fields) {
        const RequestField& field = control->field();
        const bool shown = field.kinds.contains(kind);
        const auto valid = checkText(choices, field.name);
        control->setText(textOf(choices, field.name), m_typing.isActive());
        control->setProblem(valid ? QString() : text::briefly(valid.error()));
        control->setVisible(shown);
        if (label != nullptr) {
            label->setVisible(shown);
        } else {
            boxes = boxes || shown;
        }
    }
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
    m_strip->setVisible(m_strip->hasChoice());
    m_stripName->setVisible(m_strip->hasChoice());
    put(m_weights, "weights");
    for (QWidget* widget : m_weightsRow) {
        widget->setVisible(averages(choices));
    }
    for (QWidget* widget : m_adapterRow) {
        widget->setVisible(!averages(choices));
    }
    const bool takesConfig = request.bundle || kindOf(choices) == JobKind::Reshard;
    for (QWidget* widget : m_likeRow) {
        widget->setVisible(takesConfig);
    }
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
        widget->setVisible(format != nullptr && format->writes.cutsTensors && !averages(choices));
    }
    showFields(choices);
}

bool MoreOptions::hasChoices(const JobChoices& choices) {
    const JobRequest& request = choices.request;
    const JobRequest plain = plainRequest();
    const FormatInfo* format = choices.automatic ? nullptr : findFormat(request.to);
    return !choices.typed.empty() || request.dtype != plain.dtype ||
           request.device != plain.device || request.castAll || request.dequantize ||
           !request.only.without.empty() || !request.like.empty() ||
           (format != nullptr && format->writes.cutsTensors);
}

} // namespace cairn::ui
