#include "daemon/store/names.h"

#include <gtest/gtest.h>

#include <string>

namespace wb {
namespace {

TEST(Names, JobIdsSortByTime) {
  std::string early = MakeJobId(1, 0xffff, ~uint64_t{0});
  std::string late = MakeJobId(2, 0, 0);
  EXPECT_TRUE(IsJobId(early));
  EXPECT_LT(early, late);
  EXPECT_NE(MakeJobId(1, 0, 1), MakeJobId(1, 0, 2));
  EXPECT_NE(MakeJobId(1, 1, 0), MakeJobId(1, 2, 0));
}

TEST(Names, Parse) {
  Digest digest = Sha256(AsBytes("x"));
  EXPECT_EQ(ParseModuleName(ModuleName(digest)).value(), digest);
  EXPECT_EQ(ParseModuleName("modules/sha256:12").status().reason(), Reason::kInvalidArgument);
  std::string id = MakeJobId(5, 6, 7);
  EXPECT_EQ(ParseJobName(JobName(id)).value(), id);
  EXPECT_FALSE(ParseJobName(id).ok());
  EXPECT_FALSE(ParseJobName("jobs/../etc").ok());
  EXPECT_EQ(ParseCursor(MakeCursor(id, 12), id, "cursor").value(), 12u);
  EXPECT_EQ(ParseCursor("", id, "cursor").value(), 0u);
  for (const std::string& bad : {id, id + ".", id + ".x", id + ".1x", id + ".-1",
                                 MakeCursor("ZZ", 1), id + ".99999999999999999999"}) {
    EXPECT_FALSE(ParseCursor(bad, id, "cursor").ok()) << bad;
  }
}

}  // namespace
}  // namespace wb
