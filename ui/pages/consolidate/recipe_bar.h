// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/recipe.h"

#include <QWidget>

class QMenu;

namespace cairn::ui {

class Button;

/// The choices in a row, each a button with a menu that says what is chosen now.
class RecipeBar : public QWidget {
    Q_OBJECT

public:
    explicit RecipeBar(QWidget* parent = nullptr);

    /// `found` is what Auto came to; shown in place of "automatic".
    void setRecipe(const Recipe& recipe, Recipe::Target found);

Q_SIGNALS:
    void recipeChosen(const cairn::ui::Recipe& recipe);
    void outputRequested();

private:
    template <class Change>
    void addChoice(QMenu* menu, const QString& text, const QString& tip, Change change);
    Recipe m_recipe;
    Button* m_target;
    Button* m_only;
    Button* m_shards;
    Button* m_output;
};

} // namespace cairn::ui
