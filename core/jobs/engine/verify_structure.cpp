// SPDX-License-Identifier: Apache-2.0
#include "core/formats/format.h"
#include "core/jobs/engine/verify_pass.h"
#include "core/model/coverage.h"
#include "core/model/string_elements.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

/// An output with every byte as planned is still wrong if the planned header is wrong. Therefore
/// the format's reader, which is independent of plans, opens the staged files, and must find each
/// tensor at the bytes where the engine wrote it.
namespace cairn {
namespace {

Error wrong(const TensorSegment& segment, Sentence message) {
    return fail(ErrorCode::VerifyMismatch, std::move(message)).inTensor(std::string(segment.name));
}

/// A segment and its staged file.
struct Placed {
    const TensorSegment* segment = nullptr;
    const FileIdentity* file = nullptr;
};

bool boxLess(const Box& a, const Box& b) {
    const auto less = [](const Dims& left, const Dims& right) {
        return std::ranges::lexicographical_compare(left.span(), right.span());
    };
    return a.origin == b.origin ? less(a.extent, b.extent) : less(a.origin, b.origin);
}

/// One tensor as read by the format's reader, with its pieces ordered by their boxes.
class FoundTensor {
public:
    FoundTensor(const Checkpoint& output, const TensorEntry& entry)
        : m_output(output), m_entry(entry) {
        for (const Piece& piece : entry.pieces) {
            m_pieces.push_back(&piece);
        }
        std::ranges::sort(m_pieces, boxLess,
                          [](const Piece* piece) -> const Box& { return piece->box; });
    }

    /// True if a piece with exactly this box consists of the segment's bytes in that file.
    [[nodiscard]] Result<bool> isLocatedAt(const Box& box, const Placed& placed) const {
        const ByteRange bytes{placed.segment->offset, placed.segment->length};
        auto at = std::ranges::lower_bound(
            m_pieces, box, boxLess, [](const Piece* piece) -> const Box& { return piece->box; });
        for (; at != m_pieces.end() && (*at)->box == box; ++at) {
            CAIRN_TRY(const LocatedPiece located, m_output.locate(m_entry, **at));
            const bool dense =
                located.strides.empty() || located.strides == denseStrides(box.extent);
            const FileIdentity identity = located.source->identity();
            const bool same =
                identity.inode == placed.file->inode && identity.device == placed.file->device;
            if (dense && !located.flags.any() && same && located.bytes == bytes) {
                return true;
            }
        }
        return bytes.length == 0;
    }

private:
    const Checkpoint& m_output;
    const TensorEntry& m_entry;
    std::vector<const Piece*> m_pieces;
};

/// All segments of one tensor of the output.
Result<void> checkTensor(const CopyPlan& plan, const Checkpoint& output, const TensorEntry& entry,
                         std::span<const Placed> segments, JobContext& context) {
    const FoundTensor found(output, entry);
    for (const Placed& placed : segments) {
        CAIRN_CHECK(context.proceed());
        const TensorSegment& segment = *placed.segment;
        // A chunk keeps its position; a part of a tensor that is written alone is a separate
        // tensor.
        const bool chunk = entry.shape == plan.source->tensor(segment.source).shape;
        const Box box = chunk ? segment.box : Box::whole(segment.box.extent);
        if (entry.dtype != segment.dtype || (!chunk && entry.shape != segment.box.extent)) {
            return wrong(segment, "The format's reader found a different dtype or shape")
                .butFound(sentence("%1 %2", dtypeName(entry.dtype), formatDims(entry.shape)))
                .expecting(
                    sentence("%1 %2", dtypeName(segment.dtype), formatDims(segment.box.extent)));
        }
        CAIRN_TRY(const bool there, found.isLocatedAt(box, placed));
        if (!there) {
            return wrong(segment, "The format's reader found this tensor at a different offset "
                                  "than it was written to")
                .expecting(sentence("offset %1", segment.offset));
        }
    }
    if (segments.size() > 1 && !coverage(entry).complete()) {
        return wrong(*segments.front().segment, "The output's chunks do not tile this tensor");
    }
    return {};
}

/// Whether a tensor is in a file that was copied as it is.
bool isInCopy(const CopyPlan& plan, const Checkpoint& output, const TensorEntry& tensor) {
    return !tensor.pieces.empty() && std::ranges::all_of(tensor.pieces, [&](const Piece& piece) {
        const auto file = std::ranges::find(
            plan.layout.files, output.files()[piece.file.position()].path, &OutputFile::name);
        return file != plan.layout.files.end() && file->tensors.empty();
    });
}

Result<void> checkExtras(const CopyPlan& plan, const Checkpoint& output,
                         const std::map<TensorIndex, std::vector<Placed>>& placed) {
    // Which of the tensors at the same bytes is the alias is the reader's choice.
    const auto first = [&output](TensorIndex index) {
        return output.tensor(index).aliasOf.value_or(index);
    };
    std::set<TensorIndex> planned;
    for (const auto& each : placed) {
        planned.insert(first(each.first));
    }
    for (std::size_t i = 0; i < output.tensors().size(); ++i) {
        const TensorEntry& entry = output.tensors()[i];
        const bool isString = std::ranges::find(plan.layout.stringTensors, entry.name) !=
                              plan.layout.stringTensors.end();
        const bool expected =
            isString || planned.contains(first(TensorIndex(i))) || isInCopy(plan, output, entry);
        if (!expected && !entry.aliasOf && entry.bytes() > 0) {
            return fail(ErrorCode::VerifyMismatch,
                        "The output contains a tensor that was not requested")
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
    std::vector<FileIdentity> files;
    std::map<TensorIndex, std::vector<Placed>> placed; // by tensor of the output
    files.reserve(plan.layout.files.size());
    for (const OutputFile& file : plan.layout.files) {
        CAIRN_TRY(const ByteSourcePtr source,
                  folder->openFile(plan.layout.folder ? file.name : path.filename().string()));
        files.push_back(source->identity());
        for (const TensorSegment& segment : file.tensors) {
            auto index = output->find(segment.name);
            if (!index && plan.outputTensors() == 1 && output->tensors().size() == 1) {
                index = TensorIndex(0); // the array of a single-array file has the file's name
            }
            if (!index) {
                return wrong(segment, "The format's reader did not find this tensor in the output");
            }
            placed[*index].push_back({&segment, &files.back()});
        }
    }
    for (const auto& [index, segments] : placed) {
        CAIRN_CHECK(checkTensor(plan, *output, output->tensor(index), segments, context));
    }
    for (const std::string& name : plan.layout.stringTensors) {
        const auto index = output->find(name);
        if (!index || !hasStrings(output->tensor(*index).dtype)) {
            return fail(ErrorCode::VerifyMismatch,
                        "The format's reader did not find this tensor in the output")
                .inTensor(name);
        }
    }
    return checkExtras(plan, *output, placed);
}

} // namespace cairn
