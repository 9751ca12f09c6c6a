// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

#include <atomic>
#include <cstdint>
#include <memory>

namespace cairn::ui {

class Button;
class ByteProgress;
class TextLabel;

/// The cost of comparing the values: an offer to start, then progress and a stop button.
class ReadingBar : public QWidget {
    Q_OBJECT

public:
    using Counter = std::shared_ptr<std::atomic<std::uint64_t>>;

    explicit ReadingBar(QWidget* parent = nullptr);
    void offer(std::uint64_t bytes);    ///< nothing runs; 0: there is nothing to read
    Counter begin(std::uint64_t bytes); ///< the worker adds the bytes that it reads

Q_SIGNALS:
    void started(); ///< by the user
    void stopped();

private:
    void updateProgress();

    Counter m_done;
    std::uint64_t m_bytes = 0;
    QTimer m_tick;
    Button* m_button;
    ByteProgress* m_bar;
    TextLabel* m_text;
};

} // namespace cairn::ui
