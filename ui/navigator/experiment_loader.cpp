// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigator/experiment_loader.h"

#include <utility>

namespace cairn::ui {

ExperimentLoader::ExperimentLoader(std::filesystem::path path, QObject* parent)
    : QObject(parent), m_path(std::move(path)) {}

void ExperimentLoader::load() {
    m_runner.start(
        [this, path = m_path](const CancelToken& cancel,
                              const AsyncRunner::Post& post) -> Result<void> {
            CAIRN_TRY(const Experiment experiment, scanExperiment(path, cancel));
            post([this, experiment] { Q_EMIT listed(experiment); });
            for (const ScannedRun& run : experiment.runs) {
                // The newest is what is looked at first.
                for (auto checkpoint = run.checkpoints.rbegin();
                     checkpoint != run.checkpoints.rend(); ++checkpoint) {
                    CAIRN_TRY(CheckpointFacts facts, examineCheckpoint(checkpoint->path, cancel));
                    post([this, where = checkpoint->path, facts = std::move(facts)] {
                        Q_EMIT examined(where, facts);
                    });
                }
            }
            return {};
        },
        [this](const Result<void>& done) {
            if (done) {
                Q_EMIT finished();
            } else {
                Q_EMIT failed(done.error());
            }
        });
}

} // namespace cairn::ui
