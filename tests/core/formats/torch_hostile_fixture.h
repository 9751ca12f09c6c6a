// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/finding_rules.h"
#include "tests/core/codec/pickle_assembler.h"
#include "tests/core/codec/zip_builder.h"
#include "tests/core/formats/format_fixture.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::formats {
namespace torch {
extern const FormatInfo kFormat;
}
namespace torch_legacy {
extern const FormatInfo kFormat;
}
} // namespace cairn::formats

/// Files of torch whose pickles state something else than their bytes are.
namespace cairn::test::hostile {

using A = PickleAssembler;

/// The differences of a hostile tensor from a float32 tensor [2, 3] in storage "0".
struct Lies {
    std::string_view storageModule = "torch";
    std::string_view storageClass = "FloatStorage";
    std::string_view tag = "storage";
    std::string key = "0";
    std::int64_t numel = 6;
    std::int64_t offset = 0;
    std::vector<std::int64_t> size{2, 3};
    std::vector<std::int64_t> stride{3, 1};
    std::string_view function = "_rebuild_tensor_v2";
    std::string_view dtype{}; ///< for _v3
};

inline void number(A& out, std::int64_t value) {
    out.op(0x8a).op(8).little(value);
}

inline void numbers(A& out, const std::vector<std::int64_t>& values) {
    out.op('(');
    for (const std::int64_t value : values) {
        number(out, value);
    }
    out.op('t');
}

inline void tensor(A& out, const Lies& lies = {}) {
    out.global("torch._utils", lies.function).op('(').op('(').text(lies.tag);
    out.global(lies.storageModule, lies.storageClass).text(lies.key).text("cpu");
    number(out, lies.numel);
    out.op('t').op('Q');
    number(out, lies.offset);
    numbers(out, lies.size);
    numbers(out, lies.stride);
    out.op(0x89).global("collections", "OrderedDict").op(')').reduce();
    if (!lies.dtype.empty()) {
        out.global("torch", lies.dtype);
    }
    out.op('t').reduce();
}

/// {"w": tensor}
inline std::string pickled(const Lies& lies = {}) {
    A out;
    out.proto(2).op('}').text("w");
    tensor(out, lies);
    return out.op('s').stop().str();
}

inline std::string archive(std::string pickle, std::string data = std::string(24, 'x'),
                           std::vector<RawEntry> more = {}) {
    std::vector<RawEntry> entries{stored("archive/data.pkl", std::move(pickle)),
                                  stored("archive/version", "3\n"),
                                  stored("archive/data/0", std::move(data))};
    for (RawEntry& entry : more) {
        entries.push_back(std::move(entry));
    }
    return buildZip(entries);
}

inline Result<CheckpointPtr> openText(const std::string& text,
                                      const FormatInfo& format = formats::torch::kFormat) {
    static TemporaryFolder folder;
    return openAs(format, folder.write("hostile.pt", text));
}

inline ErrorCode failure(const std::string& text,
                         const FormatInfo& format = formats::torch::kFormat) {
    const auto checkpoint = openText(text, format);
    if (checkpoint) {
        ADD_FAILURE() << "was opened; " << noticesText(**checkpoint);
        return ErrorCode::Internal;
    }
    EXPECT_EQ(checkpoint.error().where.file, "hostile.pt");
    return checkpoint.error().code;
}

/// Opens nevertheless, with this notice and without bytes for the tensor.
inline void expectDamage(const std::string& text, ErrorCode code,
                         const FormatInfo& format = formats::torch::kFormat) {
    const auto checkpoint = openText(text, format);
    SCOPED_TRACE(errorName(code));
    ASSERT_TRUE(checkpoint) << describe(checkpoint.error());
    EXPECT_TRUE(hasNotice(**checkpoint, code)) << noticesText(**checkpoint);
    EXPECT_EQ((*checkpoint)->completeness(),
              isUnread(code) ? Completeness::Unknown : Completeness::Incomplete);
    for (const TensorEntry& entry : (*checkpoint)->tensors()) {
        EXPECT_TRUE(entry.pieces.empty());
    }
}

} // namespace cairn::test::hostile
