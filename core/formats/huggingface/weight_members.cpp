// SPDX-License-Identifier: Apache-2.0
#include "core/formats/huggingface/weight_members.h"

#include "core/formats/common/members/fetch_heads.h"
#include "core/formats/common/members/folder_notices.h"
#include "core/formats/common/text/json_values.h"
#include "core/formats/huggingface/index_check.h"
#include "core/formats/huggingface/weight_index.h"
#include "core/formats/huggingface/weight_names.h"
#include "core/model/names/shard_name.h"

#include <set>
#include <utility>

namespace cairn::formats::huggingface {
namespace {

constexpr std::uint64_t kMaxIndex = std::uint64_t{512} << 20U;

/// Without an index, only the file names show whether a shard is missing.
Result<void> addShardsWithoutIndex(MemberAdder& members, const std::vector<std::string>& files) {
    std::set<std::uint32_t> seen;
    std::optional<ShardName> like;
    for (const std::string& name : files) {
        like = splitShardName(name);
        if (like) {
            seen.insert(like->index);
        }
        CAIRN_CHECK(members.add(name));
    }
    const std::uint32_t first = seen.contains(0) ? 0 : 1; // some count from 0
    for (std::uint32_t i = first; like && i < first + like->count; ++i) {
        if (!seen.contains(i)) {
            members.addMissing(shardNameOf(*like, i));
        }
    }
    return {};
}

/// Shards are shown although their index is invalid.
Result<void> addWithBrokenIndex(MemberAdder& members, const std::string& indexName, Error error) {
    CAIRN_CHECK(members.takeFailure(indexName, std::move(error)));
    const std::size_t index = indexName.find(".index.");
    const std::string extension(extensionOf(std::string_view(indexName).substr(0, index)));
    std::vector<std::string> shards;
    for (const FolderEntry& entry : members.request().entries) {
        const auto parts = splitShardName(entry.name);
        if (parts && parts->suffix == extension) {
            shards.push_back(entry.name);
        }
    }
    return addShardsWithoutIndex(members, shards);
}

/// `tensors`: the shard's number of tensors according to the index.
Result<void> addShard(MemberAdder& members, const std::string& name, std::size_t tensors) {
    const Folder& folder = *members.request().folder;
    if (folder.hasFile(name)) {
        return members.add(name);
    }
    if (auto opened = folder.openFile(name);
        !opened && opened.error().code != ErrorCode::NotFound) {
        // A link to the outside, a pipe, no permission.
        return members.takeFailure(name, std::move(opened).error());
    }
    members.addMissing(name, tensors);
    return {};
}

Result<void> addIndexed(MemberAdder& members, const std::string& indexName) {
    CheckpointData& data = members.data();
    const auto source = members.request().folder->openFile(indexName);
    auto index = readJsonFile(source, kMaxIndex).and_then([&](const JsonValue& json) {
        return parseWeightIndex(json, indexName);
    });
    if (!index) {
        if (index.error().code == ErrorCode::OutsideFolder) {
            return std::move(index).error();
        }
        return addWithBrokenIndex(members, indexName, std::move(index).error());
    }
    members.addFile(indexName, source->get(), Role::Other);
    for (Notice& notice : index->notices) {
        markIncomplete(data, "The index contradicts itself");
        addNotice(data, notice.severity, std::move(notice.error));
    }
    std::vector<std::size_t> named(index->files.size());
    for (const auto& [tensor, place] : index->places) {
        ++named[place];
    }
    fetchHeads(*members.request().folder, index->files, members.request().cancel);
    std::vector<std::uint32_t> shardOf; // for each tensor, the position of its file in the index
    for (std::uint32_t i = 0; i < index->files.size(); ++i) {
        CAIRN_CHECK(addShard(members, index->files[i], named[i]));
        shardOf.resize(data.tensors.size(), i);
    }
    compareWithIndex(data, *index, indexName, std::move(shardOf));
    return {};
}

} // namespace

Result<void> addWeightSource(MemberAdder& members, const WeightSource& weights) {
    if (!weights.index.empty()) {
        return addIndexed(members, weights.index);
    }
    if (!weights.expectedIndex.empty()) {
        addNotice(members.data(), Severity::Error,
                  fail(ErrorCode::MissingIndex, "The index of these shards is missing")
                      .inFile(weights.expectedIndex)
                      .withHint("All existing shards were read"));
        return addShardsWithoutIndex(members, weights.files);
    }
    fetchHeads(*members.request().folder, weights.files, members.request().cancel);
    for (const std::string& name : weights.files) {
        CAIRN_CHECK(members.add(name));
    }
    return {};
}

} // namespace cairn::formats::huggingface
