// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/run_names.h"

#include "ui/text/plain_text.h"

#include <QCoreApplication>

namespace cairn::ui::words {
namespace {

struct RunNameWords {
    Q_DECLARE_TR_FUNCTIONS(cairn::ui::words)
};

} // namespace

QString runName(const Experiment& experiment, const ScannedRun& run) {
    const QString name = text::fromCore(run.name);
    const bool isOwn = run.id == "." && experiment.runs.size() > 1;
    return isOwn ? RunNameWords::tr("%1 (this folder)").arg(name) : name;
}

} // namespace cairn::ui::words
