// Requests that are longer than a message to an engine host may be.

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

#include "compiler/compiler.h"
#include "scheduler/devices/device.h"
#include "scheduler/engine_host/connection.h"
#include "scheduler/engine_host/messages.h"

namespace wb::test {
namespace {

using wasmburst::engine::Request;

TEST(MessageBoundTest, ARequestBeyondTheBoundIsRefusedAndTheHostGoesOn) {
  constexpr std::chrono::seconds kPatience{60};
  EngineConnection::Plan plan;
  plan.program = WB_ENGINE_HOST;
  plan.name = "interpreter0";
  plan.max_message_bytes = 1000;
  bool is_lost = false;
  const auto connection = EngineConnection::Start(plan, [&is_lost] { is_lost = true; });
  ASSERT_TRUE(connection.ok()) << connection.status().message();
  Request hello;
  hello.mutable_hello()->set_version(std::string(CompilerVersion()));
  hello.mutable_hello()->set_engine(static_cast<uint32_t>(Engine::kInterpreter));
  hello.mutable_hello()->set_id(plan.name);
  hello.mutable_hello()->set_threads(1);
  const auto greeted = (*connection)->Call(std::move(hello), kPatience);
  ASSERT_TRUE(greeted.ok()) << greeted.status().message();
  Request load;
  load.mutable_load()->set_wasm(std::string(1000, 'w'));
  const Status refused = (*connection)->Call(load, kPatience).status();
  EXPECT_EQ(refused.reason(), Reason::kLimitTooHigh);
  EXPECT_EQ(
      refused.message(),
      "A message of [1008] bytes to the engine host of the device [interpreter0] is beyond the "
      "bound of [1000]. It holds a module or its kernel; the module is too large for the "
      "device.");
  Request sample;
  sample.mutable_sample();
  EXPECT_TRUE((*connection)->Call(std::move(sample), kPatience).ok());
  EXPECT_FALSE(is_lost);
}

}  // namespace
}  // namespace wb::test
