// SPDX-License-Identifier: Apache-2.0
#include "core/base/large_pages.h"
#include "core/jobs/prepare/prepare.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

/// Measures planning alone, without reading or writing: a checkpoint in memory with COUNT tensors
/// cut over RANKS ranks, planned into one file or for another number of ranks:
///   bench_plan [--tensors COUNT] [--from RANKS] [--to FORMAT] [--ranks RANKS]
namespace {

cairn::CheckpointPtr source(std::size_t tensors, std::uint32_t ranks) {
    cairn::CheckpointData data;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        cairn::CheckpointFile file;
        file.path = "shard" + std::to_string(r);
        file.identity.size = std::uint64_t{1} << 40U;
        data.addFile(std::move(file));
    }
    const std::int64_t rows = 2;
    const cairn::Shape shape{rows * ranks, 2};
    const std::uint64_t bytes = 4 * 2 * rows;
    for (std::size_t i = 0; i < tensors; ++i) {
        cairn::TensorEntry tensor;
        tensor.name = "model.layers." + std::to_string(i) + ".weight";
        tensor.shape = shape;
        tensor.role = cairn::Role::Weight;
        for (std::uint32_t r = 0; r < ranks; ++r) {
            cairn::Piece piece;
            piece.box = {{rows * r, 0}, {rows, 2}};
            piece.file = cairn::FileIndex(std::size_t{r});
            piece.bytes = {i * bytes, bytes};
            tensor.pieces.push_back(std::move(piece));
        }
        data.tensors.push_back(std::move(tensor));
    }
    return cairn::Checkpoint::make(std::move(data));
}

/// Processor time of all threads, in user and kernel mode.
double processorSeconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int count, char** arguments) {
    cairn::growHeapInLargePages(std::size_t{512} << 20U); // like the command line
    std::size_t tensors = 1'000'000;
    std::uint32_t from = 8;
    cairn::JobRequest options;
    options.output = "/nowhere/out";
    options.only.kind = cairn::Selection::Kind::All;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view option = arguments[i];
        const char* value = arguments[i + 1];
        if (option == "--tensors") {
            tensors = std::strtoull(value, nullptr, 10);
        } else if (option == "--from") {
            from = static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
        } else if (option == "--to") {
            options.to = value;
        } else if (option == "--ranks") {
            options.sharding.axes = {
                {static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10)), 0}};
        }
    }
    for (const std::size_t part : {tensors / 4, tensors / 2, tensors}) {
        const cairn::CheckpointPtr checkpoint = source(part, from);
        const auto start = std::chrono::steady_clock::now();
        const double before = processorSeconds();
        const auto plan = cairn::prepareJob(checkpoint, options);
        const double planned = since(start);
        const double worked = processorSeconds() - before;
        if (!plan || !plan->runnable()) {
            std::fprintf(stderr, "%s\n", plan ? "not runnable" : describe(plan.error()).c_str());
            return 1;
        }
        std::size_t segments = 0;
        for (const cairn::OutputFile& file : plan->layout.files) {
            segments += file.tensors.size();
        }
        std::printf("%s\n", nlohmann::ordered_json{{"tensors", part},
                                                   {"pieces", part * from},
                                                   {"segments", segments},
                                                   {"bytes", plan->forecast.bytes},
                                                   {"seconds", planned},
                                                   {"processor_seconds", worked}}
                                .dump()
                                .c_str());
    }
    return 0;
}
