// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/numpy/npz_write.h"

#include "core/base/endian.h"
#include "core/codec/zip/zip_write.h"
#include "core/formats/common/numpy/numpy_dtype.h"
#include "core/io/hash.h"

#include <vector>

namespace cairn::formats {
namespace {

constexpr std::uint64_t kAlignment = 64; ///< numpy.save pads its headers to this

std::string shapeText(const Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i == 0 ? "" : " ") + std::to_string(shape[i]) +
                (i + 1 < shape.size() || i == 0 ? "," : "");
    }
    return text + ")";
}

std::uint64_t bytesOf(Dtype dtype, const Shape& shape) {
    return dtypeBytes(dtype, elementCount(shape).value_or(0)).value_or(0);
}

void append(std::vector<std::byte>& bytes, std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
}

} // namespace

std::string npyStart(std::string_view descr, const Shape& shape) {
    std::string header = "{'descr': '" + std::string(descr) +
                         "', 'fortran_order': False, 'shape': " + shapeText(shape) + ", }";
    constexpr std::size_t kPreamble = 10; // magic, version, header length
    header.append((kAlignment - (kPreamble + header.size() + 1) % kAlignment) % kAlignment, ' ');
    header += '\n'; // at most kMaxRank numbers: far below 65535, the limit of version 1.0
    std::string start("\x93NUMPY\x01\x00", 8);
    start.push_back(static_cast<char>(header.size() & 0xffU));
    start.push_back(static_cast<char>(header.size() >> 8U));
    return start + header;
}

Result<OutputLayout> layoutNpy(const LayoutRequest& request) {
    if (request.tensors.size() != 1) {
        return fail(ErrorCode::InvalidArgument, "A .npy file contains exactly one tensor")
            .butFound(sentence("%1 tensors", request.tensors.size()))
            .withHint("Select one tensor, or use .npz or .safetensors");
    }
    const LayoutTensor& tensor = request.tensors.front();
    const std::string type = numpyTypeString(tensor.dtype);
    if (type.empty()) {
        return fail(ErrorCode::DtypeNotRepresentable, "Not a NumPy element type")
            .inTensor(std::string(tensor.name))
            .butFound(verbatim(std::string(dtypeName(tensor.dtype))))
            .withHint("Use .safetensors");
    }
    const std::string start = npyStart(type, tensor.shape);
    const std::uint64_t length = bytesOf(tensor.dtype, tensor.shape);
    OutputFile file;
    file.name = request.baseName + ".npy";
    const auto header = asBytes(start);
    file.addLiteral(0, {header.begin(), header.end()});
    TensorSegment& segment = file.tensors.emplace_back();
    segment.offset = start.size();
    segment.length = length;
    segment.source = tensor.source;
    segment.name = tensor.name;
    segment.box = Box::whole(tensor.shape);
    segment.dtype = tensor.dtype;
    file.size = start.size() + length;
    OutputLayout layout;
    layout.files.push_back(std::move(file));
    return layout;
}

Result<OutputFile> layOutNpz(std::string name, std::span<const NpzArray> arrays) {
    std::vector<ZipMember> members;
    std::vector<std::string> starts;
    for (const NpzArray& array : arrays) {
        starts.push_back(npyStart(array.descr, array.box.extent));
        const std::uint64_t length = bytesOf(array.dtype, array.box.extent);
        ZipMember member;
        member.name = std::string(array.name) + ".npy";
        member.size = starts.back().size() + length;
        if (length == 0) {
            member.crc32 = crc32(0, asBytes(starts.back()));
        }
        members.push_back(std::move(member));
    }
    CAIRN_TRY(ZipLayout zip, layOutStoredZip(members, kAlignment));
    OutputFile file;
    file.name = std::move(name);
    file.size = zip.size;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const NpzArray& array = arrays[i];
        ZipMemberLayout& member = zip.members[i];
        const std::uint64_t length = members[i].size - starts[i].size();
        append(member.header, asBytes(starts[i]));
        file.addLiteral(member.headerOffset, std::move(member.header));
        if (length == 0) {
            continue;
        }
        const auto segment = static_cast<std::uint32_t>(file.tensors.size());
        file.checksums.push_back({member.headerOffset + member.headerCrcPosition, segment});
        file.checksums.push_back({zip.directoryOffset + member.directoryCrcPosition, segment});
        TensorSegment& elements = file.tensors.emplace_back();
        elements.offset = member.dataOffset + starts[i].size();
        elements.length = length;
        elements.source = array.source;
        elements.name = array.name;
        elements.box = array.box;
        elements.dtype = array.dtype;
        elements.crcStart = crc32(0, asBytes(starts[i]));
    }
    file.addLiteral(zip.directoryOffset, std::move(zip.directory));
    return file;
}

} // namespace cairn::formats
