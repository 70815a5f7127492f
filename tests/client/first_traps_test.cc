#include "client/cli/output/first_traps.h"

#include <gtest/gtest.h>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

v1::InstanceResult Trapped(uint64_t instance) {
  v1::InstanceResult result;
  result.set_instance(instance);
  result.set_end(v1::TRAPPED);
  result.mutable_trap()->set_message("integer divide by zero");
  result.mutable_trap()->set_function(12);
  result.mutable_trap()->set_offset(419);
  return result;
}

TEST(FirstTraps, ATrapIsALineInWords) {
  FirstTraps traps;
  traps.Add(Trapped(17));
  EXPECT_EQ(traps.Text(), "instance 17 trapped: integer divide by zero (function 12, offset 419)");
}

TEST(FirstTraps, OtherEndsAreNotShown) {
  FirstTraps traps;
  v1::InstanceResult result;
  for (v1::End end : {v1::RETURNED, v1::EXITED, v1::OUT_OF_FUEL, v1::ENGINE_FAILED}) {
    result.set_end(end);
    traps.Add(result);
  }
  EXPECT_EQ(traps.Text(), "");
}

TEST(FirstTraps, OfManyTheFirstThreeAreShownAndTheOthersCounted) {
  FirstTraps traps;
  for (uint64_t instance : {9, 4, 6, 1, 2}) traps.Add(Trapped(instance));
  const std::string where = " trapped: integer divide by zero (function 12, offset 419)\n";
  EXPECT_EQ(traps.Text(), "instance 9" + where + "instance 4" + where + "instance 6" + where +
                              "and [2] more trapped");
}

}  // namespace
}  // namespace wb::cli
