// SPDX-License-Identifier: Apache-2.0
#include "core/model/finding_rules.h"

#include <algorithm>
#include <array>

namespace cairn {
namespace {

using enum HealthVerdict;

/// The rule for damage, whose severity is decided by the reader.
constexpr FindingRule damage(ErrorCode code) {
    return {code, Severity::Info, Damaged, Stops::Always};
}

/// The rule for what a newer or larger Cairn could read.
constexpr FindingRule unread(ErrorCode code) {
    return {code, Severity::Info, Unread, Stops::Always};
}

constexpr auto kRules = std::to_array<FindingRule>({
    // parts that are missing
    {ErrorCode::MissingShard, Severity::Info, Incomplete, Stops::Always},
    {ErrorCode::CoverageHole, Severity::Error, Incomplete, Stops::Always},
    {ErrorCode::Truncated, Severity::Info, Incomplete, Stops::Always},
    {ErrorCode::DcpNoMetadata, Severity::Error, Incomplete, Stops::Always},
    {ErrorCode::ShardsNotJoined, Severity::Info, Incomplete, Stops::UnlessForced},
    {ErrorCode::MissingIndex, Severity::Error, Incomplete, Stops::Never},
    {ErrorCode::DanglingPointer, Severity::Error, Incomplete, Stops::Never},
    {ErrorCode::BeingWritten, Severity::Info, Incomplete, Stops::UnlessForced},
    // parts of different saves
    {ErrorCode::MixedSteps, Severity::Error, Mixed, Stops::UnlessForced},
    {ErrorCode::StaleShard, Severity::Info, Mixed, Stops::UnlessForced},
    {ErrorCode::ConflictingSaves, Severity::Warning, Warnings, Stops::UnlessForced},
    // the declared location of the tensors differs from the actual one
    {ErrorCode::GgufBadHeader, Severity::Error, Damaged, Stops::UnlessForced},
    // its own loader refuses it, although every element is readable
    {ErrorCode::SafetensorsTrailingBytes, Severity::Error, Damaged, Stops::Never},
    {ErrorCode::SafetensorsHole, Severity::Error, Damaged, Stops::Never},
    {ErrorCode::SafetensorsBadMetadata, Severity::Error, Damaged, Stops::Never},
    {ErrorCode::TorchMissingRecord, Severity::Error, Damaged, Stops::Never},
    // not read, or correct except for its times
    {ErrorCode::SecondSave, Severity::Warning, Warnings, Stops::Never},
    {ErrorCode::NewerThanIndex, Severity::Warning, Warnings, Stops::Never},
    {ErrorCode::StrayFile, Severity::Info, Warnings, Stops::Never},
    {ErrorCode::NpyTrailingBytes, Severity::Warning, Warnings, Stops::Never},
    {ErrorCode::HistoryBadRow, Severity::Warning, Warnings,
     Stops::Never}, // settings beside the weights
    // not supported
    unread(ErrorCode::Unsupported),
    unread(ErrorCode::LimitExceeded),
    unread(ErrorCode::ZipEncrypted),
    unread(ErrorCode::ZipMultiDisk),
    unread(ErrorCode::ZipBadMethod),
    unread(ErrorCode::PickleBadProtocol),
    unread(ErrorCode::TorchUnknownDtype),
    unread(ErrorCode::SafetensorsUnknownDtype),
    unread(ErrorCode::NpyUnknownDtype),
    unread(ErrorCode::NpyObjects),
    unread(ErrorCode::GgufUnknownType),
    unread(ErrorCode::DcpUnknownTransform),
    unread(ErrorCode::Hdf5LinkNotFollowed),
    // damage
    damage(ErrorCode::NotFound),
    damage(ErrorCode::PermissionDenied),
    damage(ErrorCode::NotRegularFile),
    damage(ErrorCode::OutsideFolder),
    damage(ErrorCode::Io),
    damage(ErrorCode::ChangedOnDisk),
    damage(ErrorCode::EmptyFile),
    damage(ErrorCode::ZeroFilled),
    damage(ErrorCode::LfsPointer),
    damage(ErrorCode::HtmlPage),
    damage(ErrorCode::NotACheckpoint),
    damage(ErrorCode::BadChecksum),
    damage(ErrorCode::BadEncoding),
    damage(ErrorCode::ZipNoDirectory),
    damage(ErrorCode::ZipBadDirectory),
    damage(ErrorCode::ZipBadEntry),
    damage(ErrorCode::ZipDuplicateName),
    damage(ErrorCode::ZipOverlap),
    damage(ErrorCode::ZipLocalMismatch),
    damage(ErrorCode::ZipBomb),
    damage(ErrorCode::ZipBadData),
    damage(ErrorCode::PickleTruncated),
    damage(ErrorCode::PickleBadOpcode),
    damage(ErrorCode::PickleStackUnderflow),
    damage(ErrorCode::PickleNoMark),
    damage(ErrorCode::PickleBadMemo),
    damage(ErrorCode::PickleBadOperand),
    damage(ErrorCode::PickleBadText),
    damage(ErrorCode::PickleBadFrame),
    damage(ErrorCode::PickleUnhashableKey),
    damage(ErrorCode::TorchNoDataPickle),
    damage(ErrorCode::TorchBadPersistentId),
    damage(ErrorCode::TorchStorageTooSmall),
    damage(ErrorCode::TorchBadTensor),
    damage(ErrorCode::TorchBadHeader),
    damage(ErrorCode::TorchBadByteOrder),
    damage(ErrorCode::JsonSyntax),
    damage(ErrorCode::JsonTooDeep),
    damage(ErrorCode::JsonDuplicateKey),
    damage(ErrorCode::JsonWrongType),
    damage(ErrorCode::SafetensorsHeaderTooLarge),
    damage(ErrorCode::SafetensorsBadHeader),
    damage(ErrorCode::SafetensorsBadOffsets),
    damage(ErrorCode::SafetensorsOverlap),
    damage(ErrorCode::SafetensorsSizeMismatch),
    damage(ErrorCode::SafetensorsBadShape),
    damage(ErrorCode::NpyBadHeader),
    damage(ErrorCode::GgufBadMetadata),
    damage(ErrorCode::GgufBadTensor),
    damage(ErrorCode::DcpBadMetadata),
    damage(ErrorCode::DcpBadChunk),
    damage(ErrorCode::DcpItemBeyondFile),
    damage(ErrorCode::DcpItemMismatch),
    damage(ErrorCode::OcdbtBadManifest),
    damage(ErrorCode::OcdbtBadNode),
    damage(ErrorCode::ZarrBadMetadata),
    damage(ErrorCode::ZarrBadChunk),
    damage(ErrorCode::OrbaxBadMetadata),
    damage(ErrorCode::MsgpackBadData),
    damage(ErrorCode::FlaxBadArray),
    damage(ErrorCode::BadIndex),
    damage(ErrorCode::CoverageOverlap),
    damage(ErrorCode::NotStored),
    damage(ErrorCode::DuplicateTensor),
    damage(ErrorCode::NonFinite),
    damage(ErrorCode::TensorNotFound), // of the config's class
    damage(ErrorCode::BadSlice),
    // optimizer state with which training cannot continue, although the weights are usable
    {ErrorCode::NegativeMoment, Severity::Info, Damaged, Stops::Never},
    {ErrorCode::NarrowMoment, Severity::Info, Warnings, Stops::Never},
    {ErrorCode::UnequalSteps, Severity::Info, Mixed, Stops::Never},
    {ErrorCode::MissingState, Severity::Info, Warnings, Stops::Never},
    {ErrorCode::StateWithoutParameter, Severity::Info, Warnings, Stops::Never},
    damage(ErrorCode::AmbiguousArchive),
    damage(ErrorCode::Hdf5Unreadable),
});

constexpr FindingRule kElse{ErrorCode::Internal, Severity::Info, Damaged, Stops::Always};

} // namespace

std::string_view verdictName(HealthVerdict verdict) {
    switch (verdict) {
    case Healthy:
        return "healthy";
    case Warnings:
        return "warnings";
    case Unread:
        return "unread";
    case Incomplete:
        return "incomplete";
    case Mixed:
        return "mixed";
    case Damaged:
        return "damaged";
    }
    return "damaged";
}

const FindingRule& findingRule(ErrorCode code) {
    const auto found = std::ranges::find(kRules, code, &FindingRule::code);
    return found != kRules.end() ? *found : kElse;
}

Severity settledSeverity(const Notice& notice) {
    return notice.severity == Severity::Info
               ? notice.severity
               : std::max(notice.severity, findingRule(notice.error.code).least);
}

bool isUnread(ErrorCode code) {
    return findingRule(code).verdict == Unread;
}

HealthVerdict verdictOf(const Notice& finding) {
    switch (settledSeverity(finding)) {
    case Severity::Info:
        return Healthy;
    case Severity::Warning:
        return Warnings;
    case Severity::Error:
        break;
    }
    return std::max(findingRule(finding.error.code).verdict, Unread);
}

} // namespace cairn
