// SPDX-License-Identifier: Apache-2.0
#include "core/plan/plan_problems.h"

#include "core/base/counted.h"
#include "core/base/glob.h"
#include "core/base/visible_text.h"
#include "core/model/coverage.h"
#include "core/model/finding_rules.h"
#include "core/model/names/role_words.h"

#include <algorithm>
#include <map>
#include <set>

namespace cairn {
namespace {

/// Problems of one kind, of which only the first are listed.
class Kind {
public:
    void add(PlanProblem problem) {
        ++m_count;
        if (m_problems.size() < kMaxProblems) {
            m_problems.push_back(std::move(problem));
        }
    }
    void moveInto(std::vector<PlanProblem>& all) {
        if (m_count > m_problems.size()) {
            m_problems.back().message =
                sentence("%1%2", m_problems.back().message,
                         sentence(" (and %1 more)", m_count - m_problems.size()));
        }
        std::ranges::move(m_problems, std::back_inserter(all));
    }

private:
    std::vector<PlanProblem> m_problems;
    std::uint64_t m_count = 0;
};

/// Reports missing files, with the number of selected tensors that need them.
void addMissingFiles(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
                     std::vector<PlanProblem>& all) {
    std::map<FileIndex, std::uint64_t> missing;
    if (std::ranges::none_of(source.files(), &CheckpointFile::missing)) {
        return;
    }
    for (const TensorIndex index : chosen) {
        std::set<FileIndex> files;
        for (const Piece& piece : source.tensor(index).pieces) {
            if (source.files()[piece.file.position()].missing) {
                files.insert(piece.file);
            }
        }
        for (const FileIndex file : files) {
            ++missing[file];
        }
    }
    Kind kind;
    for (const auto& [file, tensors] : missing) {
        const std::string& path = source.files()[file.position()].path;
        PlanProblem problem{ErrorCode::MissingShard, Severity::Error, {}, {}, {}};
        problem.message = sentence("The file %1 is missing; %2 cannot be read completely", path,
                                   counting(tensors, "tensor"));
        problem.fix = sentence("Copy %1 into the checkpoint's folder and try again", path);
        problem.where.file = path;
        kind.add(std::move(problem));
    }
    kind.moveInto(all);
}

void addCoverage(const Checkpoint& source, const std::vector<TensorIndex>& chosen,
                 std::vector<PlanProblem>& all) {
    Kind holes;
    Kind overlaps;
    for (const TensorIndex index : chosen) {
        const TensorEntry& tensor = source.tensor(index);
        const Coverage cover = coverage(tensor); // missing files are reported separately
        if (cover.complete()) {
            continue;
        }
        PlanProblem problem{ErrorCode::CoverageHole, Severity::Error, {}, {}, {}};
        problem.where.tensor = tensor.name;
        if (cover.holes > 0) {
            problem.message = sentence("%1 of %2 are not in any file",
                                       counting(cover.holes, "element"), tensor.name);
            problem.fix = "Find the rest of the checkpoint; a part was not saved or not copied";
            holes.add(problem);
        }
        if (cover.overlaps > 0 || !cover.exact) {
            problem.code = ErrorCode::CoverageOverlap;
            problem.message =
                cover.exact
                    ? sentence(
                          "%1 of %2 are stored more than once; it is unknown which copy is correct",
                          counting(cover.overlaps, "element"), tensor.name)
                    : sentence("%1 has too many pieces to verify that none is stored twice",
                               tensor.name);
            problem.fix = "Save the checkpoint again, or leave out this tensor";
            overlaps.add(std::move(problem));
        }
    }
    holes.moveInto(all);
    overlaps.moveInto(all);
}

/// The probable role of a missing tensor: that of tensors whose names begin with the same
/// component.
Role roleOfNeighbour(const Checkpoint& source, std::string_view name) {
    const std::string_view first = name.substr(0, name.find_first_of(names::kPartEnds));
    const auto tensors = source.tensors();
    const auto beside = std::ranges::find_if(tensors, [&](const TensorEntry& tensor) {
        return tensor.name.size() > first.size() && tensor.name.starts_with(first) &&
               names::kPartEnds.find(tensor.name[first.size()]) != std::string_view::npos;
    });
    return beside == tensors.end() ? Role::Weight : beside->role;
}

/// True if the selection would include a tensor with this name.
bool wouldTake(const Checkpoint& source, const Selection& selection, const std::string& name) {
    if (!inSubtree(name, selection.subtree)) {
        return false;
    }
    const auto index = source.find(name);
    const Role role = index ? source.tensor(*index).role : roleOfNeighbour(source, name);
    if (selection.strips(role)) {
        return false;
    }
    if (selection.kind == Selection::Kind::Glob) {
        const auto glob = Glob::parse(selection.glob);
        return glob && glob->matches(name);
    }
    return selection.kind == Selection::Kind::All || isDeployable(role);
}

/// The severity of a notice for this selection. `holed`: selected tensors have holes, which damage
/// to a file may explain.
Severity weight(const Checkpoint& source, const Notice& notice, const Selection& selection,
                const std::set<std::string_view>& usedFiles, bool holed) {
    if (notice.severity != Severity::Error) {
        return notice.severity;
    }
    const Where& where = notice.error.where;
    if (notice.error.code == ErrorCode::MissingShard && usedFiles.contains(where.file)) {
        return Severity::Info; // its tensors are known and reported individually
    }
    if (!where.tensor.empty()) {
        return wouldTake(source, selection, where.tensor) ? Severity::Error : Severity::Info;
    }
    if (selection.kind == Selection::Kind::All) {
        return Severity::Error;
    }
    if (selection.kind == Selection::Kind::Glob) {
        return holed ? Severity::Error : Severity::Warning; // coverage reports the affected tensors
    }
    const auto file = std::ranges::find(source.files(), where.file, &CheckpointFile::path);
    const bool elsewhere =
        file != source.files().end() && file->role != Role::Other && !isDeployable(file->role);
    return elsewhere ? Severity::Warning : Severity::Error;
}

/// True for notices about the checkpoint instead of a single tensor.
bool concernsCheckpoint(const Notice& notice) {
    return notice.error.code == ErrorCode::ConflictingSaves
               ? notice.severity != Severity::Info
               : notice.severity == Severity::Error && notice.error.where.tensor.empty();
}

/// Adds the notices from opening: a notice names the file and offset, while a hole only names a
/// tensor.
void addNotices(const Checkpoint& source, const Selection& selection, Forcible forcible, bool holed,
                std::vector<PlanProblem>& errors, std::vector<PlanProblem>& warnings) {
    std::vector<bool> isUsed(source.files().size(), false);
    for (const TensorEntry& tensor : source.tensors()) {
        if (source.notices().empty()) {
            break; // no selected tensor is affected
        }
        for (const Piece& piece : tensor.pieces) {
            isUsed[piece.file.position()] = true;
        }
    }
    std::set<std::string_view> used;
    for (std::size_t i = 0; i < isUsed.size(); ++i) {
        if (isUsed[i]) {
            used.insert(source.files()[i].path);
        }
    }
    Kind grave;
    Kind light;
    for (const Notice& notice : source.notices()) {
        const Stops stops = findingRule(notice.error.code).stops;
        const bool isForcible = stops == Stops::UnlessForced;
        Severity severity = weight(source, notice, selection, used, holed);
        if (isForcible && concernsCheckpoint(notice)) {
            severity = Severity::Error; // independent of the selection
        }
        if (severity == Severity::Info) {
            continue;
        }
        const bool stopping = isForcible && severity == Severity::Error;
        const bool forced = stopping && forcible == Forcible::Warns;
        const bool cured = stops == Stops::Never && notice.error.where.tensor.empty();
        if (cured || forced) {
            severity = Severity::Warning;
        }
        PlanProblem problem{notice.error.code, severity,
                            forced ? sentence("Forced: %1", notice.error.message)
                                   : notice.error.message,
                            notice.error.hint, notice.error.where};
        if (stopping && !forced) {
            problem.fix = sentence("%1%2", problem.fix,
                                   sentence("%1--force writes it anyway",
                                            problem.fix.empty() ? Sentence("") : ", or "));
        }
        (severity == Severity::Error ? grave : light).add(std::move(problem));
    }
    grave.moveInto(errors);
    light.moveInto(warnings);
    if (source.completeness() == Completeness::Incomplete) {
        PlanProblem problem{
            ErrorCode::MissingShard, Severity::Warning, "The checkpoint is incomplete", {}, {}};
        problem.message =
            sentence("%1%2", problem.message,
                     source.why().empty() ? "" : sentence(": %1", source.why().front()));
        warnings.push_back(std::move(problem));
    }
}

PlanProblem unusable(const UnusableValue& value, Forcible forcible) {
    const bool forced = forcible == Forcible::Warns;
    const Error& error = value.error;
    const Sentence name =
        value.path.empty() ? Sentence("The plain values") : verbatim(visibleText(value.path));
    PlanProblem problem{error.code, forced ? Severity::Warning : Severity::Error,
                        forced
                            ? sentence("Left out, as forced: %1 is damaged or cannot be "
                                       "read: %2",
                                       name, error.message)
                            : sentence("%1 is damaged or cannot be read: %2", name, error.message),
                        error.hint, error.where};
    if (!forced) {
        problem.fix = "Use another copy of the checkpoint, or --force leaves the item out";
    }
    return problem;
}

} // namespace

std::vector<PlanProblem> sourceProblems(const Checkpoint& source,
                                        const std::vector<TensorIndex>& chosen,
                                        const Selection& selection, Forcible forcible) {
    std::vector<PlanProblem> all;
    std::vector<PlanProblem> uncovered;
    std::vector<PlanProblem> warnings;
    addMissingFiles(source, chosen, all);
    addCoverage(source, chosen, uncovered);
    addNotices(source, selection, forcible, !uncovered.empty(), all, warnings);
    std::ranges::move(uncovered, std::back_inserter(all));
    std::ranges::move(warnings, std::back_inserter(all));
    return all;
}

std::vector<PlanProblem> valueProblems(const SavedValues& saved, Forcible forcible) {
    Kind kind;
    for (const UnusableValue& value : saved.unusable) {
        if (value.error.where.tensor.empty()) {
            kind.add(unusable(value, forcible));
        }
    }
    if (saved.complete() && saved.records.mismatched > 0) { // what is missing in it is not known
        const bool forced = forcible == Forcible::Warns;
        kind.add({ErrorCode::BadChecksum,
                  forced ? Severity::Warning : Severity::Error,
                  forced ? Sentence("Carried, as forced: a record of values does not match its "
                                    "checksum")
                         : "A record of values does not match its checksum",
                  forced ? Sentence() : "Use another copy of the checkpoint, or --force",
                  {}});
    }
    std::vector<PlanProblem> all;
    kind.moveInto(all);
    return all;
}

std::vector<PlanProblem> leaveOutDamaged(const Checkpoint& source, const PlanFacts& facts,
                                         Forcible forcible, std::vector<TensorIndex>& chosen) {
    Kind kind;
    const bool all = facts.damagedTensors.size() < SavedValues::kMaxUnusable;
    std::set<TensorIndex> damaged;
    for (const UnusableValue& value : facts.damagedTensors) {
        const auto index = source.find(value.error.where.tensor);
        if (index && std::ranges::find(chosen, *index) == chosen.end()) {
            continue;
        }
        PlanProblem problem = unusable(value, index && all ? forcible : Forcible::Stops);
        if (!index || !all) {
            problem.fix = "Use another copy of the checkpoint";
        }
        kind.add(std::move(problem));
        if (index) {
            damaged.insert(*index);
        }
    }
    std::erase_if(chosen, [&](TensorIndex each) { return damaged.contains(each); });
    std::vector<PlanProblem> problems;
    kind.moveInto(problems);
    return problems;
}

bool isAllUnusable(const SavedValues& saved) {
    return saved.unusableCount == 1 && saved.unusable.front().path.empty();
}

std::vector<PlanProblem> outputProblems(const PlanFacts& facts, std::uint64_t bytes) {
    std::vector<PlanProblem> all;
    const auto add = [&all](ErrorCode code, Sentence message, Sentence fix) {
        all.push_back({code, Severity::Error, std::move(message), std::move(fix), {}});
    };
    if (!facts.missingSource.empty()) {
        add(ErrorCode::NotFound, "The checkpoint no longer exists",
            "Restore it at its path, then refresh");
        all.back().where.file = facts.missingSource;
    }
    if (facts.outputIsSource) {
        add(ErrorCode::OutputIsInput, "The output is the checkpoint itself",
            "Choose a different name");
    } else if (facts.outputExists) {
        add(ErrorCode::OutputExists, "The output already exists; existing files are never replaced",
            "Choose a different name, or move the existing output");
    } else if (facts.outputInsideSource) {
        add(ErrorCode::OutputIsInput, "The output would be inside the checkpoint's folder",
            "Choose a location outside the folder");
    }
    if (facts.freeBytes && *facts.freeBytes < bytes) {
        add(ErrorCode::NoSpace,
            sentence("Not enough space: %1 needed, %2 free", amount(formatBytes(bytes)),
                     amount(formatBytes(*facts.freeBytes))),
            "Free some space or choose a different folder");
    }
    return all;
}

} // namespace cairn
