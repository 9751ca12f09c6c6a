// SPDX-License-Identifier: Apache-2.0
#include "core/jobs/bundle/pipeline.h"

#include "core/base/absolute_path.h"
#include "core/base/counted.h"
#include "core/base/endian.h"
#include "core/base/other_machine.h"
#include "core/formats/format.h"
#include "core/io/folder.h"
#include "core/io/path_kind.h"
#include "core/jobs/bundle/diffusers.h"
#include "core/model/role_decision.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace cairn {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostInFolder = 10'000; ///< entries of one folder

/// Ends of the names of weights, which a job writes or which are those of other frameworks.
constexpr auto kWeightEndings =
    std::to_array<std::string_view>({".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".msgpack",
                                     ".h5", ".onnx", ".onnx_data", ".gguf", ".npz", ".index.json"});
/// Files beside the folders of components that belong to the pipeline.
constexpr auto kRootNames = std::to_array<std::string_view>({kPipelineIndex, "README.md"});
constexpr auto kRootStarts = std::to_array<std::string_view>({"LICENSE", "LICENCE", "NOTICE"});

bool isWeightFile(std::string_view name) {
    return std::ranges::any_of(kWeightEndings,
                               [&](std::string_view end) { return name.ends_with(end); });
}

bool isRootFile(std::string_view name) {
    return std::ranges::find(kRootNames, name) != kRootNames.end() || name.ends_with(".py") ||
           std::ranges::any_of(kRootStarts,
                               [&](std::string_view start) { return name.starts_with(start); });
}

FolderPtr opened(const fs::path& path) {
    const auto folder = path.empty() ? Result<FolderPtr>(FolderPtr()) : Folder::open(path);
    return folder ? *folder : nullptr;
}

fs::path folderOfSource(const Checkpoint& source) {
    const fs::path path = absolutePlace(source.path());
    return isFolderPath(path) ? path : fs::path();
}

/// "unet" of a tensor that is named by the folder of its file; empty: it is not.
std::string componentOf(const Checkpoint& source, const TensorEntry& tensor) {
    if (tensor.pieces.empty()) {
        return {};
    }
    const std::string& path = source.files()[tensor.pieces.front().file.position()].path;
    const std::size_t slash = path.find('/');
    std::string folder = slash == path.npos ? std::string() : path.substr(0, slash);
    return !folder.empty() && tensor.name.starts_with(folder + ".") ? folder : std::string();
}

/// The folders of all weights; empty if there is one outside of such folders.
std::set<std::string> weightFolders(const Checkpoint& source) {
    std::set<std::string> folders;
    for (const TensorEntry& tensor : source.tensors()) {
        if (!isModelRole(tensor.role)) {
            continue;
        }
        std::string folder = componentOf(source, tensor);
        if (folder.empty()) {
            return {};
        }
        folders.insert(std::move(folder));
    }
    return folders;
}

/// Names of folders in model_index.json.
std::set<std::string> listedFolders(std::span<const std::byte> index) {
    std::set<std::string> names;
    const auto json = nlohmann::json::parse(asText(index), nullptr, false);
    if (!json.is_object()) {
        return names;
    }
    for (const auto& [key, value] : json.items()) {
        if (value.is_array() && value.size() == 2 && value[1].is_string() &&
            key.find('/') == key.npos) {
            names.insert(key);
        }
    }
    return names;
}

class PipelineSearch {
public:
    PipelineSearch(FolderPtr own, FolderPtr like)
        : m_own(std::move(own)), m_like(std::move(like)) {}

    std::optional<PipelineOutput> run(const std::set<std::string>& weights) {
        const FolderPtr root = m_own->hasFile(kPipelineIndex) ? m_own : m_like;
        const bool hasIndex = root != nullptr && root->hasFile(kPipelineIndex);
        if (hasIndex) {
            addRoot(*root);
        }
        std::set<std::string> folders = weights;
        for (const Sidecar& file : m_made.files.files) {
            if (file.name == kPipelineIndex) {
                folders.merge(listedFolders(file.bytes));
            }
        }
        const bool alone = !hasIndex && weights.size() == 1;
        for (const std::string& name : folders) {
            addComponent(name, weights.contains(name), alone);
        }
        if (!hasIndex && !m_isOfDiffusers) {
            return std::nullopt; // folders of something else
        }
        if (!hasIndex && !alone) {
            m_made.files.problems.push_back(
                {ErrorCode::NotFound,
                 Severity::Error,
                 "The source has several components of a pipeline of diffusers, but no "
                 "model_index.json",
                 "Name the pipeline that was trained: --like FOLDER; or one component: --only "
                 "'unet.*'",
                 {}});
        }
        if (!m_made.files.files.empty()) {
            m_made.files.decisions.push_back(
                {DecisionId::FilesCopied,
                 sentence("%1 of the pipeline", counting(m_made.files.files.size(), "file")),
                 "Beside the weights; copied unchanged"});
        }
        return std::move(m_made);
    }

private:
    void addRoot(const Folder& folder) {
        const auto entries = folder.list(kMostInFolder);
        for (const FolderEntry& entry : entries ? *entries : std::vector<FolderEntry>()) {
            if (entry.kind != EntryKind::Folder && isRootFile(entry.name)) {
                add(folder, entry.name, entry.name);
            }
        }
    }

    void addComponent(const std::string& name, bool weights, bool alone) {
        const auto own = m_own->openFolder(name);
        const auto other = own || m_like == nullptr ? own : m_like->openFolder(name);
        const auto entries = entriesOf(other, kMostInFolder);
        if (!entries) {
            return; // the reader tells that it is missing
        }
        const std::string folder = alone ? std::string() : name;
        std::string stem = "model";
        bool described = false;
        for (const FolderEntry& entry : *entries) {
            if (entry.kind == EntryKind::Folder || isWeightFile(entry.name)) {
                continue;
            }
            const bool added =
                add(**other, entry.name, folder.empty() ? entry.name : folder + "/" + entry.name);
            if (added && entry.name == "config.json") {
                described = true;
                const bool ofDiffusers = !diffusersClass(m_made.files.files.back().bytes).empty();
                stem = ofDiffusers ? std::string(kDiffusersStem) : stem;
                m_isOfDiffusers = m_isOfDiffusers || ofDiffusers;
            }
        }
        if (!weights) {
            return;
        }
        m_made.components.push_back({name + ".", folder, stem});
        if (!described) {
            m_made.files.problems.push_back(
                {ErrorCode::NotFound,
                 Severity::Error,
                 sentence("A component has no config.json: %1", name),
                 "Name a pipeline with the component's config: --like FOLDER",
                 {}});
        }
    }

    bool add(const Folder& folder, const std::string& name, const std::string& output) {
        const std::string shown = (folder.path() / name).string();
        const auto source = folder.openFile(name);
        const std::uint64_t size = source ? (*source)->size() : 0;
        if (source && (size > kMaxSidecar || size > kMaxSidecars - m_bytes ||
                       m_made.files.files.size() >= kMostSidecars)) {
            note(ErrorCode::LimitExceeded, Severity::Warning, shown,
                 sentence("A file beside the weights is not copied, because it is too large or "
                          "there are too many: %1",
                          output),
                 "Copy it by hand if a loader needs it");
            return false;
        }
        auto bytes = source ? readRange(**source, {0, size})
                            : Result<std::vector<std::byte>>(source.error());
        if (!bytes) {
            note(bytes.error().code, Severity::Error, shown,
                 sentence("A file beside the weights cannot be read: %1", output),
                 "Make it readable, or name a folder that has it: --like FOLDER; --force continues "
                 "without it");
            return false;
        }
        m_bytes += size;
        m_made.files.files.push_back({output, shown, std::move(*bytes)});
        return true;
    }

    void note(ErrorCode code, Severity severity, const std::string& file, Sentence message,
              Sentence hint) {
        m_made.files.problems.push_back({code, severity, std::move(message), std::move(hint), {}});
        m_made.files.problems.back().where.file = file;
    }

    FolderPtr m_own;
    FolderPtr m_like; ///< may be null
    PipelineOutput m_made;
    std::uint64_t m_bytes = 0;
    bool m_isOfDiffusers = false;
};

/// A checkpoint without the tensors of some components.
CheckpointPtr withoutComponents(const Checkpoint& pipeline, const std::set<std::string>& left) {
    CheckpointData data = pipeline.data();
    std::map<TensorIndex, TensorIndex> places;
    std::vector<TensorEntry> kept;
    for (std::size_t i = 0; i < data.tensors.size(); ++i) {
        if (!left.contains(componentOf(pipeline, data.tensors[i]))) {
            places.emplace(TensorIndex(i), TensorIndex(kept.size()));
            kept.push_back(std::move(data.tensors[i]));
        }
    }
    for (TensorEntry& tensor : kept) {
        const auto place = tensor.aliasOf ? places.find(*tensor.aliasOf) : places.end();
        tensor.aliasOf = place == places.end() ? std::nullopt : std::optional(place->second);
    }
    data.tensors = std::move(kept);
    data.loadValues = {};
    return Checkpoint::make(std::move(data));
}

} // namespace

bool isPipelineFolder(const fs::path& folder) {
    const FolderPtr own = opened(folder);
    return own != nullptr && own->hasFile(kPipelineIndex);
}

Result<CheckpointPtr> withOtherComponents(const CheckpointPtr& source, const fs::path& like,
                                          const CancelToken& cancel) {
    const std::set<std::string> own = weightFolders(*source);
    if (own.empty() || like.empty() || !isPipelineFolder(like) ||
        isPipelineFolder(folderOfSource(*source))) {
        return source;
    }
    CAIRN_TRY(const CheckpointPtr pipeline, openCheckpoint(like, cancel));
    CheckpointData data = source->data();
    data.loadValues = [source](const CancelToken& token) {
        return source->valuesWithRecords(token);
    };
    append(data, *withoutComponents(*pipeline, own), "", "");
    return Checkpoint::make(std::move(data));
}

std::optional<PipelineOutput> findPipeline(const Checkpoint& source, const fs::path& like) {
    const FolderPtr own = opened(folderOfSource(source));
    const std::set<std::string> weights = weightFolders(source);
    if (own == nullptr || weights.empty()) {
        return std::nullopt;
    }
    const bool usesLike = !like.empty() && isPipelineFolder(like);
    return PipelineSearch(own, usesLike ? opened(like) : nullptr).run(weights);
}

} // namespace cairn
