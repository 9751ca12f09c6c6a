// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/facts/checkpoint_facts.h"
#include "core/runs/rank/ranking.h"
#include "core/runs/scan/experiment_scan.h"
#include "ui/navigator/run_place.h"
#include "ui/text/plain_text.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace cairn::ui::test {

/// A writable folder of runs, optionally with a copy of the sample.
class RunFolder {
public:
    std::filesystem::path path() const { return m_folder.path().toStdString(); }
    std::filesystem::path sample() const {
        const std::filesystem::path copy = path() / "experiment";
        if (!std::filesystem::exists(copy)) {
            std::filesystem::copy(CAIRN_SAMPLE_FOLDER, copy,
                                  std::filesystem::copy_options::recursive);
        }
        return copy;
    }
    void write(const std::filesystem::path& below, const std::string& text,
               std::ios::openmode mode = std::ios::trunc) const {
        std::filesystem::create_directories((path() / below).parent_path());
        std::ofstream(path() / below, mode) << text;
    }
    /// A CSV log: one row for each step, with metrics that are functions of the step.
    void writeCsv(const std::filesystem::path& below, int rows, int metrics,
                  const std::function<std::string(int row, int metric)>& value) const {
        std::string text = "step";
        for (int metric = 0; metric < metrics; ++metric) {
            text += metrics == 1 ? ",loss" : ",metric_" + std::to_string(metric);
        }
        text += "\n";
        for (int row = 1; row <= rows; ++row) {
            text += std::to_string(row);
            for (int metric = 0; metric < metrics; ++metric) {
                text += "," + value(row, metric);
            }
            text += "\n";
        }
        write(below, text);
    }
    /// The run with this id as the scan finds it; without checkpoints if the scan lists none.
    static RunPlace place(const std::filesystem::path& experiment, const std::string& id) {
        RunPlace place{experiment / id, experiment, text::fromCore(id), {}};
        if (const auto scanned = scanExperiment(experiment)) {
            for (const ScannedRun& run : scanned->runs) {
                if (run.id == id) {
                    place.path = run.path;
                    place.run = run;
                    for (ScannedCheckpoint& checkpoint : place.run.checkpoints) {
                        if (const auto facts = examineCheckpoint(checkpoint.path)) {
                            applyFacts(checkpoint, *facts);
                        }
                    }
                    settleRun(place.run);
                }
            }
        }
        return place;
    }

private:
    QTemporaryDir m_folder;
};

inline std::string falls(int row, int) {
    return std::to_string(3.0 / (1.0 + row / 20.0));
}

} // namespace cairn::ui::test
