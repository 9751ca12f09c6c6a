// SPDX-License-Identifier: Apache-2.0
#include "core/formats/code_scan.h"
#include "tests/core/codec/pickle_assembler.h"
#include "tests/core/codec/zip_builder.h"
#include "tests/core/formats/format_fixture.h"
#include "tests/core/formats/torch_samples.h"

namespace cairn::test {
namespace {

using formats::CodeScan;
using formats::scanForCode;
using pickle::Verdict;
using A = PickleAssembler;

CodeScan scanned(const std::filesystem::path& path) {
    auto scan = scanForCode(path);
    EXPECT_TRUE(scan) << (scan ? "" : describe(scan.error()));
    return scan ? std::move(*scan) : CodeScan{};
}

std::string joined(const CodeScan& scan) {
    std::string text;
    for (const Sentence& reason : scan.reasons) {
        text += reason.text() + "\n";
    }
    return text;
}

std::string evil() {
    return A().proto(2).global("posix", "system").text("id").op(0x85).reduce().stop().str();
}

std::string harmless() {
    return A().proto(2).op('}').text("epoch").integer(3).op('s').stop().str();
}

std::string archiveOf(const std::string& pickle) {
    return buildZip({stored("archive/data.pkl", pickle), stored("archive/version", "3\n")});
}

std::string legacyHeader() {
    return "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}.";
}

Verdict verdictOf(std::string_view name, const std::string& text) {
    const TemporaryFolder folder;
    return scanned(folder.write(name, text)).verdict;
}

TEST(CodeScan, RealFilesAreInertOrNameTheirUnknownClass) {
    for (const auto& folder : {kZip, kLegacy}) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            const CodeScan scan = scanned(entry.path());
            const bool unknown = name == "unknown_class.pt" || name == "module.pt" ||
                                 name == "script.pt" || name == "lightning.ckpt";
            if (name == "traced.pt") { // torch.fx compiles the source in the pickle
                EXPECT_EQ(scan.verdict, Verdict::WouldRunCode) << joined(scan);
                continue;
            }
            EXPECT_LE(scan.verdict, unknown ? Verdict::UnknownClass : Verdict::Inert)
                << name << "\n"
                << joined(scan);
        }
    }
}

TEST(CodeScan, OffsetsCountWithinTheFile) {
    const TemporaryFolder folder;
    const std::string text = archiveOf(evil());
    const CodeScan scan = scanned(folder.write("a.pt", text));
    EXPECT_EQ(scan.verdict, Verdict::WouldRunCode);
    ASSERT_EQ(scan.globals.size(), 1U);
    EXPECT_EQ(scan.globals[0].file, "a.pt");
    EXPECT_EQ(scan.globals[0].member, "archive/data.pkl");
    EXPECT_EQ(text.substr(scan.globals[0].global.offset, 6), "cposix");
}

TEST(CodeScan, WhereverThePickleHides) {
    EXPECT_EQ(verdictOf("bare.pkl", evil()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("old.pkl", "cposix\nsystem\n(Vid\ntR."), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("no_extension", "cposix\nsystem\n(Vid\ntR."), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("weights.bin", evil()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("text.txt", evil()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("second.pkl", harmless() + evil()), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("legacy.pth", legacyHeader() + evil() + A().proto(2).op(']').stop().str()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("sixth.pth",
                        legacyHeader() + harmless() + A().proto(2).op(']').stop().str() + evil()),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("deflated.pt", buildZip({deflatedEntry("archive/data.pkl", evil())})),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("other.zip", buildZip({stored("somewhere/else.bin", evil())})),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("nested.zip", buildZip({stored("inner.pt", archiveOf(evil()))})),
              Verdict::WouldRunCode);
    const std::string npy = std::string("\x93NUMPY\x01\x00", 8) + std::string("\x46\x00", 2) +
                            "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }" +
                            std::string(14, ' ') + evil();
    EXPECT_EQ(verdictOf("objects.npy", npy), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("objects.npz", buildZip({stored("a.npy", npy)})), Verdict::WouldRunCode);
}

TEST(CodeScan, ArchivesInsideBytesAreOpened) {
    const std::string outer = A().proto(3)
                                  .global("torch.storage", "_load_from_bytes")
                                  .bytes(archiveOf(evil()))
                                  .op(0x85)
                                  .reduce()
                                  .stop()
                                  .str();
    EXPECT_EQ(verdictOf("a.pt", archiveOf(outer)), Verdict::WouldRunCode);
}

/// {"lr": 0.1, "field": {":serialized:": base64 of evil()}}, as stable-baselines3 stores its
/// fields.
std::string fieldsWith(const std::string& base64) {
    return R"({"lr": 0.1, "note": ":serialized:", "field": {":type:": "x", ":\u0073erialized:": ")" +
           base64 + "\"}}";
}

TEST(CodeScan, FieldsThatArePicklesInBase64) {
    const std::string evilText = "gAJjcG9zaXgKc3lzdGVtClgCAAAAaWSFUi4="; // base64.b64encode
    EXPECT_EQ(verdictOf("a.zip", buildZip({stored("data", fieldsWith(evilText))})),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("data", fieldsWith(evilText)), Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("data", fieldsWith("g A\\nJ-jcG9zaXgKc3lzdGVtClgCAAAAaWSFUi4=AAAA")),
              Verdict::WouldRunCode)
        << "Python passes over what is no digit, and stops at the padding";
    const TemporaryFolder folder;
    const CodeScan cut = scanned(folder.write("data", fieldsWith(evilText.substr(0, 33))));
    EXPECT_NE(joined(cut).find("truncated"), std::string::npos) << joined(cut);
    EXPECT_EQ(verdictOf("data", fieldsWith("Ti4=")), Verdict::Inert) << "None";
    EXPECT_EQ(verdictOf("data", R"({"field": {":serialized:": "Ti)"), Verdict::Malformed);
    EXPECT_EQ(verdictOf("data", R"({"lr": 0.1})"), Verdict::Inert);
    for (const char* name : {"sac.zip", "dqn.zip", "unpacked"}) {
        const CodeScan scan =
            scanned(std::filesystem::path(CAIRN_SOURCE_DIR "/tests/data/stable_baselines3") / name);
        EXPECT_EQ(scan.verdict, Verdict::UnknownClass) << name << joined(scan);
        EXPECT_GT(scan.pickles, 5U);
    }
}

TEST(CodeScan, ArchivesThatReadersTakeDifferently) {
    EXPECT_EQ(verdictOf("twice.pt", buildZip({stored("archive/data.pkl", harmless()),
                                              stored("archive/data.pkl", harmless())})),
              Verdict::Ambiguous);
    EXPECT_EQ(verdictOf("twice.pt", buildZip({stored("archive/data.pkl", evil()),
                                              stored("archive/data.pkl", harmless())})),
              Verdict::WouldRunCode);
    EXPECT_EQ(verdictOf("twice.pt", buildZip({stored("archive/data.pkl", harmless()),
                                              stored("archive/data.pkl", evil())})),
              Verdict::WouldRunCode);
    RawEntry encrypted = stored("archive/data.pkl", evil());
    encrypted.flags = 1;
    EXPECT_EQ(verdictOf("encrypted.pt", buildZip({encrypted})), Verdict::NotExamined);
    RawEntry renamed = stored("archive/data.pkl", evil());
    renamed.centralName = "archive/data.txt";
    EXPECT_GE(verdictOf("renamed.pt", buildZip({renamed})), Verdict::Ambiguous);
}

TEST(CodeScan, BrokenFilesAreMalformed) {
    EXPECT_EQ(verdictOf("cut.pkl", harmless().substr(0, 8)), Verdict::Malformed);
    EXPECT_EQ(verdictOf("cut.pt", archiveOf(harmless()).substr(0, 60)), Verdict::Malformed);
    EXPECT_EQ(verdictOf("cut.pkl", evil().substr(0, evil().size() - 1)), Verdict::WouldRunCode);
}

TEST(CodeScan, FilesWithoutPicklesAreInert) {
    EXPECT_EQ(verdictOf("a.json", "{\"a\": 1}"), Verdict::Inert);
    EXPECT_EQ(verdictOf("a.safetensors", safetensorsFile("{}", 0)), Verdict::Inert);
    EXPECT_EQ(verdictOf("empty.pt", ""), Verdict::Inert);
    const TemporaryFolder folder;
    EXPECT_FALSE(scanForCode(folder / "nothing"));
}

TEST(CodeScan, FoldersAndTheItemsOfShards) {
    const TemporaryFolder folder;
    const std::string shard = "padding" + archiveOf(evil());
    const std::string index =
        A().proto(4)
            .stackGlobal("torch.distributed.checkpoint.filesystem", "_StorageInfo")
            .op(')')
            .op(0x81)
            .op('}')
            .text("relative_path")
            .text("__0_0.distcp")
            .op('s')
            .text("offset")
            .integer(7)
            .op('s')
            .text("length")
            .integer(static_cast<std::int32_t>(shard.size() - 7))
            .op('s')
            .op('b')
            .stop()
            .str();
    folder.write("step/.metadata", index);
    folder.write("step/__0_0.distcp", shard);
    const CodeScan scan = scanned(folder.path());
    EXPECT_EQ(scan.verdict, Verdict::WouldRunCode) << joined(scan);
    EXPECT_TRUE(std::ranges::any_of(scan.globals, [](const auto& g) {
        return g.file == "step/__0_0.distcp" && g.member == "archive/data.pkl";
    }));
}

TEST(CodeScan, WhatOnlyBeginsLikeAPickleIsNone) {
    std::string header = "{}";
    header.resize(0x280, ' ');
    EXPECT_EQ(verdictOf("a.safetensors", safetensorsFile(header, 0)), Verdict::Inert);
    EXPECT_EQ(verdictOf("vocab.txt", "cat\ndog\nRabbit\n"), Verdict::Inert);
    EXPECT_EQ(verdictOf("merges.txt", "cos\nsin\ntan\n"), Verdict::Inert);
    EXPECT_EQ(verdictOf("weights.bin", std::string(100'000, 'N')), Verdict::Inert);
    EXPECT_EQ(verdictOf("numbers.bin", std::string("\x80\x03\x00\x00", 4)), Verdict::Inert);
}

TEST(CodeScan, PicklesWithoutAnUsualBeginning) {
    const std::string payload = evil().substr(2); // without PROTO
    for (const std::string before : {"N0", "(1", "(NN1", "]0", "I1\n0", "S'x'\n0", "\x89\x30"}) {
        EXPECT_EQ(verdictOf("model.safetensors", before + payload), Verdict::WouldRunCode)
            << before;
        EXPECT_EQ(verdictOf("0f3a9c", before + payload), Verdict::WouldRunCode) << before;
    }
    EXPECT_EQ(verdictOf("a", harmless() + std::string(5'000'000, '\0') + "t" + payload),
              Verdict::WouldRunCode);
}

TEST(CodeScan, WhatIsNotLookedAtIsSaid) {
    const TemporaryFolder folder;
    folder.write("outside.bin", evil());
    folder.write("run/notes.txt", "none");
    std::filesystem::create_symlink(folder / "outside.bin", folder / "run/model.bin");
    std::filesystem::create_symlink("nothing", folder / "run/dangling");
    std::filesystem::create_symlink("notes.txt", folder / "run/inside");
    const CodeScan scan = scanned(folder / "run");
    EXPECT_EQ(scan.verdict, Verdict::NotExamined);
    ASSERT_EQ(scan.reasons.size(), 1U) << joined(scan);
    EXPECT_TRUE(scan.reasons[0].text().starts_with("model.bin: Not examined: ")) << joined(scan);
    EXPECT_EQ(verdictOf("a.lz4", "\x04\x22\x4d\x18 and so on"), Verdict::NotExamined);

    std::string nested = archiveOf(harmless());
    for (int i = 0; i < 12; ++i) {
        nested = buildZip({stored("inner", nested)});
    }
    EXPECT_EQ(verdictOf("deep.zip", nested), Verdict::NotExamined);
    formats::ScanBounds bounds;
    bounds.contents = 2;
    const auto some = scanForCode(kZip, {}, bounds);
    ASSERT_TRUE(some);
    EXPECT_EQ(some->verdict, Verdict::NotExamined);
}

TEST(CodeScan, DeepFoldersAreEntered) {
    const TemporaryFolder folder;
    std::string path;
    for (int i = 0; i < 60; ++i) {
        path += "d/";
    }
    folder.write(path + "x", evil());
    EXPECT_EQ(scanned(folder.path()).verdict, Verdict::WouldRunCode);
}

TEST(CodeScan, ModelsOfKerasWithBytecode) {
    const auto model = [](const std::string& layer) {
        return buildZip(
            {stored("config.json",
                    R"({"module": "keras", "class_name": "Sequential", "config": {"layers": [)" +
                        layer + "]}}")});
    };
    EXPECT_EQ(verdictOf("a.keras", model(R"({"module": "keras.layers", "class_name": "Dense"})")),
              Verdict::Inert);
    EXPECT_EQ(verdictOf("a.keras", model(R"({"module": "my.layers", "class_name": "Odd"})")),
              Verdict::UnknownClass);
    EXPECT_EQ(verdictOf("a.keras", model(R"({"module": "os", "class_name": "system"})")),
              Verdict::WouldRunCode);
    EXPECT_EQ(
        verdictOf(
            "a.keras",
            model(
                R"({"class_name": "Lambda", "config": {"function": {"class_name": "__lambda__"}}})")),
        Verdict::WouldRunCode);
}

TEST(CodeScan, OneSentence) {
    const TemporaryFolder folder;
    EXPECT_EQ(describeScan(scanned(folder.write("a.pt", archiveOf(evil())))),
              "Loading it in Python would run posix.system; nothing was executed");
    EXPECT_EQ(describeScan(scanned(folder.write("a.json", "{}"))), "");
}

TEST(CodeScan, CancelStops) {
    CancelToken cancel;
    cancel.cancel();
    const auto scan = scanForCode(kZip, cancel);
    ASSERT_FALSE(scan);
    EXPECT_EQ(scan.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace cairn::test
