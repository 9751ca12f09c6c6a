// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/button.h"

#include <string>

namespace cairn::ui {

/// Shows the compute device ("auto", "cpu", "cuda:0"); its menu changes it.
class DeviceButton : public Button {
    Q_OBJECT

public:
    explicit DeviceButton(const QString& toolTip, QWidget* parent = nullptr);
    const std::string& device() const { return m_device; }
    void setDevice(const std::string& device);

Q_SIGNALS:
    void chosenByUser(const std::string& device);

private:
    std::string m_device;
};

} // namespace cairn::ui
