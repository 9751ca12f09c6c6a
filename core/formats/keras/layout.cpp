// SPDX-License-Identifier: Apache-2.0
#include "core/formats/keras/layout.h"

#include "core/base/checked.h"
#include "core/base/name_set.h"
#include "core/codec/hdf5/file_layout.h"
#include "core/model/checkpoint.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace cairn::formats::keras {
namespace {

/// The types of datasets that Keras reads back as they were.
constexpr auto kWritten = std::to_array<Dtype>(
    {Dtype::Float64, Dtype::Float32, Dtype::Float16, Dtype::Bfloat16, Dtype::Int8, Dtype::Uint8,
     Dtype::Int16, Dtype::Uint16, Dtype::Int32, Dtype::Uint32, Dtype::Int64, Dtype::Uint64,
     Dtype::Bool, Dtype::Complex64, Dtype::Complex128});

/// "vars/0", "layers/dense/vars/0", "layers/tf_idf/vars/idf_weights": components without dots, the
/// one before the last is "vars".
bool isKerasName(std::string_view name) {
    const std::size_t last = name.rfind('/');
    if (last == std::string_view::npos || last + 1 == name.size() ||
        name.find('\0') != std::string_view::npos || name.front() == '/') {
        return false;
    }
    const std::string_view group = name.substr(0, last);
    const std::string whole = "/" + std::string(name) + "/";
    return (group == "vars" || group.ends_with("/vars")) && whole.find("//") == std::string::npos &&
           whole.find("/./") == std::string::npos && whole.find("/../") == std::string::npos;
}

Result<hdf5::NewDataset> datasetOf(const LayoutTensor& tensor) {
    if (!isKerasName(tensor.name)) {
        return fail(ErrorCode::NameNotRepresentable, "Keras has no variable of this name")
            .inTensor(std::string(tensor.name))
            .expecting("a place in its tree, such as layers/dense/vars/0")
            .withHint("Map the names with --rename, in the order in which the layers have their "
                      "variables; a .keras or .weights.h5 file of the same model shows them");
    }
    if (std::ranges::find(kWritten, tensor.dtype) == kWritten.end()) {
        return fail(ErrorCode::DtypeNotRepresentable, "Keras cannot store this tensor's dtype")
            .inTensor(std::string(tensor.name))
            .butFound(sentence("%1 of shape %2", dtypeName(tensor.dtype), formatDims(tensor.shape)))
            .withHint("Cast it with --dtype, or write a different format");
    }
    const auto count = elementCount(tensor.shape);
    const auto bytes = count ? dtypeBytes(tensor.dtype, *count) : std::nullopt;
    if (!bytes) {
        return fail(ErrorCode::LimitExceeded, "This tensor is too large")
            .inTensor(std::string(tensor.name));
    }
    hdf5::NewDataset dataset{std::string(tensor.name), dtypeName(tensor.dtype), {}, *bytes};
    for (const std::int64_t extent : tensor.shape) {
        dataset.shape.push_back(static_cast<std::uint64_t>(extent));
    }
    return dataset;
}

/// The names of layers, which Keras records at the places of their variables; none if the places
/// are not the source's.
std::vector<hdf5::NewGroupName> namesFor(const LayoutRequest& request) {
    std::vector<hdf5::NewGroupName> found;
    const auto isMoved = [&](const LayoutTensor& tensor) {
        return request.source->tensor(tensor.source).name != tensor.name;
    };
    if (request.source == nullptr || std::ranges::any_of(request.tensors, isMoved)) {
        return found;
    }
    std::set<std::string_view> written;
    for (const LayoutTensor& tensor : request.tensors) {
        written.insert(tensor.name);
    }
    const auto hasTensor = [&](const std::string& place) {
        const auto inside = written.lower_bound(place + "/");
        return place.empty() || (inside != written.end() && inside->starts_with(place + "/"));
    };
    const auto values = request.source->values();
    const Value* names = values ? values->findPath({"object_graph", "names"}) : nullptr;
    for (const ValueItem& item : names == nullptr ? std::vector<ValueItem>() : names->items()) {
        const std::string place = keyText(item.key);
        const std::string* name = item.value.asString();
        const std::string path = place.empty() ? "vars/0" : place + "/vars/0";
        if (name != nullptr && name->find('\0') == std::string::npos && isKerasName(path) &&
            hasTensor(place)) {
            found.push_back({path.substr(0, path.size() - 2), *name});
        }
    }
    return found;
}

/// A dataset is no group: none may be inside another.
Result<void> checkGroups(const std::vector<hdf5::NewDataset>& datasets) {
    std::set<std::string_view> names;
    for (const hdf5::NewDataset& dataset : datasets) {
        names.insert(dataset.path);
    }
    for (const std::string_view name : names) {
        const auto inside = names.lower_bound(std::string(name) + "/");
        if (inside != names.end() && inside->starts_with(std::string(name) + "/")) {
            return fail(ErrorCode::NameNotRepresentable,
                        "This tensor's name is a place inside a different tensor, which cannot "
                        "contain it")
                .inTensor(std::string(*inside))
                .butFound(verbatim(std::string(name)))
                .withHint("Rename one of them");
        }
    }
    return {};
}

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    if (request.maxShardBytes != 0) {
        return fail(ErrorCode::InvalidArgument, "A .weights.h5 file is a single file")
            .withHint("Leave out --max-shard-size");
    }
    std::vector<hdf5::NewDataset> datasets;
    NameSet seen(request.tensors.size());
    for (const LayoutTensor& tensor : request.tensors) {
        CAIRN_TRY(hdf5::NewDataset dataset, datasetOf(tensor));
        if (!seen.insert(tensor.name)) {
            return fail(ErrorCode::NameNotRepresentable, "Two tensors have the same name")
                .inTensor(std::string(tensor.name))
                .withHint("Rename one of them");
        }
        datasets.push_back(std::move(dataset));
    }
    CAIRN_CHECK(checkGroups(datasets));
    CAIRN_TRY(hdf5::FileLayout placed, hdf5::layOutFile(datasets, namesFor(request)));
    OutputFile file;
    file.name = request.baseName + ".weights.h5";
    file.size = placed.size;
    for (auto& [offset, bytes] : placed.literals) {
        file.addLiteral(offset, std::move(bytes));
    }
    std::vector<std::size_t> order(datasets.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return datasets[i].bytes == 0 ? 0 : placed.offsets[i]; });
    for (const std::size_t i : order) {
        const LayoutTensor& tensor = request.tensors[i];
        file.tensors.push_back({datasets[i].bytes == 0 ? 0 : placed.offsets[i], datasets[i].bytes,
                                tensor.source, tensor.name, Box::whole(tensor.shape),
                                tensor.dtype});
    }
    OutputLayout layout;
    layout.files.push_back(std::move(file));
    return layout;
}

} // namespace cairn::formats::keras
