// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/navigator/navigator_rows.h"

#include <memory>
#include <utility>

namespace cairn::ui::test {

inline NavigatorRows rowsOf(Experiment experiment) {
    return NavigatorRows(std::make_shared<const Experiment>(std::move(experiment)));
}

} // namespace cairn::ui::test
