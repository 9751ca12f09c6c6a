// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/second_saves.h"

#include "core/base/counted.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/huggingface/weight_index.h"
#include "core/formats/huggingface/weight_names.h"
#include "core/model/element.h"
#include "core/model/names/shard_name.h"
#include "core/model/tensor_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace cairn::formats::huggingface {
namespace {

constexpr std::uint64_t kExactBytes =
    std::uint64_t{4} << 20U; ///< size of a save up to which all elements are compared
constexpr std::size_t kSampledTensors = 48;
constexpr std::uint64_t kSampledElements = 2048; ///< of each tensor, from its middle
constexpr std::size_t kMaxFilesOfSave = 64;      ///< opened files per save
constexpr std::uint64_t kMaxLeftIndex = std::uint64_t{512} << 20U;
constexpr std::string_view kOrder = "transformers searches for model.safetensors, "
                                    "model.safetensors.index.json, pytorch_model.bin and "
                                    "pytorch_model.bin.index.json, in this order";

/// Elements [first, first + count) of a tensor in C order.
std::optional<std::vector<std::byte>> elementsOf(const Checkpoint& checkpoint,
                                                 const TensorEntry& tensor, std::uint64_t first,
                                                 std::uint64_t count) {
    const auto reader = TensorReader::open(checkpoint, tensor);
    if (!reader) {
        return std::nullopt;
    }
    const std::uint64_t width = dtypeInfo(tensor.dtype).bits / 8;
    std::vector<std::byte> bytes(static_cast<std::size_t>(count * width));
    TensorReader::Scratch scratch;
    const auto read = reader->readBytes(Box::whole(tensor.shape), first * width, bytes, scratch);
    return read ? std::optional(std::move(bytes)) : std::nullopt;
}

/// Whether the numbers are equal, up to the precision of the narrower dtype.
bool sameNumbers(Dtype left, std::span<const std::byte> leftBytes, Dtype right,
                 std::span<const std::byte> rightBytes, std::size_t count) {
    if (left == right) {
        return std::ranges::equal(leftBytes, rightBytes);
    }
    std::vector<double> a(count);
    std::vector<double> b(count);
    elementsAsDoubles(left, leftBytes, a);
    elementsAsDoubles(right, rightBytes, b);
    return std::ranges::equal(a, b, [](double x, double y) {
        const double scale = std::max(std::abs(x), std::abs(y));
        return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= scale / 64 + 1e-6;
    });
}

class Comparer {
public:
    explicit Comparer(std::span<const SelectedWeights> taken) {
        for (const SelectedWeights& weights : taken) {
            for (const TensorEntry& tensor : weights.checkpoint->tensors()) {
                m_names.emplace(tensor.name, Place{&weights, &tensor});
            }
        }
    }

    /// Adds the tensors of one file of the other save whose names also occur in the selected
    /// weights.
    void add(const CheckpointPtr& file) {
        for (const TensorEntry& tensor : file->tensors()) {
            if (const auto place = m_names.find(tensor.name); place != m_names.end()) {
                m_pairs.push_back({file.get(), &tensor, place->second});
                m_bytes += tensor.bytes();
            }
        }
        m_files.push_back(file);
    }

    [[nodiscard]] bool comparable() const { return !m_pairs.empty(); }

    /// The first difference; empty: none in the compared part.
    std::optional<Error> run(const CancelToken& cancel) {
        for (const Pair& pair : m_pairs) {
            if (pair.tensor->shape != pair.place.tensor->shape) {
                return differ(pair, sentence("shape %1", formatDims(pair.tensor->shape)),
                              sentence("shape %1", formatDims(pair.place.tensor->shape)));
            }
        }
        m_exact = m_bytes <= kExactBytes;
        const std::size_t count =
            m_exact ? m_pairs.size() : std::min(kSampledTensors, m_pairs.size());
        for (std::size_t i = 0; i < count && !cancel.cancelled(); ++i) {
            const Pair& pair = m_pairs[count < 2 ? 0 : i * (m_pairs.size() - 1) / (count - 1)];
            if (differs(pair, m_exact)) {
                return differ(pair, "different values",
                              sentence("those of %1", pair.place.weights->name));
            }
            ++m_compared;
        }
        return std::nullopt;
    }

    [[nodiscard]] Sentence compared() const {
        return sentence("%1%2", m_exact ? Sentence("every element of ") : "a sample of ",
                        counting(m_compared, "tensor"));
    }

private:
    struct Place {
        const SelectedWeights* weights = nullptr;
        const TensorEntry* tensor = nullptr;
    };
    struct Pair {
        const Checkpoint* file = nullptr;
        const TensorEntry* tensor = nullptr;
        Place place;
    };

    static Error differ(const Pair& pair, Sentence found, Sentence expected) {
        return fail(ErrorCode::ConflictingSaves,
                    "The folder also contains a save with different weights")
            .inTensor(pair.tensor->name)
            .butFound(std::move(found))
            .expecting(std::move(expected));
    }

    static bool differs(const Pair& pair, bool exact) {
        const TensorEntry& left = *pair.tensor;
        const TensorEntry& right = *pair.place.tensor;
        if (left.elements() == 0 || !hasNumericElements(left.dtype) ||
            !hasNumericElements(right.dtype)) {
            return false; // packed elements are not compared
        }
        const std::uint64_t all = left.elements();
        const std::uint64_t count = exact ? all : std::min(all, kSampledElements);
        const std::uint64_t first = (all - count) / 2;
        const auto a = elementsOf(*pair.file, left, first, count);
        const auto b = elementsOf(*pair.place.weights->checkpoint, right, first, count);
        return a && b &&
               !sameNumbers(left.dtype, *a, right.dtype, *b, static_cast<std::size_t>(count));
    }

    std::map<std::string_view, Place> m_names;
    std::vector<CheckpointPtr> m_files; ///< owners of the tensors in the pairs
    std::vector<Pair> m_pairs;
    std::uint64_t m_bytes = 0;
    std::size_t m_compared = 0;
    bool m_exact = true;
};

/// The files of each save: shards with the same base, count and extension belong together.
std::map<std::string, std::vector<std::string>> savesOf(std::span<const std::string> files) {
    std::map<std::string, std::vector<std::string>> saves;
    for (const std::string& name : files) {
        const auto shard = splitShardName(name);
        saves[shard ? std::string(shard->base) + "-of-" + std::to_string(shard->count) +
                          std::string(shard->suffix)
                    : name]
            .push_back(name);
    }
    return saves;
}

class SecondSaves {
public:
    SecondSaves(CheckpointData& data, const OpenRequest& request,
                std::span<const SelectedWeights> taken)
        : m_data(data), m_request(request), m_taken(taken) {}

    void note(const std::vector<std::string>& files) {
        Comparer comparer(m_taken);
        for (std::size_t i = 0; i < std::min(files.size(), kMaxFilesOfSave); ++i) {
            if (isPickledOrSafetensors(files[i])) {
                if (const auto opened = m_request.openNested(files[i])) {
                    comparer.add(*opened);
                }
            }
        }
        if (!comparer.comparable() && isLeftover(files)) {
            each(files, Severity::Warning,
                 fail(ErrorCode::StaleShard, "The shard is left over from another save")
                     .withHint(sentence("It is not read. %1", kOrder)));
            return;
        }
        if (!comparer.comparable()) {
            each(files, Severity::Info,
                 fail(ErrorCode::StrayFile,
                      "Weights that are not read: others in this folder have precedence"));
            return;
        }
        if (auto conflict = comparer.run(m_request.cancel)) {
            Error error = std::move(*conflict);
            error.hint = sentence("Move one of the saves away. %1", kOrder);
            each(files, Severity::Warning, std::move(error));
            return;
        }
        each(files, isLeftover(files) ? Severity::Warning : Severity::Info,
             fail(ErrorCode::SecondSave, "A second copy of the same weights, which is not read")
                 .butFound(sentence("no difference in %1", comparer.compared()))
                 .expecting(sentence("%1, which is read", m_taken.front().name))
                 .withHint(fixedText(kOrder)));
    }

private:
    static bool isPickledOrSafetensors(std::string_view name) {
        return !name.ends_with(".h5") && !name.ends_with(".msgpack");
    }

    /// Shards with the same extension as the selected ones: a different split from an earlier save.
    bool isLeftover(const std::vector<std::string>& files) const {
        const auto ending = [](const std::string& name) {
            return name.substr(name.rfind('.') + 1);
        };
        return splitShardName(files.front()) &&
               ending(files.front()) == ending(m_taken.front().name);
    }

    void each(const std::vector<std::string>& files, Severity severity, Error error) {
        for (const std::string& name : files) {
            addNotice(m_data, severity, Error(error).inFile(name));
        }
    }

    CheckpointData& m_data;
    const OpenRequest& m_request;
    std::span<const SelectedWeights> m_taken;
};

/// Reports an index that is not used and lists missing shards.
void noteStaleIndex(CheckpointData& data, const OpenRequest& request, const std::string& name) {
    const auto index =
        readJsonFile(request.folder->openFile(name), kMaxLeftIndex)
            .and_then([&](const JsonValue& json) { return parseWeightIndex(json, name); });
    if (!index) {
        return;
    }
    const auto lost = std::ranges::find_if(
        index->files, [&](const std::string& file) { return !request.folder->hasFile(file); });
    if (lost != index->files.end()) {
        addNotice(
            data, Severity::Warning,
            fail(ErrorCode::SecondSave, "An index that is not read names files that are missing")
                .inFile(name)
                .butFound(sentence("%1 is missing", *lost))
                .withHint(fixedText(kOrder)));
    }
}

} // namespace

void noteSecondSaves(CheckpointData& data, const OpenRequest& request,
                     std::span<const SelectedWeights> taken, std::span<const std::string> files) {
    SecondSaves saves(data, request, taken);
    for (const auto& [key, save] : savesOf(files)) {
        if (taken.empty()) {
            break; // nothing to compare with
        }
        saves.note(save);
    }
    const auto isRead = [&](const std::string& name) {
        return std::ranges::find(data.files, name, &CheckpointFile::path) != data.files.end();
    };
    for (const FolderEntry& entry : request.entries) {
        if (isIndexName(entry.name) && !isRead(entry.name) && !taken.empty()) {
            noteStaleIndex(data, request, entry.name);
        }
    }
}

void noteAdapter(CheckpointData& data, std::span<const std::string> files) {
    for (const std::string& name : files) {
        addNotice(
            data, Severity::Warning,
            fail(ErrorCode::SecondSave, "An adapter in the same folder as a model's weights")
                .inFile(name)
                .butFound("both are read, each under its own names")
                .withHint("With PEFT installed, transformers loads the base that "
                          "adapter_config.json names and adds the adapter to it; without, only "
                          "the model's weights"));
    }
}

} // namespace cairn::formats::huggingface
