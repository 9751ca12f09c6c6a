// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <dlfcn.h>

namespace {

TEST(ProcessorTargets, AreThoseThatHighwayFinds) {
    void* library = ::dlopen("libhwy.so.1", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << "it comes with the headers";
    using Function = std::int64_t (*)();
    const auto theirs = reinterpret_cast<Function>(::dlsym(library, "_ZN3hwy16SupportedTargetsEv"));
    ASSERT_NE(theirs, nullptr);
    hwy::SetSupportedTargetsForTest(0);
    ASSERT_NE(theirs, &hwy::SupportedTargets) << "compared with itself";
    EXPECT_EQ(hwy::SupportedTargets(), theirs());
}

} // namespace
