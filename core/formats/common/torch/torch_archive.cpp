// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/torch/torch_archive.h"

#include "core/base/endian.h"
#include "core/codec/zip/zip_write.h"
#include "core/io/hash.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::formats {
namespace {

constexpr std::uint64_t kAlignment = 64; // torch.save's default
constexpr std::string_view kFolder = "archive/";

struct Records {
    std::vector<ZipMember> members;
    std::vector<std::vector<std::byte>> literals; ///< content of fixed members; empty for tensors
    std::vector<std::optional<std::size_t>> tensors; ///< the tensor in each member
};

void addLiteral(Records& records, std::string_view name, std::vector<std::byte> content) {
    records.members.push_back(
        {std::string(kFolder) + std::string(name), content.size(), crc32(0, content)});
    records.literals.push_back(std::move(content));
    records.tensors.emplace_back(std::nullopt);
}

std::vector<std::byte> bytesOf(std::string_view text) {
    const auto bytes = asBytes(text);
    return {bytes.begin(), bytes.end()};
}

Records recordsOf(std::span<const LayoutTensor> tensors, std::vector<std::byte> pickle) {
    Records records;
    addLiteral(records, "data.pkl", std::move(pickle));
    addLiteral(records, "byteorder", bytesOf("little"));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i].aliasOf.value_or(i) != i) {
            continue;
        }
        const LayoutTensor& tensor = tensors[i];
        const std::uint64_t size =
            dtypeBytes(tensor.dtype, elementCount(tensor.shape).value_or(0)).value_or(0);
        records.members.push_back({std::string(kFolder) + "data/" + std::to_string(i), size,
                                   size == 0 ? std::optional<std::uint32_t>(0) : std::nullopt});
        records.literals.emplace_back();
        records.tensors.emplace_back(i);
    }
    addLiteral(records, "version", bytesOf("3\n"));
    return records;
}

} // namespace

Result<OutputFile> layOutTorchArchive(std::span<const LayoutTensor> tensors,
                                      std::vector<std::byte> pickle, std::uint64_t atLeast) {
    Records records = recordsOf(tensors, std::move(pickle));
    CAIRN_TRY(ZipLayout zip, layOutStoredZip(records.members, kAlignment));
    if (zip.size < atLeast) {
        addLiteral(records, ".padding",
                   std::vector<std::byte>(static_cast<std::size_t>(atLeast - zip.size)));
        CAIRN_TRY(zip, layOutStoredZip(records.members, kAlignment));
    }
    OutputFile file;
    file.size = zip.size;
    for (std::size_t m = 0; m < zip.members.size(); ++m) {
        ZipMemberLayout& member = zip.members[m];
        const bool isTensor = records.tensors[m].has_value();
        if (isTensor && records.members[m].size > 0) {
            const LayoutTensor& tensor = tensors[*records.tensors[m]];
            const auto segment = static_cast<std::uint32_t>(file.tensors.size());
            file.checksums.push_back({member.headerOffset + member.headerCrcPosition, segment});
            file.checksums.push_back({zip.directoryOffset + member.directoryCrcPosition, segment});
            file.tensors.push_back({member.dataOffset, records.members[m].size, tensor.source,
                                    tensor.name, Box::whole(tensor.shape), tensor.dtype});
        }
        std::vector<std::byte> literal = std::move(member.header);
        literal.insert(literal.end(), records.literals[m].begin(), records.literals[m].end());
        file.addLiteral(member.headerOffset, std::move(literal));
    }
    file.addLiteral(zip.directoryOffset, std::move(zip.directory));
    return file;
}

} // namespace cairn::formats
