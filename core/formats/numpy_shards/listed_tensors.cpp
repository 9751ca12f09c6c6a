// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/listed_tensors.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/formats/numpy_shards/tensor_join.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cairn::formats::numpy_shards {
namespace {

/// The array of a part: by its key, by the tensor's name with either separator, or the only one in
/// the file.
std::optional<std::size_t> arrayOf(const Member& member, const ManifestTensor& tensor,
                                   const ManifestPart& part) {
    std::string key = part.key.empty() ? tensor.name : part.key;
    if (key.ends_with(".npy") && !member.byName.contains(key)) {
        key.resize(key.size() - 4);
    }
    if (const auto found = member.byName.find(key); found != member.byName.end()) {
        return found->second;
    }
    for (const auto& [from, to] : {std::pair('.', '/'), std::pair('/', '.')}) {
        std::string other = key;
        std::ranges::replace(other, from, to);
        if (const auto found = member.byName.find(other); found != member.byName.end()) {
            return found->second;
        }
    }
    const bool only =
        member.arrays.size() == 1 && (part.key.empty() || member.chosen->name.ends_with(".npy"));
    return only && !part.file.empty() ? std::optional<std::size_t>(0) : std::nullopt;
}

} // namespace

void ListedTensors::join() {
    for (ManifestTensor& tensor : m_manifest.tensors) {
        joinOne(tensor);
    }
    if (m_manifest.axis) {
        joinByAxis();
    }
}

/// The rank in the manifest's list of files.
std::optional<std::int64_t> ListedTensors::rankOf(const std::string& file) {
    if (m_ranks.empty()) {
        for (const ManifestFile& row : m_manifest.files) {
            m_ranks.emplace(row.name, row.order);
        }
    }
    const auto row = m_ranks.find(file);
    return row == m_ranks.end() ? std::nullopt : row->second;
}

/// Joins every name that occurs in several files along the common axis.
void ListedTensors::joinByAxis() {
    std::vector<std::string> names;
    std::unordered_map<std::string, std::size_t> counts;
    for (const Member& member : m_files.all()) {
        for (std::size_t i = 0; i < member.arrays.size(); ++i) {
            const bool open = !member.used[i] && !member.arrays[i].shape.empty();
            if (open && ++counts[member.arrays[i].name] == 2) {
                names.push_back(member.arrays[i].name);
            }
        }
    }
    for (std::string& name : names) {
        ManifestTensor tensor;
        tensor.name = std::move(name);
        joinOne(tensor);
    }
}

void ListedTensors::findParts(ManifestTensor& tensor) {
    if (tensor.parts.empty()) { // a map of axes: all files contain parts, in their order
        for (const Member& member : m_files.all()) {
            if (member.byName.contains(tensor.name) || member.missing) {
                ManifestPart part;
                part.file = member.chosen->name;
                part.key = tensor.name;
                part.order = rankOf(part.file);
                tensor.parts.push_back(std::move(part));
            }
        }
    }
    if (!tensor.axis && !tensor.replicated && tensor.parts.size() > 1) {
        tensor.axis = m_manifest.axis;
    }
}

void ListedTensors::joinOne(ManifestTensor& tensor) {
    findParts(tensor);
    std::vector<FoundPart> parts;
    std::vector<std::pair<Member*, std::size_t>> taken;
    bool any = false;
    for (ManifestPart& listed : tensor.parts) {
        Member* member = m_files.named(listed.file);
        if (member == nullptr) {
            continue;
        }
        FoundPart part{listed, nullptr, member->file};
        if (const auto array = arrayOf(*member, tensor, listed)) {
            part.entry = &withManifestDtype(member->arrays[*array], tensor);
            taken.emplace_back(member, *array);
            any = true;
        } else if (!member->missing) {
            addNotice(m_data, Severity::Error,
                      fail(ErrorCode::BadIndex,
                           "The manifest names an array that the file does not contain")
                          .inFile(listed.file)
                          .inTensor(tensor.name));
            markIncomplete(m_data, sentence("An array is missing in its file: %1", tensor.name));
        }
        parts.push_back(std::move(part));
    }
    if (!any && !tensor.shape) {
        return; // listed only by name, and nothing of it exists
    }
    auto joined = joinParts(tensor, std::move(parts));
    if (!joined) {
        const bool damaged = joined.error().code == ErrorCode::BadIndex;
        addNotice(m_data, Severity::Error, std::move(joined).error().inFile(m_manifest.file));
        markIncomplete(
            m_data,
            damaged
                ? sentence("The manifest and the files contradict each other about %1", tensor.name)
                : sentence("It is uncertain how the parts are combined: %1", tensor.name));
        return; // its arrays are shown separately
    }
    for (const auto& [member, array] : taken) {
        member->used[array] = true;
        if (tensor.dtype) {
            m_typed.insert(member->arrays[array].name);
        }
    }
    checkVolume(m_data, *joined);
    m_data.tensors.push_back(std::move(*joined));
}

TensorEntry& ListedTensors::withManifestDtype(TensorEntry& entry, const ManifestTensor& tensor) {
    if (tensor.dtype && !readAs(entry, *tensor.dtype)) {
        addNotice(m_data, Severity::Warning,
                  fail(ErrorCode::BadIndex, "The manifest's dtype does not match the file")
                      .inFile(m_manifest.file)
                      .inTensor(tensor.name)
                      .butFound(verbatim(std::string(dtypeName(entry.dtype))))
                      .expecting(verbatim(std::string(dtypeName(*tensor.dtype)))));
    }
    return entry;
}

} // namespace cairn::formats::numpy_shards
