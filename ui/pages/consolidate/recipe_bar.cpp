// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/recipe_bar.h"

#include "ui/pages/consolidate/strip_roles.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"
#include "ui/widgets/flow_layout.h"

#include <QMenu>

namespace cairn::ui {
namespace {

constexpr std::uint64_t kGigabyte = 1'000'000'000;

QString targetWords(Recipe::Target target) {
    switch (target) {
    case Recipe::Target::HuggingFace:
        return RecipeBar::tr("Hugging Face folder");
    case Recipe::Target::Torch:
        return RecipeBar::tr("torch .pt");
    case Recipe::Target::Dcp:
        return RecipeBar::tr("DCP folder");
    case Recipe::Target::Npz:
        return RecipeBar::tr("NumPy .npz");
    case Recipe::Target::Auto:
    case Recipe::Target::Safetensors:
        break;
    }
    return RecipeBar::tr("safetensors");
}

QString takenWords(const Recipe& recipe) {
    if (!recipe.only.empty()) {
        return RecipeBar::tr("Selected tensors");
    }
    if (!recipe.everything) {
        return RecipeBar::tr("Weights only");
    }
    return recipe.strip.empty() ? RecipeBar::tr("Everything")
           : recipe.strip.size() == 1
               ? RecipeBar::tr("Everything but %1").arg(strippedWords(recipe.strip.front()))
               : RecipeBar::tr("Everything but %Ln roles", nullptr,
                               static_cast<int>(recipe.strip.size()));
}

QString sizeWords(const Recipe& recipe, Recipe::Target target) {
    if (target == Recipe::Target::Dcp) {
        const int ranks = recipe.rows.ranks * recipe.columns.ranks;
        return RecipeBar::tr("%Ln ranks", nullptr, ranks);
    }
    if (target == Recipe::Target::Torch || target == Recipe::Target::Npz) {
        return RecipeBar::tr("One file");
    }
    if (recipe.perLayer && target == Recipe::Target::Safetensors) {
        return RecipeBar::tr("One file per layer");
    }
    if (recipe.maxShardBytes == 0) {
        return RecipeBar::tr("One file");
    }
    return RecipeBar::tr("≤ %1 per file").arg(text::bytes(recipe.maxShardBytes));
}

} // namespace

QString dtypeWords(const std::string& dtype) {
    return dtype == "keep"   ? RecipeBar::tr("as stored")
           : dtype == "bf16" ? QStringLiteral("bfloat16")
           : dtype == "fp16" ? QStringLiteral("float16")
           : dtype == "fp32" ? QStringLiteral("float32")
                             : text::fromCore(dtype);
}

void RecipeBar::addChoice(QMenu* menu, const QString& text, const QString& tip,
                          RecipeChange change) {
    QAction* action = menu->addAction(text);
    action->setToolTip(text::toolTip(tip));
    connect(action, &QAction::triggered, this,
            [this, change = std::move(change)] { Q_EMIT changed(change); });
}

RecipeBar::RecipeBar(QWidget* parent)
    : QWidget(parent), m_target(new Button(QString())), m_only(new Button(QString())),
      m_shards(new Button(QString())), m_output(new Button(tr("Output…"))),
      m_more(new Button(tr("More Options"))) {
    auto* layout = new FlowLayout(theme::kGrid, this);
    for (Button* button : {m_target, m_only, m_shards}) {
        auto* menu = new QMenu(button);
        menu->setToolTipsVisible(true);
        button->setMenu(menu);
        layout->addWidget(button);
    }
    layout->addWidget(m_output);
    m_target->setAccessibleName(tr("Output format"));
    m_only->setAccessibleName(tr("Tensors to write"));
    m_shards->setAccessibleName(tr("File size"));
    text::setToolTip(m_output, tr("Choose the output folder"));
    connect(m_output, &QPushButton::clicked, this, &RecipeBar::outputRequested);

    layout->addWidget(m_more);
    m_more->setCheckable(true);
    text::setToolTip(m_more, tr("Dtype, names, tensors, roles, ranks"));
    connect(m_more, &QPushButton::toggled, this, &RecipeBar::moreToggled);
    addTargets();
    addChoice(m_only->menu(), tr("Weights only"),
              tr("Parameters and buffers, as needed for inference"), [](Recipe& recipe) {
                  recipe.everything = false;
                  recipe.only.clear();
              });
    addChoice(m_only->menu(), tr("Everything"),
              tr("Includes optimizer and training state, to resume training"), [](Recipe& recipe) {
                  recipe.everything = true;
                  recipe.only.clear();
              });
    addSizes();
}

void RecipeBar::addTargets() {
    const auto target = [](Recipe::Target wanted) {
        return [wanted](Recipe& recipe) { recipe.target = wanted; };
    };
    QMenu* menu = m_target->menu();
    addChoice(menu, tr("Automatic"),
              tr("A Hugging Face folder if config.json is next to the run, otherwise one file"),
              target(Recipe::Target::Auto));
    addChoice(menu, tr("Hugging Face folder"),
              tr("Weights, config and tokenizer as expected by from_pretrained()"),
              target(Recipe::Target::HuggingFace));
    addChoice(menu, tr("safetensors"), tr("One .safetensors file, or several of a chosen size"),
              target(Recipe::Target::Safetensors));
    addChoice(menu, tr("torch .pt"), tr("One file for torch.load(weights_only=True)"),
              target(Recipe::Target::Torch));
    addChoice(menu, tr("DCP folder"),
              tr("For torch.distributed.checkpoint, resharded for another world size"),
              target(Recipe::Target::Dcp));
    addChoice(menu, tr("NumPy .npz"), tr("One archive of arrays for numpy.load()"),
              target(Recipe::Target::Npz));
}

void RecipeBar::addSizes() {
    const auto size = [](std::uint64_t bytes, bool perLayer) {
        return [bytes, perLayer](Recipe& recipe) {
            recipe.maxShardBytes = bytes;
            recipe.perLayer = perLayer;
            if (perLayer && recipe.target != Recipe::Target::Safetensors) {
                recipe.target = Recipe::Target::Safetensors;
            }
        };
    };
    addChoice(m_shards->menu(), tr("One file"), {}, size(0, false));
    for (const std::uint64_t gigabytes : {1, 2, 5, 10, 50}) {
        addChoice(m_shards->menu(), tr("≤ %1 GB per file").arg(gigabytes), {},
                  size(gigabytes * kGigabyte, false));
    }
    addChoice(m_shards->menu(), tr("One file per layer"),
              tr("As .safetensors; tensors outside any layer share one file"), size(0, true));
}

void RecipeBar::setMoreShown(bool shown) {
    m_more->setChecked(shown);
}

void RecipeBar::setRecipe(const Recipe& recipe, Recipe::Target found) {
    const Recipe::Target target = recipe.target == Recipe::Target::Auto ? found : recipe.target;
    m_target->setText(targetWords(target));
    m_only->setText(takenWords(recipe));
    m_shards->setText(sizeWords(recipe, target));
    m_shards->setEnabled(target == Recipe::Target::HuggingFace ||
                         target == Recipe::Target::Safetensors);
    for (Button* button : {m_target, m_only, m_shards}) {
        button->updateGeometry();
    }
}

} // namespace cairn::ui
