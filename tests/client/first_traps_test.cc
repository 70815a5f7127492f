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
  EXPECT_EQ(traps.Text(),
            "instance 17 trapped: integer divide by zero (function 12, offset 0x1a3)");
}

TEST(FirstTraps, TheCallsThatLedToItStandUnderATrap) {
  v1::InstanceResult result = Trapped(17);
  v1::TraceFrame* inner = result.add_backtrace();
  inner->set_function(12);
  inner->set_offset(419);
  v1::TraceFrame* outer = result.add_backtrace();
  outer->set_function(4);
  outer->set_offset(0x99);
  outer->set_function_name("main");
  outer->set_file("src/main.c");
  outer->set_line(7);
  FirstTraps traps;
  traps.Add(result);
  EXPECT_EQ(traps.Text(),
            "instance 17 trapped: integer divide by zero (function 12, offset 0x1a3)\n"
            "    from main (function 4, offset 0x99) at src/main.c:7");
}

TEST(FirstTraps, WhyThereAreNoCallsStandsUnderATrap) {
  v1::InstanceResult result = Trapped(17);
  result.set_backtrace_error("The process was ended by signal [9].");
  FirstTraps traps;
  traps.Add(result);
  EXPECT_EQ(traps.Text(),
            "instance 17 trapped: integer divide by zero (function 12, offset 0x1a3)\n"
            "    no backtrace: The process was ended by signal [9].");
}

TEST(FirstTraps, TrapsWithCallsStandBeforeOthers) {
  FirstTraps traps;
  for (uint64_t instance : {9, 4, 6, 1}) {
    v1::InstanceResult result = Trapped(instance);
    if (instance == 1) result.add_backtrace()->set_function_name("main");
    traps.Add(result);
  }
  const std::string where = " trapped: integer divide by zero (function 12, offset 0x1a3)\n";
  EXPECT_EQ(traps.Text(), "instance 1" + where + "    from main (function 0, offset 0x0)\n" +
                              "instance 9" + where + "instance 4" + where + "and [1] more trapped");
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
  const std::string where = " trapped: integer divide by zero (function 12, offset 0x1a3)\n";
  EXPECT_EQ(traps.Text(), "instance 9" + where + "instance 4" + where + "instance 6" + where +
                              "and [2] more trapped");
}

}  // namespace
}  // namespace wb::cli
