// SPDX-License-Identifier: Apache-2.0
#include "core/formats/common/members/fetch_heads.h"
#include "core/io/prefetch.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cairn {
namespace {

/// What a machine was asked for, and whether it answers.
struct Machine {
    bool answers = true;
    int together = 0;
    int alone = 0;
};

/// A file of another machine: safetensors with a header of 100,000 bytes.
class FarFile final : public ByteSource, public FetchedSource {
public:
    explicit FarFile(Machine& machine) : m_machine(machine) {}
    std::uint64_t size() const override { return 1'000'000; }
    const std::string& name() const override { return m_name; }
    Result<void> readAt(std::uint64_t offset, std::span<std::byte> out) const override {
        ++m_machine.alone;
        if (!m_machine.answers) {
            return fail(ErrorCode::Io, "The connection was lost");
        }
        constexpr std::array<std::uint8_t, 8> kLength{0xa0, 0x86, 0x01};
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = std::byte(offset + i < 8 ? kLength.at(offset + i) : 0);
        }
        return {};
    }
    const void* fetchedWith() const override { return &m_machine; }
    bool fetchTogether(std::span<const SoonRead> /*reads*/,
                       const CancelToken& cancel) const override {
        m_machine.together += cancel.cancelled() ? 0 : 1;
        return m_machine.answers && !cancel.cancelled();
    }

private:
    Machine& m_machine;
    std::string m_name = "far:/x";
};

class FarFolder final : public Folder {
public:
    explicit FarFolder(Machine& machine) : Folder("far:/"), m_machine(machine) {}
    Result<ByteSourcePtr> openFile(std::string_view /*relative*/) const override {
        return ByteSourcePtr(std::make_shared<const FarFile>(m_machine));
    }
    Result<FolderPtr> openFolder(std::string_view /*relative*/) const override {
        return fail(ErrorCode::NotFound, "None");
    }
    Result<std::vector<FolderEntry>> list(std::size_t /*limit*/) const override {
        return std::vector<FolderEntry>();
    }
    bool hasFile(std::string_view /*relative*/) const override { return true; }

private:
    Machine& m_machine;
};

const std::vector<std::string> kShards(8, "model.safetensors");

TEST(FetchHeads, EndsAndThenHeadersComeTogether) {
    Machine machine;
    formats::fetchHeads(FarFolder(machine), kShards, {});
    EXPECT_EQ(machine.together, 2);
}

TEST(FetchHeads, AHostThatIsGoneIsAskedOnce) {
    Machine machine;
    machine.answers = false;
    formats::fetchHeads(FarFolder(machine), kShards, {});
    EXPECT_EQ(machine.together + machine.alone, 1);
}

TEST(FetchHeads, StopsWhenItIsCancelled) {
    Machine machine;
    const CancelToken cancel;
    cancel.cancel();
    formats::fetchHeads(FarFolder(machine), kShards, cancel);
    EXPECT_EQ(machine.together + machine.alone, 0);
}

} // namespace
} // namespace cairn
