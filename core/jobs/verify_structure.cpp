// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/jobs/verify_pass.h"

#include <algorithm>
#include <set>
#include <string>

/// An output that holds every byte as planned is still wrong when the plan's header is. So the
/// format's reader, which knows nothing of plans, opens the staged files, and must find each tensor
/// at the bytes where the engine put it.
namespace cairn {
namespace {

Error wrong(const TensorSegment& segment, std::string message) {
    return fail(ErrorCode::VerifyMismatch, std::move(message)).inTensor(segment.name);
}

/// True if one of the tensor's pieces is exactly the segment's bytes of that file.
Result<bool> liesAt(const Checkpoint& output, const TensorEntry& entry,
                    const TensorSegment& segment, const FileIdentity& file) {
    for (const Piece& piece : entry.pieces) {
        CAIRN_TRY(const LocatedPiece located, output.locate(entry, piece));
        const bool dense =
            located.strides.empty() || located.strides == denseStrides(piece.box.extent);
        const bool plain = dense && !located.flags.any() && piece.box.extent == segment.box.extent;
        const FileIdentity identity = located.source->identity();
        const bool same = identity.inode == file.inode && identity.device == file.device;
        if (plain && same && located.bytes == ByteRange{segment.offset, segment.length}) {
            return true;
        }
    }
    return segment.length == 0;
}

Result<void> checkSegment(const CopyPlan& plan, const Checkpoint& output,
                          const TensorSegment& segment, const FileIdentity& file) {
    const auto index = output.find(segment.name);
    if (!index) {
        return wrong(segment, "The format's reader does not find this tensor in the output");
    }
    const TensorEntry& entry = output.tensor(*index);
    const bool whole = segment.box == Box::whole(plan.source->tensor(segment.source).shape);
    if (entry.dtype != segment.dtype || (whole && entry.shape != segment.box.extent)) {
        return wrong(segment, "The format's reader sees another dtype or shape")
            .butFound(std::string(dtypeName(entry.dtype)) + " " + formatDims(entry.shape))
            .expecting(std::string(dtypeName(segment.dtype)) + " " +
                       formatDims(segment.box.extent));
    }
    CAIRN_TRY(const bool there, liesAt(output, entry, segment, file));
    if (!there) {
        return wrong(segment,
                     "The format's reader sees this tensor at another place than it was written to")
            .expecting("offset " + std::to_string(segment.offset));
    }
    return {};
}

Result<void> checkExtras(const CopyPlan& plan, const Checkpoint& output) {
    std::set<std::string_view> planned;
    for (const OutputFile& file : plan.layout.files) {
        for (const TensorSegment& segment : file.tensors) {
            planned.insert(segment.name);
        }
    }
    for (const TensorEntry& entry : output.tensors()) {
        if (!planned.contains(entry.name) && !entry.aliasOf && entry.bytes() > 0) {
            return fail(ErrorCode::VerifyMismatch,
                        "The output holds a tensor that was not asked for")
                .inTensor(entry.name);
        }
    }
    return {};
}

} // namespace

Result<void> verifyStructure(const CopyPlan& plan, const std::filesystem::path& path,
                             JobContext& context) {
    const bool tensors = plan.outputTensors() > 0;
    if (findFormat(plan.format) == nullptr || !tensors) {
        return {};
    }
    CAIRN_TRY(const CheckpointPtr output, openCheckpoint(path, context.token()));
    CAIRN_TRY(const FolderPtr folder, Folder::open(plan.layout.folder ? path : path.parent_path()));
    for (const OutputFile& file : plan.layout.files) {
        CAIRN_TRY(const ByteSourcePtr source,
                  folder->openFile(plan.layout.folder ? file.name : path.filename().string()));
        for (const TensorSegment& segment : file.tensors) {
            CAIRN_CHECK(context.proceed());
            CAIRN_CHECK(checkSegment(plan, *output, segment, source->identity()));
        }
    }
    return checkExtras(plan, *output);
}

} // namespace cairn
