// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/name_rules_editor.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/shown_choice.h"
#include "ui/widgets/text_field.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QScopedValueRollback>

namespace cairn::ui {
namespace {

constexpr const char* kStripWrappers = "strip-wrappers";
constexpr const char* kStripPrefixes = "strip-prefixes";

} // namespace

NameRulesEditor::NameRulesEditor(const QString& name, QWidget* parent)
    : QWidget(parent), m_button(new Button(QString())), m_field(new TextField) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(theme::kGrid);
    line->addWidget(m_button);
    line->addWidget(m_field, 4);
    line->addStretch(1);
    setFocusProxy(m_button);
    m_button->setMenu(new QMenu(m_button));
    markChoice(m_button);
    m_button->setAccessibleName(name);
    text::setToolTip(m_button, tr("Wrappers add prefixes such as module. and _orig_mod. to names"));
    addPreset(tr("unchanged"), {}, false);
    addPreset(tr("without wrapper prefixes"), kStripWrappers, false);
    addPreset(tr("without wrapper prefixes and model."), kStripPrefixes, false);
    addPreset(tr("custom rules…"), {}, true);
    m_field->setAccessibleName(tr("Rename rules"));
    m_field->setPlaceholderText(tr("encoder.=enc.; ^layers\\.(\\d+)=h.$1"));
    m_field->setClearButtonEnabled(true);
    text::setToolTip(m_field, tr("FROM=TO; FROM is a prefix of a name or a regular expression"));
    connect(m_field, &QLineEdit::textChanged, this, [this] {
        if (!m_filling) {
            Q_EMIT typed(ownText());
        }
    });
    setRules({});
}

std::string NameRulesEditor::ownText() const {
    return m_field->text().trimmed().toStdString();
}

void NameRulesEditor::addPreset(const QString& text, const std::string& rules, bool own) {
    connect(m_button->menu()->addAction(text), &QAction::triggered, this, [this, rules, own] {
        m_own = own;
        m_field->setVisible(own);
        Q_EMIT chosen(own ? ownText() : rules);
        if (own) {
            m_field->setFocus(Qt::OtherFocusReason);
        }
    });
}

void NameRulesEditor::setRules(const std::string& rules, bool typing) {
    const QScopedValueRollback filling(m_filling, true);
    const bool wrappers = rules == kStripWrappers;
    const bool prefixes = rules == kStripPrefixes;
    m_own = !wrappers && !prefixes && (m_own || !rules.empty());
    m_button->setText(m_own      ? tr("custom rules")
                      : wrappers ? tr("without wrapper prefixes")
                      : prefixes ? tr("without wrapper prefixes and model.")
                                 : tr("unchanged"));
    m_button->updateGeometry();
    const QString wanted = m_own ? QString::fromStdString(rules) : QString();
    if (!typing && m_field->text().trimmed() != wanted) {
        m_field->setText(wanted);
    }
    m_field->setVisible(m_own);
}

} // namespace cairn::ui
