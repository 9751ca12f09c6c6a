// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/more_options.h"

#include "ui/pages/consolidate/plan_cards.h"
#include "ui/pages/consolidate/strip_roles.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/device_button.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/name_rules_editor.h"
#include "ui/widgets/outlined.h"
#include "ui/widgets/text_field.h"

#include <QCheckBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSpinBox>

#include <algorithm>
#include <array>

namespace cairn::ui {
namespace {

constexpr int kTypingMs = 350;
constexpr int kMaxRanks = 4096;

} // namespace

MoreOptions::MoreOptions(QWidget* parent)
    : Card(QString(), parent), m_grid(new QGridLayout), m_dtype(new Button(QString())),
      m_castAll(nullptr), m_dequantize(nullptr),
      m_device(new DeviceButton(
          tr("Device for casting, scaling and averaging; plain copies always use the CPU"))),
      m_names(new NameRulesEditor(tr("Names in the output"))), m_strip(new StripRoles),
      m_adapter(new Button(tr("Add Adapter…"))), m_like(new TextLabel(QString(), theme::Tone::Dim)),
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
        const std::vector<RecipeChange> typed = std::move(m_typed);
        m_typed.clear();
        Q_EMIT changed([typed](Recipe& recipe) {
            for (const RecipeChange& each : typed) {
                each(recipe);
            }
        });
    });
    addDtypes();
    addDevices();
    addNames();
    m_only = field(tr("Names of tensors"), tr("all selected above; or *.mlp.*"), &Recipe::only);
    text::setToolTip(m_only, tr("Only tensors whose full name matches: *, ?, {a,b}"));
    addRow(tr("tensors"), m_only);
    addRoles();
    m_weights =
        field(tr("Weight of each checkpoint"), tr("equal; or 1, 1, 2"), &Recipe::averageWeights);
    addRow(tr("weights"), m_weights);
    m_weightsRow = {m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget(), m_weights};
    addRanks();
    addFolders();
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

void MoreOptions::send(RecipeChange change) {
    if (!m_filling) {
        m_typed.push_back(std::move(change));
        m_typing.start();
    }
}

QLineEdit* MoreOptions::field(const QString& name, const QString& placeholder,
                              std::string Recipe::*text) {
    auto* edit = new TextField;
    edit->setAccessibleName(name);
    edit->setPlaceholderText(placeholder);
    edit->setClearButtonEnabled(true);
    connect(edit, &QLineEdit::textChanged, this, [this, text](const QString& typed) {
        send([text, typed](Recipe& recipe) { recipe.*text = typed.trimmed().toStdString(); });
    });
    return edit;
}

QSpinBox* MoreOptions::number(const QString& name, int least, int most,
                              std::function<void(Recipe&, int)> set) {
    auto* spin = new Outlined<QSpinBox>;
    spin->setMinimumHeight(theme::kControlHeight);
    spin->setRange(least, most);
    spin->setAccessibleName(name);
    spin->setKeyboardTracking(true);
    spin->setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the page
    connect(spin, &QSpinBox::valueChanged, this, [this, set = std::move(set)](int value) {
        send([set, value](Recipe& recipe) { set(recipe, value); });
    });
    return spin;
}

QCheckBox* MoreOptions::box(const QString& text, const QString& tip, bool Recipe::*flag) {
    auto* check = new CheckBox(text);
    text::setToolTip(check, tip);
    connect(check, &QCheckBox::toggled, this, [this, flag](bool on) {
        if (!m_filling) {
            Q_EMIT changed([flag, on](Recipe& recipe) { recipe.*flag = on; });
        }
    });
    return check;
}

void MoreOptions::addDtypes() {
    auto* menu = new QMenu(m_dtype);
    for (const char* dtype :
         {"keep", "bf16", "fp16", "fp32", "float64", "float8_e4m3fn", "float8_e5m2"}) {
        connect(menu->addAction(dtypeWords(dtype)), &QAction::triggered, this, [this, dtype] {
            Q_EMIT changed([dtype](Recipe& recipe) { recipe.dtype = dtype; });
        });
    }
    m_dtype->setMenu(menu);
    m_dtype->setAccessibleName(tr("Dtype in the output"));
    m_keepFp32 = field(tr("Tensors that are float32 in the output"), tr("*norm*; lm_head.*"),
                       &Recipe::keepFp32);
    m_castAll =
        box(tr("Norms and buffers too"),
            tr("Small tensors that lose precision when cast; otherwise they keep their dtype"),
            &Recipe::castAll);
    auto* row = new QWidget; // wraps in a small window
    auto* line = new FlowLayout(theme::kGrid, row);
    line->addWidget(m_dtype);
    line->addWidget(m_castAll);
    row->setFocusProxy(m_dtype);
    addRow(tr("dtype"), row)->setStretchFactor(row, 1);
    addRow(tr("float32 for"), m_keepFp32);
    m_dequantize =
        box(tr("Dequantize with their scales"),
            tr("Writes plain floating-point values that every program reads; doubles their size"),
            &Recipe::dequantize);
    addRow(tr("8-bit weights"), m_dequantize)->addStretch(1);
    m_dequantizeName = m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget();
}

void MoreOptions::addDevices() {
    connect(m_device, &DeviceButton::chosenByUser, this, [this](const std::string& device) {
        Q_EMIT changed([device](Recipe& recipe) { recipe.device = device; });
    });
    addRow(tr("device"), m_device)->addStretch(1);
}

void MoreOptions::addNames() {
    connect(m_names, &NameRulesEditor::chosen, this, [this](const std::string& rules) {
        Q_EMIT changed([rules](Recipe& recipe) { recipe.rename = rules; });
    });
    connect(m_names, &NameRulesEditor::typed, this, [this](const std::string& rules) {
        send([rules](Recipe& recipe) { recipe.rename = rules; });
    });
    addRow(tr("names"), m_names)->setStretchFactor(m_names, 1);
}

void MoreOptions::addRoles() {
    connect(m_strip, &StripRoles::changed, this, &MoreOptions::changed);
    addRow(tr("leave out"), m_strip)->setStretchFactor(m_strip, 1);
    m_stripName = m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget();
}

void MoreOptions::addRanks() {
    m_rows = number(tr("Ranks"), 1, kMaxRanks,
                    [](Recipe& recipe, int value) { recipe.rows.ranks = value; });
    m_rowsDim = number(tr("Dimension split across ranks"), -4, 7,
                       [](Recipe& recipe, int value) { recipe.rows.dim = value; });
    m_columns = number(tr("Ranks of the second axis"), 1, kMaxRanks,
                       [](Recipe& recipe, int value) { recipe.columns.ranks = value; });
    m_columnsDim = number(tr("Dimension split along the second axis"), -4, 7,
                          [](Recipe& recipe, int value) { recipe.columns.dim = value; });
    auto* row = new QWidget; // wraps in a small window
    auto* line = new FlowLayout(theme::kGrid, row);
    addRow(tr("ranks"), row);
    line->addWidget(m_rows);
    const std::array<QWidget*, 6> rest = {new TextLabel(tr("along dimension"), theme::Tone::Dim),
                                          m_rowsDim,
                                          new TextLabel(QStringLiteral("×")),
                                          m_columns,
                                          new TextLabel(tr("along dimension"), theme::Tone::Dim),
                                          m_columnsDim};
    const int high = m_rows->sizeHint().expandedTo(m_rows->minimumSize()).height();
    for (QWidget* widget : rest) {
        widget->setMinimumHeight(high); // aligns the labels with them
        line->addWidget(widget);
    }
    m_rankRow = {m_grid->itemAtPosition(m_grid->rowCount() - 1, 0)->widget(), row};
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
    Q_EMIT changed([adapter](Recipe& recipe) {
        if (std::ranges::find(recipe.adapters, adapter, &Recipe::Adapter::path) ==
            recipe.adapters.end()) {
            recipe.adapters.push_back({adapter, 1});
        }
    });
}

void MoreOptions::setLike(const std::filesystem::path& folder) {
    Q_EMIT changed([folder](Recipe& recipe) { recipe.like = folder; });
}

void MoreOptions::setRecipe(const Recipe& recipe, Recipe::Target target, bool scaled,
                            const std::vector<RoleContents>& roles) {
    const QScopedValueRollback filling(m_filling, true);
    const auto put = [this](QLineEdit* edit, const std::string& text) {
        const QString wanted = QString::fromStdString(text);
        if (edit->text().trimmed() != wanted && !m_typing.isActive()) {
            edit->setText(wanted);
        }
    };
    m_dtype->setText(dtypeWords(recipe.dtype));
    m_device->setDevice(recipe.device);
    put(m_keepFp32, recipe.keepFp32);
    m_castAll->setChecked(recipe.castAll);
    m_castAll->setEnabled(recipe.dtype != "keep");
    m_dequantize->setChecked(recipe.dequantize);
    m_dequantize->setVisible(scaled || recipe.dequantize);
    m_dequantizeName->setVisible(scaled || recipe.dequantize);
    m_names->setRules(recipe.rename, m_typing.isActive());
    put(m_only, recipe.only);
    m_strip->show(recipe, roles);
    m_strip->setVisible(m_strip->hasChoice());
    m_stripName->setVisible(m_strip->hasChoice());
    put(m_weights, recipe.averageWeights);
    for (QWidget* widget : m_weightsRow) {
        widget->setVisible(!recipe.average.empty());
    }
    for (QWidget* widget : m_adapterRow) {
        widget->setVisible(recipe.average.empty());
    }
    const bool bundles =
        recipe.target == Recipe::Target::Auto || recipe.target == Recipe::Target::HuggingFace;
    for (QWidget* widget : m_likeRow) {
        widget->setVisible(bundles);
    }
    if (!recipe.like.empty() || !recipe.adapters.empty()) {
        m_near = (recipe.like.empty() ? recipe.adapters.back().path : recipe.like).parent_path();
    }
    m_like->setText(text::fromPath(recipe.like));
    m_like->setVisible(bundles && !recipe.like.empty());
    m_likeReset->setVisible(bundles && !recipe.like.empty());
    m_rows->setValue(recipe.rows.ranks);
    m_rowsDim->setValue(recipe.rows.dim);
    m_columns->setValue(recipe.columns.ranks);
    m_columnsDim->setValue(recipe.columns.dim);
    for (QWidget* widget : m_rankRow) {
        widget->setVisible(target == Recipe::Target::Dcp && recipe.average.empty());
    }
}

bool MoreOptions::hasChoices(const Recipe& recipe) {
    const Recipe plain;
    return recipe.dtype != plain.dtype || recipe.device != plain.device ||
           !recipe.keepFp32.empty() || recipe.castAll || recipe.dequantize ||
           !recipe.averageWeights.empty() || !recipe.rename.empty() || !recipe.only.empty() ||
           !recipe.strip.empty() || !recipe.like.empty() || recipe.target == Recipe::Target::Dcp;
}

} // namespace cairn::ui
