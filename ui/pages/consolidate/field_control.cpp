// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/field_control.h"

#include "ui/pages/consolidate/choice_button.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/check_box.h"
#include "ui/widgets/text_field.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <sstream>

namespace cairn::ui {
namespace {

QString nameWords(const std::string& value) {
    return value.empty()         ? FieldControl::tr("automatic")
           : value == "keep"     ? FieldControl::tr("as stored")
           : value == "hf"       ? QStringLiteral("Hugging Face")
           : value == "gguf"     ? QStringLiteral("llama.cpp")
           : value == "megatron" ? QStringLiteral("Megatron")
           : value == "native"   ? FieldControl::tr("the model's own code")
           : value == "litgpt"   ? QStringLiteral("LitGPT")
                                 : text::fromCore(value);
}

/// The window's words for an option. One that is not here has its name and the help of the command
/// line.
struct FieldWords {
    std::string_view field;
    const char* label; ///< texts of FieldControl, like the others
    const char* tip;
    const char* example = nullptr; ///< in an empty line
    ChoiceButton::Words values = nullptr;
};

constexpr auto kWords = std::to_array<FieldWords>({
    {"force", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "Write despite doubts"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "Parts of different saves, shards that could not be merged, a bundle that "
                       "its library would not load. An existing file is never replaced")},
    {"require", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "Only if known to load"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "The tensors must be those of the class that config.json names")},
    {"round-changes", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "Round the changes of adapters"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "To the dtype of the weights before they are added, as PEFT's safe_merge")},
    {"names", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "named as in"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "Names and layout of the weights; automatic: Hugging Face for its folder, "
                       "llama.cpp for GGUF, otherwise as stored"),
     nullptr, nameWords},
    {"family", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "model family"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "For the names, if no config.json states it"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "as config.json states; or llama, qwen3")},
    {"sign", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "sign with"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "A private key: P-256, P-384 or P-521 as PEM; writes model.sig"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "private key; empty: not signed")},
    {"sign-cert", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "certificate"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "A PEM file with the certificate of the key and its issuers"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "of the private key, with its issuers")},
    {"provenance", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "Provenance"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "Writes provenance.json (SLSA v1) with the SHA-256 of every source file; "
                       "reads the source again")},
    {"bom", QT_TRANSLATE_NOOP("cairn::ui::FieldControl", "Bill of materials"),
     QT_TRANSLATE_NOOP("cairn::ui::FieldControl",
                       "Writes bom.cdx.json: the parts of the model (CycloneDX 1.6)")},
});

const FieldWords* wordsOf(const RequestField& field) {
    const auto found = std::ranges::find(kWords, field.name, &FieldWords::field);
    return found == kWords.end() ? nullptr : found;
}

QString labelOf(const RequestField& field) {
    const FieldWords* words = wordsOf(field);
    return words != nullptr
               ? FieldControl::tr(words->label)
               : text::fromCore(field.name).replace(QLatin1Char('-'), QLatin1Char(' '));
}

QString tipOf(const RequestField& field) {
    const FieldWords* words = wordsOf(field);
    return words != nullptr ? FieldControl::tr(words->tip) : text::coreText(field.help);
}

QString plainWords(const std::string& value) {
    return value.empty() ? FieldControl::tr("default") : text::fromCore(value);
}

} // namespace

std::vector<std::string> valuesOf(const RequestField& field) {
    std::istringstream words{std::string(field.choices)};
    std::vector<std::string> values;
    for (std::string value; words >> value;) {
        values.push_back(value);
    }
    return values;
}

QString dtypeWords(const std::string& dtype) {
    return dtype == "keep"   ? FieldControl::tr("as stored")
           : dtype == "bf16" ? QStringLiteral("bfloat16")
           : dtype == "fp16" ? QStringLiteral("float16")
           : dtype == "fp32" ? QStringLiteral("float32")
                             : text::fromCore(dtype);
}

FieldControl::FieldControl(const RequestField& field, QWidget* parent)
    : QWidget(parent), m_field(field) {
    setObjectName(text::fromCore(field.name));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(theme::kGrid / 2);
    const QString name = labelOf(field);
    const QString tip = tipOf(field);
    const std::size_t values = valuesOf(field).size();
    if (field.isSwitch() || (field.value == FieldValue::Choice && values == 1)) {
        makeBox(name, tip);
    } else if (values > 1) {
        makeMenu(name, tip);
    } else {
        makeLine(name, tip);
    }
    m_problem = new TextLabel({}, theme::Tone::Broken);
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_problem);
}

QString FieldControl::label() const {
    return isBox() ? QString() : labelOf(m_field);
}

void FieldControl::makeBox(const QString& text, const QString& tip) {
    m_box = new CheckBox(text);
    text::setToolTip(m_box, tip);
    const std::string value = m_field.isSwitch() ? "true" : valuesOf(m_field).front();
    connect(m_box, &QCheckBox::clicked, this,
            [this, value](bool on) { Q_EMIT chosen(on ? value : std::string()); });
    layout()->addWidget(m_box);
    setFocusProxy(m_box);
}

void FieldControl::makeMenu(const QString& name, const QString& tip) {
    std::vector<std::string> values = valuesOf(m_field);
    values.insert(values.begin(), std::string()); // the default
    const FieldWords* words = wordsOf(m_field);
    m_menu = new ChoiceButton(
        name, values, words != nullptr && words->values != nullptr ? words->values : plainWords);
    m_menu->setValue({});
    text::setToolTip(m_menu, tip);
    connect(m_menu, &ChoiceButton::chosenByUser, this, &FieldControl::chosen);
    auto* row = new QHBoxLayout;
    row->addWidget(m_menu);
    row->addStretch(1);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    setFocusProxy(m_menu);
}

void FieldControl::makeLine(const QString& name, const QString& tip) {
    m_line = new TextField;
    m_line->setAccessibleName(name);
    m_line->setClearButtonEnabled(true);
    const FieldWords* words = wordsOf(m_field);
    m_line->setPlaceholderText(words != nullptr && words->example != nullptr
                                   ? tr(words->example)
                                   : text::fromCore(m_field.placeholder));
    text::setToolTip(m_line, tip);
    connect(m_line, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (!m_filling) {
            Q_EMIT typed(text.trimmed().toStdString());
        }
    });
    auto* row = new QHBoxLayout;
    row->setSpacing(theme::kGrid);
    row->addWidget(m_line, 1);
    if (m_field.value == FieldValue::Place) {
        auto* choose = new Button(tr("Choose…"));
        choose->setAccessibleName(tr("Choose: %1").arg(name));
        connect(choose, &QPushButton::clicked, this, &FieldControl::pick);
        row->addWidget(choose);
    }
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    setFocusProxy(m_line);
}

void FieldControl::pick() {
    auto* dialog = new QFileDialog(this, labelOf(m_field));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& path) { Q_EMIT chosen(text::toPath(path).string()); });
    dialog->open();
}

void FieldControl::setText(const std::string& text, bool typing) {
    const QScopedValueRollback filling(m_filling, true);
    if (m_box != nullptr) {
        m_box->setChecked(!text.empty());
    } else if (m_menu != nullptr) {
        m_menu->setValue(text);
    } else if (const QString wanted = QString::fromStdString(text);
               !typing && m_line->text().trimmed() != wanted) {
        m_line->setText(wanted);
    }
}

void FieldControl::setProblem(const QString& problem) {
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    if (m_line != nullptr) {
        text::setDescription(m_line, problem);
    }
}

} // namespace cairn::ui
