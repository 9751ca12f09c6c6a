// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/support/screenshots.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/widgets/button.h"
#include "ui/widgets/card.h"
#include "ui/widgets/message_strip.h"

#include <QAction>
#include <QLabel>
#include <QMenu>

#include <algorithm>

/// Helpers that operate the jobs page as a user does.
namespace cairn::ui::test {

inline bool showsText(const QWidget& parent, const QString& text) {
    const auto labels = parent.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
        return label->isVisibleTo(&parent) && label->text().contains(text);
    });
}

/// The text of a label that is clipped; empty if there is none.
inline QString clippedText(const QWidget& parent) {
    for (const TextLabel* label : parent.findChildren<TextLabel*>()) {
        if (label->isVisible() && label->wordWrap() &&
            label->height() < label->heightForWidth(label->width())) {
            return label->text();
        }
    }
    return {};
}

inline MessageStrip* findStrip(const QWidget& parent, const QString& text) {
    for (MessageStrip* strip : parent.findChildren<MessageStrip*>()) {
        if (!strip->isHidden() && strip->title().contains(text)) {
            return strip;
        }
    }
    return nullptr;
}

inline Button* button(const QWidget& parent, const QString& text) {
    for (Button* found : parent.findChildren<Button*>()) {
        if (!found->isHidden() && found->text() == text) {
            return found;
        }
    }
    return nullptr;
}

/// Clicks a button; waits for it if it was just created.
inline bool press(const QWidget& parent, const QString& text) {
    if (!waitUntil([&] { return button(parent, text) != nullptr; }, kTimeoutMs)) {
        return false;
    }
    button(parent, text)->click();
    return true;
}

/// Triggers the entry of the menu behind a button.
inline bool choose(Button* button, const QString& entry) {
    if (button == nullptr || button->menu() == nullptr) {
        return false;
    }
    for (QAction* action : button->menu()->actions()) {
        if (action->text() == entry) {
            action->trigger();
            return true;
        }
    }
    return false;
}

/// Saves pictures of the window, if $CAIRN_SCREENSHOTS names a folder.
inline void picture(QWidget& window, const QString& name, QSize size = {1440, 900}) {
    if (!screenshotFolder().isEmpty()) {
        window.resize(size);
        QTest::qWait(80);
        QVERIFY(saveScreenshots(window, name));
    }
}

} // namespace cairn::ui::test
