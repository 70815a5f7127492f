#include "client/cli/profile/profile_text.h"

#include <gtest/gtest.h>

#include "tests/client/profile/sample_profile.h"

namespace wb::test {
namespace {

namespace v1 = wasmburst::v1;

TEST(ProfileTextTest, TheTableHasWhatUsedMostFirst) {
  const cli::ProfileTree tree = cli::TreeOf(SampleProfile()).value();
  const std::string table = cli::TopTable(tree, 20);
  // Of calls by itself only the outermost counts in the total.
  EXPECT_EQ(table,
            "SELF   FUEL  TOTAL   FUEL  CALLS  FUNCTION\n"
            "58.3%  70    58.3%   70    3      a::work(int) loop 0x40\n"
            "29.2%  35    87.5%   105   4      a::work(int)\n"
            "12.5%  15    100.0%  120   2      main\n");
  EXPECT_EQ(cli::TopTable(tree, 1).find("main"), std::string::npos);
}

TEST(ProfileTextTest, TheSampleSaysHowMuchOfTheJobItIs) {
  v1::Profile profile = SampleProfile();
  EXPECT_EQ(cli::SampleText(profile),
            "jobs/1: 1 of 1000 instances ran again, 120 of 60 k instructions (0.2%).\n");
  profile.add_sample()->set_cut(v1::ProfiledInstance::FUEL);
  profile.add_sample()->set_cut(v1::ProfiledInstance::FUEL);
  profile.add_sample()->set_cut(v1::ProfiledInstance::TIME);
  profile.set_note("It was late.");
  EXPECT_EQ(cli::SampleText(profile),
            "jobs/1: 4 of 1000 instances ran again, 120 of 60 k instructions (0.2%).\n"
            "2 of them were stopped after profiles.max_fuel instructions: the first part counts.\n"
            "1 of them was stopped when the time of the profile was over: the first part counts.\n"
            "It was late.\n");
}

TEST(ProfileTextTest, AShareOfNothingIsNothing) {
  EXPECT_EQ(cli::ShareText(0, 0), "0.0%");
  EXPECT_EQ(cli::ShareText(1, 3), "33.3%");
}

}  // namespace
}  // namespace wb::test
