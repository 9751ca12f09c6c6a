// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/shown_adapter_card.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/outlined.h"

#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace cairn::ui {
namespace {

/// "LoRA" for PEFT's "LORA"; other methods as they are written.
QString methodName(const std::string& method) {
    return method == "LORA" ? QStringLiteral("LoRA") : text::fromCore(method);
}

QString whatWords(const AdapterFacts& facts) {
    QString name = methodName(facts.method);
    if (facts.rank) {
        name += QStringLiteral(" (r %1)").arg(*facts.rank);
    }
    const QString base = text::fromCore(facts.base);
    return base.isEmpty() ? ShownAdapterCard::tr("This is an adapter: %1").arg(name)
                          : ShownAdapterCard::tr("This is an adapter: %1 for %2").arg(name, base);
}

} // namespace

ShownAdapterCard::ShownAdapterCard(QWidget* parent)
    : Card(QString(), parent), m_what(new TextLabel), m_where(new TextLabel({}, theme::Tone::Dim)),
      m_fold(new QRadioButton),
      m_alone(new QRadioButton(tr("A folder that PEFT loads beside its base"))),
      m_scale(new Outlined<QDoubleSpinBox>), m_choose(new Button(tr("Choose Base…"))) {
    setAccessibleName(tr("Adapter"));
    QFont bold = m_what->font();
    bold.setWeight(QFont::DemiBold);
    m_what->setFont(bold);
    m_what->setWordWrap(true);
    content()->addWidget(m_what);
    auto* line = new FlowLayout(theme::kGrid);
    m_scale->setRange(-kMostScale, kMostScale);
    m_scale->setSingleStep(0.1);
    m_scale->setDecimals(3);
    m_scale->setValue(1);
    m_scale->setKeyboardTracking(false);
    m_scale->setFocusPolicy(Qt::StrongFocus);
    m_scale->setMinimumHeight(theme::kControlHeight);
    m_scale->setPrefix(tr("scale "));
    m_scale->setAccessibleName(tr("Scale of this adapter"));
    m_fold->setMinimumHeight(theme::kControlHeight);
    for (QWidget* each : std::initializer_list<QWidget*>{m_fold, m_scale, m_choose}) {
        line->addWidget(each);
    }
    content()->addLayout(line);
    m_where->setElideMiddle(true);
    content()->addWidget(m_where);
    content()->addWidget(m_alone);
    connect(m_fold, &QRadioButton::clicked, this, [this] {
        Q_EMIT changed([](JobChoices& choices) { choices.adapterUse = AdapterUse::Fold; });
    });
    connect(m_alone, &QRadioButton::clicked, this, [this] {
        Q_EMIT changed([](JobChoices& choices) { choices.adapterUse = AdapterUse::Alone; });
    });
    connect(m_scale, &QDoubleSpinBox::valueChanged, this, [this](double scale) {
        Q_EMIT changed([scale](JobChoices& choices) { choices.ownScale = scale; });
    });
    connect(m_choose, &QPushButton::clicked, this, &ShownAdapterCard::pickBase);
    hide();
}

void ShownAdapterCard::show(const std::optional<ShownAdapter>& adapter, const JobChoices& choices) {
    setVisible(adapter.has_value());
    if (!adapter) {
        return;
    }
    const bool hasBase = !adapter->base.empty();
    m_base = adapter->base;
    m_what->setText(whatWords(adapter->facts));
    m_fold->setText(hasBase ? tr("Fold into %1").arg(text::fromPath(adapter->base.filename()))
                            : tr("Fold into its base, which was not found"));
    m_where->setText(text::fromPath(adapter->base));
    m_where->setVisible(hasBase);
    m_fold->setEnabled(hasBase);
    m_fold->setChecked(adapter->folds);
    m_alone->setChecked(!adapter->folds);
    m_scale->setEnabled(adapter->folds);
    const QSignalBlocker quiet(m_scale);
    m_scale->setValue(choices.ownScale);
}

void ShownAdapterCard::setBase(const std::filesystem::path& base) {
    Q_EMIT changed([base](JobChoices& choices) {
        choices.base = base;
        choices.adapterUse = AdapterUse::Fold;
    });
}

void ShownAdapterCard::pickBase() {
    auto* dialog = new QFileDialog(this, tr("Choose Base"),
                                   QString::fromLocal8Bit(m_base.parent_path().c_str()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& folder) { setBase(text::toPath(folder)); });
    dialog->open();
}

} // namespace cairn::ui
