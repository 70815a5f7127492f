#include "compiler/link/bundle.h"

#include <gtest/gtest.h>

#include "tests/compiler/link/linked_text.h"

namespace wb::test {
namespace {

constexpr std::string_view kLibrary = R"((module (func (export "f") (result i32) (i32.const 1))))";
constexpr std::string_view kMain =
    R"((module (import "library" "f" (func (result i32))) (func (export "run"))))";

TEST(BundleTest, IsReadAsItWasWritten) {
  const auto linked = LinkText({{"library", kLibrary}, {"main", kMain}});
  ASSERT_TRUE(linked.ok());
  const auto again = LoadModule((*linked)->binary());
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ((*again)->digest(), (*linked)->digest());
  EXPECT_EQ((*again)->instances[0].name, "library");
  EXPECT_EQ((*again)->functions.size(), 2u);
}

TEST(BundleTest, WhatPartsImportFromIsKept) {
  const auto bridge = DecodeText(R"((module (import "guest" "memory" (memory 1))))");
  const auto guest = DecodeText(R"((module (memory (export "memory") 3)))");
  const auto linked = Link({{"bridge", bridge, {{"guest", 1}, {"unused", 0}}}, {"", guest, {}}}, {},
                           Instantiation::kAtStart);
  ASSERT_TRUE(linked.ok()) << linked.status().ToString();
  const auto again = LoadModule((*linked)->binary());
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ((*again)->binary(), (*linked)->binary());
  EXPECT_EQ((*again)->digest(), (*linked)->digest());
  EXPECT_EQ((*again)->memories.size(), 1u);
}

TEST(BundleTest, DigestsTellNamesAndOrderApart) {
  const auto digest = [](const std::vector<NamedText>& modules) {
    return (*LinkText(modules))->digest();
  };
  EXPECT_NE(digest({{"a", kLibrary}, {"b", kLibrary}}), digest({{"b", kLibrary}, {"a", kLibrary}}));
  EXPECT_NE(digest({{"a", kLibrary}, {"b", kLibrary}}), digest({{"a", kLibrary}}));
}

TEST(BundleTest, APlainModuleIsDecoded) {
  const auto module = DecodeText(kLibrary);
  const auto again = LoadModule(module->binary());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE((*again)->instances.empty());
}

TEST(BundleTest, EveryPrefixIsRefused) {
  const auto linked = LinkText({{"library", kLibrary}, {"main", kMain}});
  const Bytes& bytes = (*linked)->binary();
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(LoadModule(ByteView(bytes).first(length)).ok()) << length;
  }
  Bytes longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(LoadModule(longer).ok());
}

}  // namespace
}  // namespace wb::test
