// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/bridge/async_runner.h"
#include "ui/services.h"

#include <QDialog>

namespace cairn::ui {

/// A short description, versions of Cairn, Qt and the libtorch module, and the licence. The module
/// is queried on a worker, because loading it takes half a second.
class About : public QDialog {
    Q_OBJECT

public:
    About(const Services& services, QWidget* parent);

private:
    AsyncRunner m_torch;
};

} // namespace cairn::ui
