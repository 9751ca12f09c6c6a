// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/consolidate/recipe_bar.h"

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button.h"

#include <QHBoxLayout>
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
    case Recipe::Target::Auto:
    case Recipe::Target::Safetensors:
        break;
    }
    return RecipeBar::tr("safetensors");
}

} // namespace

template <class Change>
void RecipeBar::addChoice(QMenu* menu, const QString& text, const QString& tip, Change change) {
    QAction* action = menu->addAction(text);
    action->setToolTip(text::toolTip(tip));
    connect(action, &QAction::triggered, this, [this, change] {
        Recipe recipe = m_recipe;
        change(recipe);
        Q_EMIT recipeChosen(recipe);
    });
}

RecipeBar::RecipeBar(QWidget* parent)
    : QWidget(parent), m_target(new Button(QString())), m_only(new Button(QString())),
      m_shards(new Button(QString())), m_output(new Button(tr("Output…"))) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme::kGrid);
    for (Button* button : {m_target, m_only, m_shards}) {
        auto* menu = new QMenu(button);
        menu->setToolTipsVisible(true);
        button->setMenu(menu);
        layout->addWidget(button);
    }
    layout->addWidget(m_output);
    m_target->setAccessibleName(tr("What to write"));
    m_only->setAccessibleName(tr("Which tensors"));
    m_shards->setAccessibleName(tr("Size of the files"));
    text::setToolTip(m_output, tr("Choose the folder that it is written into"));
    connect(m_output, &QPushButton::clicked, this, &RecipeBar::outputRequested);

    const auto target = [](Recipe::Target wanted) {
        return [wanted](Recipe& recipe) { recipe.target = wanted; };
    };
    addChoice(m_target->menu(), tr("Automatic"),
              tr("A Hugging Face folder when config.json is beside the run, else one file"),
              target(Recipe::Target::Auto));
    addChoice(m_target->menu(), tr("Hugging Face folder"),
              tr("Weights, config and tokenizer as from_pretrained() wants them"),
              target(Recipe::Target::HuggingFace));
    addChoice(m_target->menu(), tr("safetensors"),
              tr("One .safetensors file, or several of a chosen size"),
              target(Recipe::Target::Safetensors));
    addChoice(m_target->menu(), tr("torch .pt"), tr("One file for torch.load(weights_only=True)"),
              target(Recipe::Target::Torch));
    addChoice(m_only->menu(), tr("Weights only"),
              tr("What inference needs: parameters and buffers"),
              [](Recipe& recipe) { recipe.everything = false; });
    addChoice(m_only->menu(), tr("Everything"),
              tr("Optimizer and training state too, to go on training"),
              [](Recipe& recipe) { recipe.everything = true; });
    addChoice(m_shards->menu(), tr("One file"), {},
              [](Recipe& recipe) { recipe.maxShardBytes = 0; });
    for (const std::uint64_t gigabytes : {1, 2, 5, 10}) {
        addChoice(m_shards->menu(), tr("≤ %1 GB a file").arg(gigabytes), {},
                  [gigabytes](Recipe& recipe) { recipe.maxShardBytes = gigabytes * kGigabyte; });
    }
}

void RecipeBar::setRecipe(const Recipe& recipe, Recipe::Target found) {
    m_recipe = recipe;
    const Recipe::Target target = recipe.target == Recipe::Target::Auto ? found : recipe.target;
    m_target->setText(targetWords(target));
    m_only->setText(recipe.everything ? tr("Everything") : tr("Weights only"));
    m_shards->setText(recipe.maxShardBytes == 0
                          ? tr("One file")
                          : tr("≤ %1 GB a file").arg(recipe.maxShardBytes / kGigabyte));
    m_shards->setEnabled(target != Recipe::Target::Torch);
    for (Button* button : {m_target, m_only, m_shards}) {
        button->updateGeometry();
    }
}

} // namespace cairn::ui
