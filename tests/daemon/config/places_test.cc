// Where the daemon keeps its files: where the user or systemd says, else at home, else nowhere.

#include "daemon/config/places.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

namespace wb {
namespace {

constexpr const char* kVariables[] = {"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "CACHE_DIRECTORY",
                                      "STATE_DIRECTORY"};

class PlacesTest : public testing::Test {
 protected:
  PlacesTest() {
    for (const char* variable : kVariables) {
      const char* value = getenv(variable);
      before_.push_back(value == nullptr ? "" : value);
      unsetenv(variable);
    }
  }
  ~PlacesTest() override {
    for (size_t i = 0; i < before_.size(); ++i) {
      unsetenv(kVariables[i]);
      if (!before_[i].empty()) setenv(kVariables[i], before_[i].c_str(), 1);
    }
  }

 private:
  std::vector<std::string> before_;
};

TEST_F(PlacesTest, WithoutAHomeThereIsNoPlace) {
  EXPECT_EQ(CacheDirectory(""), "");
  EXPECT_EQ(StateDirectory(""), "");
  EXPECT_EQ(CacheDirectory("/named"), "/named");
}

TEST_F(PlacesTest, TheNearestWordHolds) {
  setenv("HOME", "/home/a", 1);
  EXPECT_EQ(CacheDirectory(""), "/home/a/.cache/wasmburst");
  EXPECT_EQ(StateDirectory(""), "/home/a/.local/state/wasmburst");
  setenv("XDG_CACHE_HOME", "/x", 1);
  EXPECT_EQ(CacheDirectory(""), "/x/wasmburst");
  setenv("CACHE_DIRECTORY", "/var/cache/w", 1);
  EXPECT_EQ(CacheDirectory(""), "/var/cache/w");
}

TEST_F(PlacesTest, AProgramWithoutASlashIsSearchedInPath) {
  const std::string found = FindProgram("sh", Companion::kChecker);
  EXPECT_TRUE(found.starts_with("/") && found.ends_with("/sh")) << found;
  EXPECT_EQ(FindProgram("no-such-program-anywhere", Companion::kChecker),
            "no-such-program-anywhere");
  EXPECT_EQ(FindProgram("./sh", Companion::kChecker), "./sh");
}

}  // namespace
}  // namespace wb
