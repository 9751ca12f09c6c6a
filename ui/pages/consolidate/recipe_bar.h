// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/consolidate/recipe.h"

#include <QWidget>

#include <functional>

class QMenu;

namespace cairn::ui {

class Button;

/// A change of the recipe. Not the changed recipe, because another change may be pending.
using RecipeChange = std::function<void(Recipe&)>;

/// The choices in a row, each a menu button whose text is the current choice.
class RecipeBar : public QWidget {
    Q_OBJECT

public:
    explicit RecipeBar(QWidget* parent = nullptr);

    /// `found`: the target chosen for Auto, shown in place of "automatic".
    void setRecipe(const Recipe& recipe, Recipe::Target found);
    void setMoreShown(bool shown);

Q_SIGNALS:
    void changed(const cairn::ui::RecipeChange& change);
    void outputRequested();
    void moreToggled(bool shown);

private:
    void addChoice(QMenu* menu, const QString& text, const QString& tip, RecipeChange change);
    void addTargets();
    void addSizes();
    Button* m_target;
    Button* m_only;
    Button* m_shards;
    Button* m_output;
    Button* m_more;
};

/// "bfloat16", "as stored".
QString dtypeWords(const std::string& dtype);

} // namespace cairn::ui
