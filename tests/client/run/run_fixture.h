#pragma once

// A folder of its own with some files.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "client/cli/program/files.h"
#include "client/cli/run/item_reader.h"

namespace wb::cli {

inline Status GoesOn() { return {}; }

// All items of a source as one part.
inline Result<ItemList> ReadItems(const ItemSource& source) {
  WB_ASSIGN(ItemReader reader, ItemReader::Open(source, GoesOn));
  return reader.Next({});
}

// Items with these texts.
inline ItemList ItemsOf(std::vector<std::string> texts) {
  ItemList items;
  items.has_source = true;
  items.texts = std::move(texts);
  for (uint64_t i = 0; i < items.size(); ++i) items.numbers.push_back(i);
  return items;
}

class FolderTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_run_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Its path.
  std::string Write(const std::string& name, const std::string& bytes) {
    std::string path = folder_ + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    EXPECT_TRUE(WriteFile(path, bytes).ok());
    return path;
  }

  std::string folder_;
};

}  // namespace wb::cli
