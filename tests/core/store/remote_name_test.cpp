// SPDX-License-Identifier: Apache-2.0
#include "core/io/remote_name.h"
#include "core/store/range_cache.h"
#include "core/store/ssh_start.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cairn {
namespace {

TEST(RemoteName, IsReadAndPrinted) {
    struct Case {
        const char* text;
        const char* user;
        const char* host;
        int port;
        const char* path;
        const char* printed;
    };
    for (const Case& each : std::initializer_list<Case>{
             {"host:/a/b", "", "host", 0, "/a/b", "host:/a/b"},
             {"me@host:~/b", "me", "host", 0, "~/b", "me@host:~/b"},
             {"host:~", "", "host", 0, "~", "host:~"},
             {"ssh://host/a", "", "host", 0, "/a", "host:/a"},
             {"ssh:/host/a", "", "host", 0, "/a", "host:/a"}, // a normalised path
             {"ssh://me@host:2222/a", "me", "host", 2222, "/a", "ssh://me@host:2222/a"},
             {"ssh://host:22/~/a", "", "host", 22, "~/a", "ssh://host:22/~/a"},
             {"ssh://ssh/a", "", "ssh", 0, "/a", "ssh://ssh/a"},
             {"ssh://host//a", "", "host", 0, "/a", "host:/a"},
             {"[::1]:/a", "", "::1", 0, "/a", "[::1]:/a"},
             {"me@[fe80::1%eth0]:/a", "me", "fe80::1%eth0", 0, "/a", "me@[fe80::1%eth0]:/a"},
             {"ssh://[::1]:22/a", "", "::1", 22, "/a", "ssh://[::1]:22/a"},
             {"host:/a:b@c/d", "", "host", 0, "/a:b@c/d", "host:/a:b@c/d"}}) {
        const auto name = RemoteName::parse(each.text);
        ASSERT_TRUE(name) << each.text << describe(name.error());
        EXPECT_EQ(name->user, each.user) << each.text;
        EXPECT_EQ(name->host, each.host) << each.text;
        EXPECT_EQ(name->port, each.port) << each.text;
        EXPECT_EQ(name->path, each.path) << each.text;
        EXPECT_EQ(name->text(), each.printed);
        EXPECT_EQ(RemoteName::parse(name->text()).value(), *name);
    }
}

TEST(RemoteName, WhatSshWouldMisunderstandIsRefused) {
    for (const char* text :
         {"-oProxyCommand=x:/a", "ssh://-oProxyCommand=x/a", "ssh://-x@host/a", "a b:/x",
          "host$(x):/a", "me;x@host:/a", "ssh://host:0/a", "ssh://host:99999/a", "ssh://host:2x/a",
          "ssh://host", "ssh:///a", "@host:/a", "a:b@host:/x"}) {
        EXPECT_FALSE(RemoteName::parse(text)) << text;
    }
    for (const char* text : {"file:///a", "s3://b/x", "https://host:22/a", "host://a"}) {
        ASSERT_FALSE(RemoteName::parse(text)) << text;
        EXPECT_EQ(RemoteName::parse(text).error().code, ErrorCode::Unsupported) << text;
    }
    for (const char* text : {"C:/x", "/a:/b", "./host:/a", "step:100", "host:relative", ""}) {
        EXPECT_FALSE(namesRemote(text)) << text;
    }
}

TEST(RemoteName, GivesSshWordsThatAreNoOptions) {
    const auto words = store::sshWords(RemoteName{"me", "host", 22, "/"});
    const auto end = std::ranges::find(words, "--");
    ASSERT_EQ(words.end() - end, 3);
    EXPECT_EQ(*(end + 1), "host");
}

TEST(RangeCache, HasWhatWasPut) {
    std::mt19937 random(1);
    std::string file(100'000, '\0');
    for (char& each : file) {
        each = static_cast<char>(random());
    }
    store::RangeCache cache(80'000);
    const FileIdentity identity{1, 2, file.size(), 3, 4};
    int hits = 0;
    for (int i = 0; i < 5000; ++i) {
        const std::size_t offset = random() % file.size();
        const std::size_t length = std::min<std::size_t>(random() % 5000, file.size() - offset);
        if (i % 5 == 0) {
            cache.put(identity, offset, file.substr(offset, length));
            continue;
        }
        std::string got(length, '\0');
        if (cache.get(identity, offset, std::as_writable_bytes(std::span(got)))) {
            ++hits;
            ASSERT_EQ(got, file.substr(offset, length));
        }
    }
    EXPECT_GT(hits, 100);
    FileIdentity changed = identity;
    ++changed.mtimeNs;
    std::string got(1, '\0');
    EXPECT_FALSE(cache.get(changed, 0, std::as_writable_bytes(std::span(got))));
}

} // namespace
} // namespace cairn
