// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The speed of jobs: assumed and measured rates, and which of them a forecast uses. Pure; measured
/// rates are kept by jobs/disk_rates.h. Rates are bytes of the output per second (for a pack: bytes
/// that are packed), from the first write until everything is synced, re-read and compared.
namespace cairn {

struct CopyPlan;

/// Assumed by forecasts without measurements: a local solid-state disk that writes 600 MB/s, from
/// which the output is then read and compared at 1200 MB/s.
inline constexpr double kForecastBytesPerSecond = 400e6;

/// The same for shared bytes, which are only hashed.
inline constexpr double kForecastHashBytesPerSecond = 1200e6;

/// What takes a job's time, besides the disk: kinds differ by more than a factor of two on a fast
/// disk. Cheaper kinds first.
enum class WorkKind : std::uint8_t {
    Copy,
    Cast,
    Gather,  ///< copied or cast, but in a different order than stored
    Compute, ///< averaged, dequantised, unpacked from a compressed source
    Pack     ///< into an archive, at its default level
};
inline constexpr std::size_t kWorkKinds = 5;
std::string_view
workKindName(WorkKind kind); ///< "copy", "cast", …; stored in files, so never changed

/// The kind of most of the output's bytes. Linear in pieces and segments.
WorkKind workKindOf(const CopyPlan& plan);

/// By kind; 0: not measured.
struct WorkRates {
    std::array<double, kWorkKinds> bytesPerSecond{};
    [[nodiscard]] double& of(WorkKind kind) {
        return bytesPerSecond.at(static_cast<std::size_t>(kind));
    }
    [[nodiscard]] double of(WorkKind kind) const {
        return bytesPerSecond.at(static_cast<std::size_t>(kind));
    }
};

enum class RateOrigin : std::uint8_t {
    Assumed,
    Inferred, ///< from other kinds of work between the same disks
    Measured
};
std::string_view rateOriginName(RateOrigin origin); ///< "assumed", "inferred", "measured"

struct ForecastRate {
    double bytesPerSecond = kForecastBytesPerSecond;
    RateOrigin origin = RateOrigin::Assumed;
};

/// The kind's own rate; else that of the next cheaper kind, but at most the assumed one (a fast
/// disk does not make costly work fast, a slow one makes all of it slow); for copies and casts else
/// that of the next costlier kind up to gathering, which is a lower bound for the disk.
ForecastRate forecastRate(WorkKind kind, const WorkRates& known);

/// The work of one job: bytes of its output (for a pack: bytes that were packed), written, synced
/// and verified.
struct MeasuredWork {
    WorkKind kind = WorkKind::Copy;
    std::uint64_t bytes = 0;
    double seconds = 0;
};

} // namespace cairn
