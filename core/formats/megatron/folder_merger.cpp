// SPDX-License-Identifier: Apache-2.0
//
// From what each model parallel rank saved to the complete model.
//
// Every rank's file is a torch.save of its own part: `model` (or `model0`, `model1` … of virtual
// stages) with local shapes and layers that count from 0 on every stage, beside its own optimizer
// and generators. What is cut how is not in the files: `args` state how many ranks of each kind
// there are, the rest is known by the parameters' names (merge_rules.h). So first the places of all
// files are found, then the layers of all stages are counted, which gives each stage's first layer;
// then tensor parallel parts of one name become pieces of one tensor.
//
// What no rule knows is shown as it is, once for every rank, under "mp_rank_…."; so is everything
// that is not the model. Nothing is merged by guess.
#include "core/formats/megatron/folder_merger.h"

#include "core/formats/common/folder_notices.h"
#include "core/formats/megatron/cut_decision.h"
#include "core/formats/megatron/rank_folders.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace cairn::formats::megatron {
namespace {

constexpr auto kModelFiles =
    std::to_array<std::string_view>({"model_optim_rng.pt", "model_rng.pt", "model_weights.ckpt"});
constexpr std::string_view kNotInAll = "one that is missing on some tensor-parallel ranks";
constexpr auto kOtherFiles = std::to_array<std::string_view>({"distrib_optim.pt", "optim.pt"});

struct Place {
    std::uint32_t tp = 0;
    std::uint32_t pp = 0;
    std::uint32_t ep = 0;
    auto operator<=>(const Place&) const = default;
};

/// A rank's file.
struct RankFile {
    RankFolder folder;
    Member member;
    std::string stem; ///< of files that are not the model's: "distrib_optim"
};

/// A tensor of the complete model, and what it was merged from first.
struct Named {
    TensorIndex index;
    std::vector<Part> parts;
};

/// "model.x" -> 0, "x"; "model1.x" -> 1, "x"; nothing: not of the model.
std::optional<std::pair<std::uint32_t, std::string_view>> modelName(std::string_view name) {
    constexpr std::string_view kModel = "model";
    if (!name.starts_with(kModel)) {
        return std::nullopt;
    }
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos) {
        return std::nullopt;
    }
    std::uint32_t chunk = 0;
    const std::string_view digits = name.substr(kModel.size(), dot - kModel.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), chunk);
    const bool whole =
        digits.empty() || (error == std::errc() && end == digits.data() + digits.size());
    return whole ? std::optional(std::pair(chunk, name.substr(dot + 1))) : std::nullopt;
}

class FolderMerger {
public:
    explicit FolderMerger(const OpenRequest& request)
        : m_request(request), m_folders(rankFolders(request.entries)),
          m_decision(m_data, m_layout) {
        m_data.format = "megatron";
        m_data.framework = "megatron";
        m_data.path = request.path;
        m_data.completeness = Completeness::Complete;
    }

    Result<CheckpointPtr> read() {
        for (const RankFolder& folder : m_folders) {
            CAIRN_CHECK(openFolder(folder));
        }
        if (m_files.empty()) {
            return m_firstError ? std::move(*m_firstError)
                                : fail(ErrorCode::NotACheckpoint,
                                       "The rank folders do not contain any known file")
                                      .inFile(m_folders.front().name)
                                      .expecting(std::string(kModelFiles[0]));
        }
        m_single = m_folders.size() == 1;
        checkIterations();
        if (findLayout() && sortStages()) {
            mergeStages();
        }
        addOwn();
        if (m_data.completeness == Completeness::Complete) {
            addUncovered(m_data);
        }
        finish();
        return Checkpoint::make(std::move(m_data));
    }

private:
    Result<void> openFolder(const RankFolder& folder) {
        bool model = false;
        for (const std::string_view name : kModelFiles) {
            if (!model) {
                CAIRN_TRY(model, openFile(folder, name, ""));
            }
        }
        for (const std::string_view name : kOtherFiles) {
            CAIRN_CHECK(openFile(folder, name, name.substr(0, name.find('.'))));
        }
        if (!model) {
            addMissingFile(m_data, m_request.folder, fileOf(folder.name), Role::Weight,
                           "the folder of its rank exists");
        }
        return {};
    }

    /// Whether there is such a file, readable or not.
    Result<bool> openFile(const RankFolder& folder, std::string_view name, std::string_view stem) {
        const std::string path = folder.name + "/" + std::string(name);
        auto member =
            openMember(m_request, path, m_data, stem.empty() ? Role::Weight : Role::Optimizer);
        if (member) {
            m_files.push_back({folder, std::move(*member), std::string(stem)});
            return true;
        }
        if (member.error().code == ErrorCode::Cancelled) {
            return member.error();
        }
        if (member.error().code == ErrorCode::NotFound) {
            return false;
        }
        m_firstError = m_firstError ? m_firstError : std::optional(member.error());
        addDamage(m_data, std::move(member).error());
        return true;
    }

    /// The iteration that a rank's file was saved at.
    static std::optional<std::int64_t> iterationOf(const RankFile& file) {
        const Value* recorded = file.stem.empty() ? file.member.root.find("iteration") : nullptr;
        return recorded == nullptr || recorded->asInt() == nullptr
                   ? std::nullopt
                   : std::optional(*recorded->asInt());
    }

    /// All ranks save together, into the folder of that iteration.
    void checkIterations() {
        const auto named = iterationOfFolder(m_request.path.filename().string());
        std::optional<std::int64_t> first;
        for (const RankFile& file : m_files) {
            const auto own = iterationOf(file);
            if (own && first && *own != *first) {
                addDamage(m_data,
                          fail(ErrorCode::StaleShard, "The ranks' files are from different saves")
                              .inFile(file.member.name)
                              .inField("iteration")
                              .butFound(std::to_string(*own))
                              .expecting(std::to_string(*first) + " as in the first rank"));
            }
            first = first ? first : own;
        }
        m_data.step = first ? first : named && *named > 0 ? named : std::nullopt;
        if (first && named && *named > 0 && *named != *first) {
            addNotice(m_data, Severity::Warning,
                      fail(ErrorCode::StaleShard,
                           "The folder's name contains a different iteration than its files")
                          .inFile(m_files.front().member.name)
                          .inField("iteration")
                          .butFound(std::to_string(*first))
                          .expecting(std::to_string(*named)));
        }
    }

    static std::string fileOf(const std::string& folder) {
        return folder + "/" + std::string(kModelFiles[0]);
    }

    /// What args record, and which file is which rank. False: shown as the files are.
    bool findLayout() {
        const auto first =
            std::ranges::find_if(m_files, [](const RankFile& file) { return file.stem.empty(); });
        const auto layout = first == m_files.end() ? std::nullopt : readLayout(first->member.root);
        if (!layout) {
            if (!m_single) {
                note(fail(ErrorCode::ShardsNotJoined,
                          "How these ranks were partitioned is not recorded")
                         .expecting("args with tensor_model_parallel_size")
                         .withHint("The tensors are shown per rank, as stored"));
            }
            return false;
        }
        m_layout = *layout;
        if (const Value* args = first->member.root.find("args")) {
            const Value* world = args->find("world_size");
            m_data.worldSize = world != nullptr && world->asInt() != nullptr
                                   ? *world->asInt()
                                   : static_cast<std::int64_t>(m_layout.ranks());
        }
        for (std::size_t i = 0; i < m_files.size(); ++i) {
            if (!m_files[i].stem.empty()) {
                continue;
            }
            const auto place = placeOf(m_files[i].folder);
            const auto own = readLayout(m_files[i].member.root);
            const bool same = own && own->tensor == m_layout.tensor &&
                              own->pipeline == m_layout.pipeline && own->expert == m_layout.expert;
            if (!place || !same) {
                note(fail(ErrorCode::ShardsNotJoined, "The rank folders do not match args")
                         .inFile(m_files[i].folder.name)
                         .butFound(same ? "a folder of a rank out of range"
                                        : "args with a different layout")
                         .expecting(describeLayout())
                         .withHint("The tensors are shown per rank, as stored"));
                return false;
            }
            m_ranks.emplace(*place, i);
        }
        noteMissing();
        return true;
    }

    [[nodiscard]] std::string describeLayout() const {
        return std::to_string(m_layout.tensor) + " tensor, " + std::to_string(m_layout.pipeline) +
               " pipeline and " + std::to_string(m_layout.expert) + " expert parallel ranks";
    }

    [[nodiscard]] std::optional<Place> placeOf(const RankFolder& folder) const {
        Place place{folder.tp, 0, 0};
        std::size_t used = 0;
        const auto take = [&](std::uint32_t ranks, std::uint32_t& into) {
            if (ranks > 1 && used < folder.rest.size()) {
                into = folder.rest[used++];
                return into < ranks;
            }
            return ranks == 1;
        };
        const bool known = take(m_layout.pipeline, place.pp) && take(m_layout.expert, place.ep);
        const bool rest = std::all_of(folder.rest.begin() + static_cast<std::ptrdiff_t>(used),
                                      folder.rest.end(), [](std::uint32_t n) { return n == 0; });
        return known && rest && place.tp < m_layout.tensor ? std::optional(place) : std::nullopt;
    }

    void noteMissing() {
        std::size_t named = 0;
        for (std::uint32_t pp = 0; pp < m_layout.pipeline && named < kMostNamed; ++pp) {
            for (std::uint32_t ep = 0; ep < m_layout.expert && named < kMostNamed; ++ep) {
                for (std::uint32_t tp = 0; tp < m_layout.tensor && named < kMostNamed; ++tp) {
                    const std::string name =
                        rankFolderName(tp, m_layout.pipeline > 1 ? std::optional(pp) : std::nullopt,
                                       m_layout.expert > 1 ? std::optional(ep) : std::nullopt);
                    const bool listed =
                        std::ranges::find(m_folders, name, &RankFolder::name) != m_folders.end();
                    if (m_ranks.contains({tp, pp, ep}) || listed) {
                        continue;
                    }
                    addMissingFile(m_data, m_request.folder, fileOf(name), Role::Weight,
                                   "args specify " + describeLayout());
                    ++named;
                }
            }
        }
    }

    [[nodiscard]] const RankFile* fileAt(Place place) const {
        const auto found = m_ranks.find(place);
        return found == m_ranks.end() ? nullptr : &m_files[found->second];
    }

    /// Counts each stage's layers. False: they do not add up.
    bool sortStages() {
        std::map<std::string, std::vector<std::optional<std::uint64_t>>, std::less<>> stacks;
        for (std::uint32_t pp = 0; pp < m_layout.pipeline; ++pp) {
            const RankFile* file = fileOfStage(pp);
            std::map<std::pair<std::string, std::uint32_t>, std::set<std::uint64_t>> layers;
            for (const TensorEntry& tensor : file == nullptr ? kNone : file->member.tensors) {
                const auto model = modelName(tensor.name);
                const auto layer = model ? layerNumber(model->second) : std::nullopt;
                if (layer && model->first < m_layout.chunks) {
                    layers[{std::string(layer->before), model->first}].insert(layer->number);
                }
            }
            for (const auto& [key, numbers] : layers) {
                if (*numbers.rbegin() != numbers.size() - 1) {
                    return notStaged(key.first, "layers that are not numbered from 0");
                }
                auto& counts = stacks[key.first];
                counts.resize(static_cast<std::size_t>(m_layout.stages()), std::nullopt);
                counts[stageOf(pp, key.second)] = numbers.size();
            }
        }
        const auto isMain = [](const auto& stack) {
            return stack.first.find("mtp.") == std::string::npos;
        };
        const bool one = std::ranges::count_if(stacks, isMain) == 1;
        for (auto& stack : stacks) {
            for (std::uint32_t pp = 0; pp < m_layout.pipeline;
                 ++pp) { // a stage may have none of it
                for (std::uint32_t chunk = 0; chunk < m_layout.chunks && fileOfStage(pp) != nullptr;
                     ++chunk) {
                    auto& count = stack.second[stageOf(pp, chunk)];
                    count = count.value_or(0);
                }
            }
            auto first =
                firstLayers(stack.second, one && isMain(stack) ? m_layout.layers : std::nullopt);
            if (!first) {
                return notStaged(stack.first, "layer counts that do not add up");
            }
            m_firstLayers.emplace(stack.first, std::move(*first));
        }
        return true;
    }

    bool notStaged(const std::string& stack, const std::string& found) {
        note(
            fail(ErrorCode::ShardsNotJoined, "The pipeline stages cannot be merged")
                .inField(stack)
                .butFound(found)
                .expecting(m_layout.layers ? "num_layers: " + std::to_string(*m_layout.layers) : "")
                .withHint("The tensors are shown per rank, as stored"));
        return false;
    }

    [[nodiscard]] std::size_t stageOf(std::uint32_t pp, std::uint32_t chunk) const {
        return std::size_t{chunk} * m_layout.pipeline + pp;
    }

    /// Any of the stage's ranks: all of them have the same names.
    [[nodiscard]] const RankFile* fileOfStage(std::uint32_t pp) const {
        const auto found =
            std::ranges::find_if(m_ranks, [&](const auto& rank) { return rank.first.pp == pp; });
        return found == m_ranks.end() ? nullptr : &m_files[found->second];
    }

    void mergeStages() {
        for (std::uint32_t chunk = 0; chunk < m_layout.chunks; ++chunk) {
            for (std::uint32_t pp = 0; pp < m_layout.pipeline; ++pp) {
                for (std::uint32_t ep = 0; ep < m_layout.expert; ++ep) {
                    mergeStage(chunk, pp, ep);
                }
            }
        }
        if (m_unknown > 0) {
            const std::string others =
                m_unknown > 1 ? " and " + std::to_string(m_unknown - 1) + " more" : "";
            note(fail(ErrorCode::ShardsNotJoined,
                      "The ranks' tensors cannot be merged: " + m_firstUnknown + others)
                     .inTensor(m_firstUnknown)
                     .butFound(m_firstWhy)
                     .withHint("They are shown per rank, as stored"));
        }
    }

    /// All tensors of one stage (and expert rank): its tensor parallel ranks' files side by side.
    void mergeStage(std::uint32_t chunk, std::uint32_t pp, std::uint32_t ep) {
        std::vector<std::pair<std::uint32_t, RankFile*>> ranks;
        for (std::uint32_t tp = 0; tp < m_layout.tensor; ++tp) {
            const auto found = m_ranks.find({tp, pp, ep});
            if (found != m_ranks.end()) {
                ranks.emplace_back(tp, &m_files[found->second]);
            }
        }
        if (ranks.empty()) {
            return;
        }
        // By name: where each rank has it.
        std::vector<std::map<std::string_view, std::size_t>> positions(ranks.size());
        for (std::size_t r = 0; r < ranks.size(); ++r) {
            const auto& tensors = ranks[r].second->member.tensors;
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                positions[r].emplace(tensors[i].name, i);
            }
        }
        const auto& first = ranks.front().second->member.tensors;
        for (std::size_t i = 0; i < first.size(); ++i) {
            const auto model = modelName(first[i].name);
            if (!model || model->first != chunk) {
                continue;
            }
            std::vector<Part> parts;
            for (std::size_t r = 0; r < ranks.size(); ++r) {
                const auto at = positions[r].find(first[i].name);
                if (at != positions[r].end()) {
                    parts.push_back({ranks[r].first, &ranks[r].second->member, at->second});
                }
            }
            if (parts.size() < ranks.size()) {
                unknown(first[i].name, kNotInAll);
                continue;
            }
            const std::string second = secondOfMlp(first[i].name);
            const auto at = second.empty() ? positions[0].end() : positions[0].find(second);
            mergeTensor(globalName(model->second, stageOf(pp, chunk), ep), model->second, parts,
                        at == positions[0].end() ? nullptr : &first[at->second]);
        }
        for (std::size_t r = 1; r < ranks.size(); ++r) {
            for (const TensorEntry& tensor : ranks[r].second->member.tensors) {
                const auto model = modelName(tensor.name);
                if (model && model->first == chunk && !positions[0].contains(tensor.name)) {
                    unknown(tensor.name, kNotInAll);
                }
            }
        }
    }

    [[nodiscard]] std::string globalName(std::string_view local, std::size_t stage,
                                         std::uint32_t ep) const {
        std::string name(local);
        if (const auto layer = layerNumber(name)) {
            const auto first = m_firstLayers.find(layer->before);
            if (first != m_firstLayers.end()) {
                name = withNumber(name, *layer, layer->number + first->second[stage]);
            }
        }
        if (m_layout.expert > 1 && m_layout.experts) {
            if (const auto expert = expertNumber(name)) {
                const std::uint64_t each =
                    static_cast<std::uint64_t>(std::max<std::int64_t>(*m_layout.experts, 0)) /
                    m_layout.expert;
                name = withNumber(name, *expert, expert->number + each * ep);
            }
        }
        return name;
    }

    /// `second`: of an MLP's first, the weight that follows it.
    void mergeTensor(std::string name, std::string_view local, const std::vector<Part>& parts,
                     const TensorEntry* second) {
        const TensorEntry& first = parts.front().entry();
        if (const auto known = m_named.find(name); known != m_named.end()) {
            takeCopies(known->second, parts);
            return;
        }
        const bool experts = m_layout.expert > 1 &&
                             local.find(".experts.") != std::string_view::npos &&
                             (!expertNumber(local) || !m_layout.experts);
        const auto [cut, why] = m_decision.decide(local, parts, second);
        const auto whole =
            experts || !cut ? std::nullopt : fullShape(first.shape, *cut, m_layout.tensor);
        if (!whole || (m_layout.tensor > 1 && !agrees(local, *whole, m_layout))) {
            unknown(first.name, why);
            return;
        }
        TensorEntry merged = first;
        merged.name = "model." + name;
        merged.shape = *whole;
        merged.pieces.clear();
        merged.aliasOf.reset();
        for (const Part& part : parts) {
            auto pieces = movedPieces(part.entry(), *cut, part.tp, m_layout.tensor);
            if (!pieces) {
                unknown(first.name, {});
                return;
            }
            std::ranges::move(*pieces, std::back_inserter(merged.pieces));
            if (cut->kind == CutKind::Replicated) {
                break;
            }
        }
        if (first.aliasOf) {
            merged.aliasOf = parts.front().member->placed[first.aliasOf->position()];
        }
        const TensorIndex index(m_data.tensors.size());
        m_data.tensors.push_back(std::move(merged));
        m_named.emplace(name, Named{index, parts});
        m_modelValues.push_back({Value(std::move(name)), Value(index)});
        for (const Part& part : parts) {
            part.member->used[part.position] = true;
            part.member->placed[part.position] = index;
        }
    }

    /// Of another stage or expert rank, which hold the same.
    void takeCopies(const Named& known, const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            const auto same = std::ranges::find(known.parts, part.tp, &Part::tp);
            if (same != known.parts.end() && m_decision.differ(same->entry(), part.entry())) {
                unknown(part.entry().name, "different elements in another rank's copy");
                return;
            }
        }
        for (const Part& part : parts) {
            part.member->used[part.position] = true;
            part.member->placed[part.position] = known.index;
        }
    }

    /// States of fp8 and the like are each rank's own by nature.
    void unknown(const std::string& name, std::string_view why) {
        constexpr std::string_view kOwnState = "_extra_state";
        if (name.ends_with(kOwnState)) {
            return;
        }
        if (m_unknown++ == 0) {
            m_firstUnknown = name;
            m_firstWhy = why;
        }
    }

    /// What is not part of the complete model.
    void addOwn() {
        for (RankFile& file : m_files) {
            const std::string prefix = (m_single ? "" : file.folder.name + ".") +
                                       (file.stem.empty() ? "" : file.stem + ".");
            for (std::size_t i = 0; i < file.member.tensors.size(); ++i) {
                if (file.member.used[i]) {
                    continue;
                }
                TensorEntry entry = file.member.tensors[i];
                entry.name = prefix + entry.name;
                if (entry.aliasOf) {
                    entry.aliasOf = file.member.placed[entry.aliasOf->position()];
                }
                file.member.placed[i] = TensorIndex(m_data.tensors.size());
                m_data.tensors.push_back(std::move(entry));
            }
        }
    }

    /// True for keys of the file's dict under which the model is.
    static bool isModelKey(const Value& key) {
        const std::string* text = key.asString();
        return text != nullptr && modelName(*text + ".").has_value();
    }

    static bool hasTensors(const Value& value, std::set<const ValueNode*>& seen) {
        if (value.asTensor() != nullptr) {
            return true;
        }
        const ValueNode* node = value.asNode();
        return node != nullptr && seen.insert(node).second &&
               std::ranges::any_of(node->items, [&](const ValueItem& item) {
                   return hasTensors(item.value, seen);
               });
    }

    /// The first rank's values; of every rank what holds tensors of its own.
    void finish() {
        std::vector<ValueItem> root;
        std::vector<ValueItem> ranks;
        const bool merged = !m_modelValues.empty();
        bool first = true;
        for (const RankFile& file : m_files) {
            const Value values = movedTensors(file.member.root, file.member.placed);
            if (!file.stem.empty() || !values.isContainer()) {
                ranks.push_back({Value(file.folder.name + "." + file.stem), values});
                continue;
            }
            std::vector<ValueItem> own;
            for (const ValueItem& item : values.items()) {
                std::set<const ValueNode*> seen;
                const bool model = isModelKey(item.key);
                if (m_single && !(merged && model)) {
                    root.push_back(item);
                } else if (!m_single && !(merged && model) && hasTensors(item.value, seen)) {
                    own.push_back(item);
                } else if (first && !model) {
                    root.push_back(item);
                }
            }
            first = false;
            if (!own.empty()) {
                ranks.push_back({Value(file.folder.name), Value::dict(std::move(own))});
            }
        }
        if (merged) {
            root.push_back({Value("model"), Value::dict(std::move(m_modelValues))});
        }
        std::ranges::move(ranks, std::back_inserter(root));
        Value all = Value::dict(std::move(root));
        m_data.loadValues = [all = std::move(all)](const CancelToken&) -> Result<Value> {
            return all;
        };
    }

    /// What is not joined: of several ranks nothing is the model then.
    void note(Error error) {
        if (error.where.file.empty()) {
            error.where.file = m_folders.front().name;
        }
        addDamage(m_data, std::move(error));
    }

    static constexpr std::size_t kMostNamed = 100; ///< missing files
    static inline const std::vector<TensorEntry> kNone{};

    const OpenRequest& m_request;
    std::vector<RankFolder> m_folders;
    CheckpointData m_data;
    std::vector<RankFile> m_files;
    bool m_single = false; ///< one rank: nothing has to be distinguished
    std::optional<Error> m_firstError;
    Layout m_layout;
    CutDecision m_decision;
    std::map<Place, std::size_t> m_ranks; ///< into m_files
    std::map<std::string, std::vector<std::uint64_t>, std::less<>>
        m_firstLayers; ///< by stack, of each stage
    std::map<std::string, Named, std::less<>> m_named;
    std::vector<ValueItem> m_modelValues;
    std::size_t m_unknown = 0;
    std::string m_firstUnknown;
    std::string m_firstWhy;
};

} // namespace

Result<CheckpointPtr> mergeFolder(const OpenRequest& request) {
    return FolderMerger(request).read();
}

} // namespace cairn::formats::megatron
