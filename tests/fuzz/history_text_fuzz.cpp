// SPDX-License-Identifier: Apache-2.0
#include "core/io/folder.h"
#include "core/runs/history/history.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace {

using namespace cairn;

/// Readers of text with a name that each of them takes, by the first byte of the input.
struct Target {
    std::string_view reader;
    const char* name;
};
constexpr auto kTargets = std::to_array<Target>({{"csv", "metrics.csv"},
                                                 {"jsonl", "metrics.jsonl"},
                                                 {"keras_json", "history.json"},
                                                 {"hparams", "hparams.yaml"},
                                                 {"hparams", "args.json"},
                                                 {"console", "train.log"},
                                                 {"trainer_state", "trainer_state.json"}});

/// A folder in memory where there is one, with one file.
class OneFile {
public:
    OneFile() {
        const std::filesystem::path shm = "/dev/shm";
        std::error_code error;
        const auto base = std::filesystem::is_directory(shm, error)
                              ? shm
                              : std::filesystem::temp_directory_path();
        m_path = base / ("cairn-fuzz-" + std::to_string(::getpid()));
        std::filesystem::create_directories(m_path);
        const auto folder = Folder::open(m_path);
        if (!folder) {
            std::abort();
        }
        m_folder = *folder;
    }
    OneFile(const OneFile&) = delete;
    OneFile& operator=(const OneFile&) = delete;
    ~OneFile() {
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }

    void write(const char* name, const std::uint8_t* data, std::size_t size) const {
        std::FILE* file = std::fopen((m_path / name).c_str(), "wb");
        if (file == nullptr || std::fwrite(data, 1, size, file) != size) {
            std::abort();
        }
        std::fclose(file);
    }
    [[nodiscard]] const FolderPtr& folder() const { return m_folder; }
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
    FolderPtr m_folder;
};

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

/// What every reader promises: columns of one length or none.
void check(const HistoryPart& part) {
    for (const MetricSeries& series : part.series) {
        require(series.size() > 0);
        require(series.steps.size() == series.size() || series.steps.empty());
        require(series.epochs.size() == series.size() || series.epochs.empty());
        require(series.wall.size() == series.size() || series.wall.empty());
        (void)restartsOf(series);
        (void)metricRank(series.name);
    }
    (void)expandedSize(part.settings, 1'000'000);
}

} // namespace

/// Any bytes as any log of text: no crash, and what is read keeps the readers' promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const OneFile file;
    if (size == 0) {
        return 0;
    }
    const Target& target = kTargets[data[0] % kTargets.size()];
    const HistoryReader* reader = findHistoryReader(target.reader);
    require(reader != nullptr);
    file.write(target.name, data + 1, size - 1);
    HistoryCandidate candidate;
    candidate.folder = file.folder();
    candidate.name = target.name;
    candidate.path = file.path() / target.name;
    candidate.size = size - 1;
    candidate.head = {reinterpret_cast<const std::byte*>(data + 1),
                      std::min<std::size_t>(size - 1, 65536)};
    (void)reader->recognises(candidate);
    if (const auto part = reader->read(candidate, CancelToken())) {
        check(*part);
    }
    return 0;
}
