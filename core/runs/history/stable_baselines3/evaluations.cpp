// SPDX-License-Identifier: Apache-2.0
//
// stable_baselines3/common/callbacks.py, EvalCallback: numpy.savez of timesteps [n], results and
// ep_lengths [n, episodes], and successes [n, episodes] if the environment reports them. The
// archive is written again after each evaluation.
#include "core/base/endian.h"
#include "core/formats/format.h"
#include "core/model/element.h"
#include "core/model/tensor_reader.h"
#include "core/runs/history/common/series_table.h"
#include "core/runs/history/stable_baselines3/files.h"

#include <algorithm>
#include <array>

namespace cairn::history::stable_baselines3 {
namespace {

constexpr std::uint64_t kMaxArray = std::uint64_t{32} << 20U; ///< bytes
constexpr std::string_view kTimesteps = "timesteps";
constexpr std::string_view kResults = "results";

struct Means {
    std::string_view array;
    std::string_view metric; ///< of EvalCallback's logger
};
constexpr auto kMeans = std::to_array<Means>({{kResults, "eval/mean_reward"},
                                              {"ep_lengths", "eval/mean_ep_length"},
                                              {"successes", "eval/success_rate"}});

const TensorEntry* find(const Checkpoint& archive, std::string_view name) {
    const auto tensors = archive.tensors();
    const auto found = std::ranges::find(tensors, name, &TensorEntry::name);
    return found == tensors.end() ? nullptr : &*found;
}

struct Array {
    std::vector<double> values; ///< in C order
    std::size_t rows = 0;
};

Result<Array> readArray(const Checkpoint& archive, const TensorEntry& tensor) {
    if (!hasNumericElements(tensor.dtype) || tensor.shape.empty()) {
        return fail(ErrorCode::Unsupported, "The array does not contain rows of numbers")
            .inTensor(std::string(tensor.name));
    }
    CAIRN_TRY(const std::vector<std::byte> bytes, readComplete(archive, tensor, kMaxArray));
    Array array;
    array.rows = static_cast<std::size_t>(tensor.shape[0]);
    array.values.resize(static_cast<std::size_t>(tensor.elements()));
    elementsAsDoubles(tensor.dtype, bytes, array.values);
    return array;
}

/// As numpy.add.reduce adds a contiguous row (numpy/_core/src/umath/loops_utils.h.src,
/// pairwise_sum), so that the mean is the one that EvalCallback logs.
double pairwiseSum(std::span<const double> values) {
    constexpr std::size_t kBlock = 128;
    if (values.size() < 8) {
        double sum = values.empty() ? 0.0 : -0.0;
        for (const double value : values) {
            sum += value;
        }
        return sum;
    }
    if (values.size() > kBlock) {
        const std::size_t half = values.size() / 2 - values.size() / 2 % 8;
        return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
    }
    std::array<double, 8> sums{};
    for (std::size_t k = 0; k < 8; ++k) {
        sums[k] = values[k];
    }
    std::size_t i = 8;
    for (; i + 8 <= values.size(); i += 8) {
        for (std::size_t k = 0; k < 8; ++k) {
            sums[k] += values[i + k];
        }
    }
    double sum =
        ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < values.size(); ++i) {
        sum += values[i];
    }
    return sum;
}

} // namespace

bool isEvaluations(std::span<const std::byte> head) {
    const std::string_view text = asText(head);
    return text.starts_with("PK\x03\x04") && text.find("timesteps.npy") != std::string_view::npos;
}

Result<HistoryPart> readEvaluations(const HistoryCandidate& candidate, const CancelToken& cancel) {
    Probed probed;
    probed.format = findFormat("npz");
    probed.request.folder = candidate.folder;
    probed.request.name = candidate.name;
    probed.request.path = candidate.path;
    CAIRN_TRY(const CheckpointPtr archive, openCheckpoint(std::move(probed), cancel));
    const TensorEntry* timesteps = find(*archive, kTimesteps);
    if (timesteps == nullptr || find(*archive, kResults) == nullptr) {
        return fail(ErrorCode::NotACheckpoint, "Not the evaluations of Stable-Baselines3")
            .inFile(candidate.path.string())
            .expecting("arrays named timesteps and results");
    }
    CAIRN_TRY(const Array steps, readArray(*archive, *timesteps));
    SeriesTable table;
    HistoryPart part;
    for (const Means& means : kMeans) {
        const TensorEntry* tensor = find(*archive, means.array);
        if (tensor == nullptr) {
            continue;
        }
        CAIRN_CHECK(cancel.check());
        auto array = readArray(*archive, *tensor);
        if (!array || array->rows != steps.values.size() || array->rows == 0) {
            Error error = array ? fail(ErrorCode::HistoryConflict,
                                       "The arrays have different numbers of evaluations")
                                      .inTensor(std::string(means.array))
                                : std::move(array).error();
            part.warnings.push_back({Severity::Warning, std::move(error)});
            continue;
        }
        const std::size_t episodes = array->values.size() / array->rows;
        for (std::size_t row = 0; episodes > 0 && row < array->rows; ++row) {
            const auto values =
                std::span<const double>(array->values).subspan(row * episodes, episodes);
            table.add(means.metric, {steps.values[row]},
                      pairwiseSum(values) / static_cast<double>(episodes));
        }
    }
    part.series = table.take();
    part.bytes = candidate.size;
    return part;
}

} // namespace cairn::history::stable_baselines3
