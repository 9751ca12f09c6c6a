// SPDX-License-Identifier: Apache-2.0
#include "core/formats/numpy_shards/leftover_arrays.h"

#include "core/formats/common/members/folder_notices.h"
#include "core/model/role_decision.h"

#include <set>
#include <unordered_map>
#include <utility>

namespace cairn::formats::numpy_shards {
namespace {

using NameCounts = std::unordered_map<std::string, std::size_t>;

/// Number of files with each name.
NameCounts countNames(MemberFiles& files) {
    NameCounts counts;
    for (const Member& member : files.all()) {
        for (std::size_t i = 0; i < member.arrays.size(); ++i) {
            if (!member.used[i]) {
                ++counts[member.chosen->prefix + member.arrays[i].name];
            }
        }
    }
    return counts;
}

/// Prefix that distinguishes arrays of the same name, with a dot.
std::string labelOf(const ChosenFile& file) {
    return file.label.empty() ? file.name.substr(0, file.name.size() - 4) + "." : file.label;
}

/// Numbered arrays whose names call them parts, or whose shapes differ only in one dimension.
/// Others are a list of tensors.
bool mayBeOne(const std::vector<std::pair<std::string, Shape>>& arrays) {
    if (arrays.size() < 2) {
        return false;
    }
    const Shape& first = arrays.front().second;
    std::set<std::size_t> differing;
    bool alike = !first.empty();
    for (const auto& [name, shape] : arrays) {
        const auto parts = splitNumberedName(name);
        if (parts && parts->sure) {
            return true;
        }
        alike = alike && shape.size() == first.size();
        for (std::size_t d = 0; alike && d < shape.size(); ++d) {
            if (shape[d] != first[d]) {
                differing.insert(d);
            }
        }
    }
    return alike && differing.size() < 2;
}

} // namespace

void addLeftoverArrays(CheckpointData& data, MemberFiles& files) {
    const NameCounts counts = countNames(files);
    std::string alike;
    std::size_t apart = 0;
    std::vector<std::pair<std::string, Shape>> loose; // numbered single arrays
    for (Member& member : files.all()) {
        for (std::size_t i = 0; i < member.arrays.size(); ++i) {
            if (member.used[i]) {
                continue;
            }
            TensorEntry& entry = member.arrays[i];
            std::string name = member.chosen->prefix + entry.name;
            if (counts.at(name) > 1) {
                if (!entry.shape.empty()) { // scalars such as a step or a loss are not cut
                    alike = alike.empty() ? name : alike;
                    ++apart;
                }
                name = member.chosen->prefix + labelOf(*member.chosen) + entry.name;
            }
            if (member.chosen->set != 0 && member.chosen->name.ends_with(".npy")) {
                loose.emplace_back(member.chosen->name, entry.shape);
            }
            entry.role = modelRole(name);
            entry.name = std::move(name);
            data.tensors.push_back(std::move(entry));
        }
    }
    if (apart > 0 || mayBeOne(loose)) {
        const std::string tensor = alike.empty() ? data.tensors.back().name : alike;
        markIncomplete(data,
                       sentence("How the shards' arrays are combined is not recorded: %1", tensor));
        addNotice(
            data, Severity::Error,
            fail(ErrorCode::ShardsNotJoined,
                 "The shards contain arrays that may be parts of one, but how to combine them "
                 "is not recorded; each is shown separately")
                .inFile(files.all().front().chosen->name)
                .inTensor(tensor)
                .withHint(sentence("A manifest.json beside them can specify it, such as "
                                   "{\"tensors\": {\"%1\": {\"axis\": 0}}}",
                                   tensor)));
    }
}

} // namespace cairn::formats::numpy_shards
