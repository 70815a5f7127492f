// The client library against a daemon that goes away and comes back.

#include "client/client.h"

#include <gtest/gtest.h>

#include "tests/daemon/daemon_fixture.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class ClientTest : public DaemonTest {};

TEST(Client, BadAddressesAreRefused) {
  for (const char* bad : {"", "nonsense", "http://x", "unix:relative", "tcp://nohost"}) {
    EXPECT_EQ(Client::Connect(bad, {}).status().reason(), Reason::kInvalidArgument) << bad;
  }
}

TEST(Client, AnAbsentDaemonIsNamed) {
  ClientOptions options;
  options.attempts = 2;
  options.first_pause = std::chrono::milliseconds(1);
  auto client = Client::Connect("unix:///nowhere/wasmburstd.sock", options).value();
  Status status = client->GetServerInfo().status();
  EXPECT_EQ(status.reason(), Reason::kUnavailable);
  EXPECT_NE(status.message().find("[unix:///nowhere/wasmburstd.sock]"), std::string::npos);
}

TEST_F(ClientTest, InterruptEndsAFollowingStream) {
  Start();
  std::string name = Create("spin", 1);
  v1::ReadResultsRequest request;
  request.set_name(name);
  request.set_follow(true);
  Status status = client_->ReadResults(request, [&](const v1::ReadResultsResponse&) {
    client_->Interrupt();  // at the first heartbeat
    return true;
  });
  EXPECT_EQ(status.reason(), Reason::kCancelled);
  EXPECT_EQ(client_->GetServerInfo().status().reason(), Reason::kCancelled);
}

TEST_F(ClientTest, ACallOutlivesARestartOfTheDaemon) {
  Start();
  auto patient = NewClient(0);
  ASSERT_TRUE(patient->GetServerInfo().ok());
  daemon_->Drain();
  daemon_.reset();
  std::thread later([this] { Start(); });
  EXPECT_TRUE(patient->GetServerInfo().ok());  // tried again until it is back
  later.join();
}

}  // namespace
}  // namespace wb
