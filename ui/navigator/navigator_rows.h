// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/experiment.h"
#include "ui/navigator/navigator_model.h"

#include <memory>

namespace cairn::ui {

using ExperimentPtr = std::shared_ptr<const Experiment>;

/// The rows of one listing. Made on a worker, because there may be thousands; the model then
/// exchanges them for those that it has.
class NavigatorRows {
public:
    explicit NavigatorRows(ExperimentPtr listing);
    NavigatorRows(NavigatorRows&&) noexcept;
    NavigatorRows& operator=(NavigatorRows&&) noexcept;
    ~NavigatorRows();

private:
    friend class NavigatorModel;
    std::unique_ptr<NavigatorModel::Node> m_root;
};

} // namespace cairn::ui
