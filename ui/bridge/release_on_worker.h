// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace cairn::ui {

/// Runs `work` on a pool thread, or at once where this is one or the application has ended. For
/// work without a result; see AsyncRunner for work with one. Any thread.
void runElsewhere(std::function<void()> work);

/// Destroys the value on a pool thread: freeing thousands of rows or paths takes milliseconds.
template <class T> void releaseOnWorker(T value) {
    auto held = std::make_shared<T>(std::move(value));
    runElsewhere([held = std::move(held)]() mutable { held.reset(); });
}

/// An immutable value that is destroyed on a pool thread, whoever lets go of it last.
template <class T> std::shared_ptr<const T> sharedForGui(T value) {
    return {new T(std::move(value)), [](const T* last) { runElsewhere([last] { delete last; }); }};
}

/// The same of a value that was made already.
template <class T> std::shared_ptr<const T> sharedForGui(std::shared_ptr<const T> value) {
    const T* const seen = value.get();
    return {seen,
            [value = std::move(value)](const T*) mutable { releaseOnWorker(std::move(value)); }};
}

} // namespace cairn::ui
