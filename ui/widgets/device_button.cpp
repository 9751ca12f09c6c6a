// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/device_button.h"

#include "ui/text/plain_text.h"
#include "ui/widgets/shown_choice.h"

#include <QMenu>

namespace cairn::ui {
namespace {

QString words(const std::string& device) {
    return device == "auto"  ? DeviceButton::tr("Automatic")
           : device == "cpu" ? DeviceButton::tr("CPU")
                             : text::fromCore(device);
}

} // namespace

DeviceButton::DeviceButton(const QString& toolTip, QWidget* parent) : Button(QString(), parent) {
    auto* choices = new QMenu(this);
    for (const char* device : {"auto", "cpu", "cuda:0"}) {
        connect(choices->addAction(words(device)), &QAction::triggered, this, [this, device] {
            setDevice(device);
            Q_EMIT chosenByUser(m_device);
        });
    }
    setMenu(choices);
    markChoice(this);
    setAccessibleName(tr("Compute device"));
    text::setToolTip(this, toolTip);
    setDevice("auto");
}

void DeviceButton::setDevice(const std::string& device) {
    m_device = device;
    setText(words(device));
}

} // namespace cairn::ui
