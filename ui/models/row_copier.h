// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/models/row_text.h"
#include "ui/models/row_view.h"

#include <QTimer>

#include <functional>
#include <vector>

class QHBoxLayout;

namespace cairn::ui {

class Button;
class Card;
class TextLabel;

/// Copies rows of a view: a few at once, more in a worker while a bar over the view's lower edge
/// shows how far it is and stops it; for very many it asks first and offers a file instead. Owned
/// by the view. GUI thread only.
class RowCopier : public QObject {
    Q_OBJECT

public:
    static constexpr std::uint64_t kAtOnce = 500;  ///< rows that are copied on the GUI thread
    static constexpr std::uint64_t kAsk = 200'000; ///< from here on a file is offered

    explicit RowCopier(RowView& view);

    void setSource(std::function<RowView::ModelMaker()> source);
    /// True: the clipboard has the rows.
    bool copy(bool namesOnly);
    /// The view has another size.
    void place();

private:
    struct Choice {
        QString label;
        std::function<void()> run;
    };

    /// The rows as they were when they were asked for, whatever is shown meanwhile.
    struct Task {
        RowTextRequest request;
        RowView::ModelMaker make;
    };

    RowTextRequest request(bool namesOnly) const;
    void ask(const Task& task);
    void begin(Task task);
    void chooseFile(const Task& task);
    void save(Task task, const QString& path);
    void watch(RowTextRequest& request, const QString& words);
    void finish(const QString& words);
    void fail(const Error& error);
    void show(const QString& words, std::vector<Choice> choices);
    void hide();

    RowView& m_view;
    std::function<RowView::ModelMaker()> m_source;
    AsyncRunner m_worker;
    QTimer m_progress;
    QTimer m_closing;
    Card* m_bar = nullptr; ///< made when it is first needed
    TextLabel* m_words = nullptr;
    QHBoxLayout* m_row = nullptr;
    std::vector<Button*> m_buttons;
};

} // namespace cairn::ui
