// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cairn::ui {

/// The rows of the Runs page as shown: filtered, grouped, sorted, as text. Made by a worker, never
/// changed afterwards.
struct RunRows {
    struct Column {
        std::string key; ///< see run_columns.h
        QString title;
        QString tip;
        QString widest = {};   ///< the longest text of its cells
        bool right = false;    ///< numbers
        bool optional = false; ///< left out where there is no room: nobody asked for it
        bool curve = false;    ///< a picture of the main curve, see Row::outline
    };
    struct Cell {
        QString text;
        QString tip = {};
        QString plain = {}; ///< the text with numbers as programs write them; empty: the same
        bool good = false;  ///< the best value of the column
        bool dim = false;
    };
    struct Row {
        QString key; ///< survives another order, filter and listing
        QString name;
        std::vector<std::size_t> runs; ///< indices into Experiment::runs; several: a group
        std::vector<std::filesystem::path> paths; ///< of these
        std::vector<Cell> cells;                  ///< parallel to the columns
        std::vector<float> outline;
    };
    std::vector<Column> columns; ///< the first one is the name
    std::vector<Row> rows;
    std::string sortKey; ///< the column by which they are sorted; empty: as the experiment is
    bool descending = false;
    bool grouped = false;
    std::size_t matching = 0; ///< runs that the filter leaves
    std::size_t all = 0;      ///< runs
};

using RunRowsPtr = std::shared_ptr<const RunRows>;

} // namespace cairn::ui
