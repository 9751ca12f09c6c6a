// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/choice_bar.h"

#include "ui/pages/consolidate/strip_roles.h"
#include "ui/pages/consolidate/written_formats.h"
#include "ui/text/core_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/shown_choice.h"

#include <QInputDialog>
#include <QMenu>

#include <cmath>

namespace cairn::ui {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;

QString formatWords(const JobRequest& request) {
    return request.bundle ? ChoiceBar::tr("Hugging Face folder") : text::formatName(request.to);
}

QString takenWords(const JobChoices& choices) {
    const std::vector<Role>& strip = choices.request.only.without;
    if (choices.typed.contains("only")) {
        return ChoiceBar::tr("Selected tensors");
    }
    if (choices.request.only.isWeights()) {
        return ChoiceBar::tr("Weights only");
    }
    return strip.empty() ? ChoiceBar::tr("Everything")
           : strip.size() == 1
               ? ChoiceBar::tr("Everything but %1").arg(strippedWords(strip.front()))
               : ChoiceBar::tr("Everything but %Ln roles", nullptr, static_cast<int>(strip.size()));
}

QString limitWords(std::uint64_t bytes) {
    return ChoiceBar::tr("≤ %1 per file").arg(text::bytes(bytes));
}

/// `limits`: the format has files of a limited size.
QString sizeWords(const JobChoices& choices, const FormatInfo* format, bool limits) {
    const Sharding sharding = shardingOf(choices);
    const std::uint64_t most = limits ? choices.request.maxShardBytes : 0;
    if (format != nullptr && format->writes.cutsTensors) {
        const QString ranks =
            ChoiceBar::tr("%Ln ranks", nullptr, static_cast<int>(sharding.ranks()));
        return most == 0 ? ranks : ranks + QStringLiteral(", ") + limitWords(most);
    }
    return sharding.perLayer ? ChoiceBar::tr("One file per layer")
           : most == 0       ? ChoiceBar::tr("One file")
                             : limitWords(most);
}

} // namespace

void ChoiceBar::addChoice(QMenu* menu, const QString& text, const QString& tip,
                          ChoiceChange change) {
    QAction* action = menu->addAction(text);
    action->setToolTip(text::toolTip(tip));
    connect(action, &QAction::triggered, this,
            [this, change = std::move(change)] { Q_EMIT changed(change); });
}

ChoiceBar::ChoiceBar(QWidget* parent)
    : QWidget(parent), m_format(new Button(QString())), m_only(new Button(QString())),
      m_shards(new Button(QString())), m_output(new Button(tr("Output…"))),
      m_more(new Button(tr("More Options"))) {
    auto* layout = new FlowLayout(theme::kGrid, this);
    for (Button* button : {m_format, m_only, m_shards}) {
        auto* menu = new QMenu(button);
        menu->setToolTipsVisible(true);
        button->setMenu(menu);
        markChoice(button);
        layout->addWidget(button);
    }
    layout->addWidget(m_output);
    m_format->setAccessibleName(tr("Output format"));
    m_only->setAccessibleName(tr("Tensors to write"));
    m_shards->setAccessibleName(tr("File size"));
    text::setToolTip(m_output, tr("Choose the output folder"));
    connect(m_output, &QPushButton::clicked, this, &ChoiceBar::outputRequested);

    layout->addWidget(m_more);
    m_more->setCheckable(true);
    text::setToolTip(m_more, tr("Dtype, names, tensors, roles, ranks, signing"));
    connect(m_more, &QPushButton::toggled, this, &ChoiceBar::moreToggled);
    addFormats();
    addChoice(m_only->menu(), tr("Weights only"),
              tr("Parameters and buffers, as needed for inference"),
              [](JobChoices& choices) { chooseEverything(choices, false); });
    addChoice(m_only->menu(), tr("Everything"),
              tr("Includes optimizer and training state, to resume training"),
              [](JobChoices& choices) { chooseEverything(choices, true); });
    addSizes();
}

void ChoiceBar::addFormats() {
    QMenu* menu = m_format->menu();
    addChoice(menu, tr("Automatic"),
              tr("A Hugging Face folder if config.json is next to the run, otherwise one file"),
              [](JobChoices& choices) { choices.automatic = true; });
    addChoice(menu, tr("Hugging Face folder"), bundleTip(), chooseBundle);
    for (const FormatInfo* format : offeredFormats()) {
        addChoice(menu, text::formatName(format->id), formatTip(format->id),
                  [id = format->id](JobChoices& choices) { chooseFormat(choices, id); });
    }
}

void ChoiceBar::addSizes() {
    const auto size = [](std::uint64_t bytes) {
        return [bytes](JobChoices& choices) {
            choices.request.maxShardBytes = bytes;
            choices.request.sharding.perLayer = false;
        };
    };
    QMenu* menu = m_shards->menu();
    addChoice(menu, tr("One file"), {}, size(0));
    for (const std::uint64_t gigabytes : {1, 2, 5, 10, 50}) {
        addChoice(menu, tr("≤ %1 GB per file").arg(gigabytes), {}, size(gigabytes * kGigabyte));
    }
    connect(menu->addAction(tr("Other size…")), &QAction::triggered, this, &ChoiceBar::askSize);
    addChoice(menu, tr("One file per layer"),
              tr("As .safetensors; tensors outside any layer share one file"),
              [](JobChoices& choices) {
                  choices.request.maxShardBytes = 0;
                  choices.request.sharding.perLayer = true;
                  if (!choices.automatic && shardingOf(choices).perLayer) {
                      return;
                  }
                  for (const FormatInfo* format : offeredFormats()) {
                      if (format->writes.splitsFiles) {
                          return chooseFormat(choices, format->id);
                      }
                  }
              });
}

void ChoiceBar::askSize() {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Maximum Size of a File"));
    dialog->setLabelText(tr("In GB:"));
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setDoubleDecimals(3);
    dialog->setDoubleRange(0.001, 1e6);
    const std::uint64_t shown = m_size == 0 ? 5 * kGigabyte : m_size;
    dialog->setDoubleValue(static_cast<double>(shown) / static_cast<double>(kGigabyte));
    connect(dialog, &QInputDialog::doubleValueSelected, this, [this](double gigabytes) {
        const auto megabytes = static_cast<std::uint64_t>(std::llround(gigabytes * 1000));
        Q_EMIT changed([megabytes](JobChoices& choices) {
            choices.request.maxShardBytes = megabytes * (kGigabyte / 1000);
            choices.request.sharding.perLayer = false;
        });
    });
    dialog->open();
}

void ChoiceBar::setMoreShown(bool shown) {
    m_more->setChecked(shown);
}

void ChoiceBar::setChoices(const JobChoices& choices) {
    const FormatInfo* format = findFormat(choices.request.to);
    const bool limits = format != nullptr && limitsFileSize(*format);
    m_size = choices.request.maxShardBytes;
    m_format->setText(formatWords(choices.request));
    m_only->setText(takenWords(choices));
    m_shards->setText(sizeWords(choices, format, limits));
    m_shards->setEnabled(limits);
    const bool continues = kindOf(choices) == JobKind::Convert; // a whole state in its own form
    m_only->setVisible(!continues);
    m_shards->setVisible(!continues);
    for (Button* button : {m_format, m_only, m_shards}) {
        button->updateGeometry();
    }
}

} // namespace cairn::ui
