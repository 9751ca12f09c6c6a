// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/layout.h"

#include "core/base/endian.h"
#include "core/codec/pickle/pickle_writer.h"
#include "core/codec/zip/zip_write.h"
#include "core/formats/torch/value_pickler.h"
#include "core/io/hash.h"

#include <utility>

namespace cairn::formats::torch {
namespace {

constexpr std::uint64_t kAlignment = 64; // torch.save's own default
constexpr std::string_view kFolder = "archive/";

std::string extension(const std::string& baseName) { return baseName + ".pt"; }

/// Position in the request of the tensor that holds the bytes.
std::size_t storageOf(std::span<const LayoutTensor> tensors, std::size_t i) {
    return tensors[i].aliasOf ? *tensors[i].aliasOf : i;
}

struct Records {
    std::vector<ZipMember> members;
    std::vector<std::vector<std::byte>> literals; ///< content of the members that are known; empty for tensors
    std::vector<std::optional<std::size_t>> tensors; ///< which tensor of the request a member holds
};

void addLiteral(Records& records, std::string_view name, std::vector<std::byte> content) {
    records.members.push_back({std::string(kFolder) + std::string(name), content.size(), crc32(0, content)});
    records.literals.push_back(std::move(content));
    records.tensors.emplace_back(std::nullopt);
}

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto bytes = asBytes(text);
    return {bytes.begin(), bytes.end()};
}

Records recordsOf(const LayoutRequest& request, std::vector<std::byte> pickle) {
    Records records;
    addLiteral(records, "data.pkl", std::move(pickle));
    addLiteral(records, "byteorder", bytesOf("little"));
    for (std::size_t i = 0; i < request.tensors.size(); ++i) {
        if (storageOf(request.tensors, i) != i) {
            continue;
        }
        const LayoutTensor& tensor = request.tensors[i];
        const std::uint64_t size = dtypeBytes(tensor.dtype, elementCount(tensor.shape).value_or(0)).value_or(0);
        records.members.push_back({std::string(kFolder) + "data/" + std::to_string(i), size,
                                   size == 0 ? std::optional<std::uint32_t>(0) : std::nullopt});
        records.literals.emplace_back();
        records.tensors.emplace_back(i);
    }
    addLiteral(records, "version", bytesOf("3\n"));
    return records;
}

OutputFile fileOf(const LayoutRequest& request, const Records& records, ZipLayout zip) {
    OutputFile file;
    file.name = extension(request.baseName);
    file.size = zip.size;
    for (std::size_t m = 0; m < zip.members.size(); ++m) {
        ZipMemberLayout& member = zip.members[m];
        const bool isTensor = records.tensors[m].has_value();
        if (isTensor && records.members[m].size > 0) {
            const LayoutTensor& tensor = request.tensors[*records.tensors[m]];
            const auto segment = static_cast<std::uint32_t>(file.tensors.size());
            file.checksums.push_back({member.headerOffset + member.headerCrcPosition, segment});
            file.checksums.push_back({zip.directoryOffset + member.directoryCrcPosition, segment});
            file.tensors.push_back({member.dataOffset, records.members[m].size, tensor.source, tensor.name,
                                    Box::whole(tensor.shape), tensor.dtype});
        }
        std::vector<std::byte> literal = std::move(member.header);
        literal.insert(literal.end(), records.literals[m].begin(), records.literals[m].end());
        file.literals.push_back({member.headerOffset, std::move(literal)});
    }
    file.literals.push_back({zip.directoryOffset, std::move(zip.directory)});
    return file;
}

} // namespace

Result<OutputLayout> layOut(const LayoutRequest& request) {
    ValuePickler pickler(request.tensors);
    CAIRN_TRY(std::vector<std::byte> pickle, pickler.write(request.values));
    const Records records = recordsOf(request, std::move(pickle));
    CAIRN_TRY(ZipLayout zip, layOutStoredZip(records.members, kAlignment));
    OutputLayout layout;
    layout.files.push_back(fileOf(request, records, std::move(zip)));
    return layout;
}

} // namespace cairn::formats::torch
