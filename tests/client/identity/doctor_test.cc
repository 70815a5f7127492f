#include "client/cli/commands/doctor.h"

#include <gtest/gtest.h>

#include "client/cli/commands/version.h"
#include "tests/client/identity/scratch_folder.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using State = Finding::State;

TEST(Doctor, Versions) {
  v1::ServerInfo info;
  info.set_version("1.2");
  EXPECT_EQ(JudgeVersion(info, "1.2").state, State::kOk);
  EXPECT_EQ(JudgeVersion(info, "1.3").state, State::kWrong);
  EXPECT_EQ(JudgeState(info).state, State::kOk);
  info.set_draining(true);
  EXPECT_EQ(JudgeState(info).state, State::kWrong);
}

TEST(Doctor, Alarms) {
  v1::ServerInfo info;
  EXPECT_EQ(JudgeAlarms(info).state, State::kOk);
  v1::Alarm* alarm = info.add_alarms();
  alarm->set_name("disk");
  alarm->set_reason("The disk is full.");
  alarm->set_advice("Free space.");
  alarm->mutable_since()->set_seconds(86400);
  const Finding finding = JudgeAlarms(info);
  EXPECT_EQ(finding.state, State::kWrong);
  EXPECT_EQ(finding.said, "disk since 1970-01-02 00:00:00 UTC: The disk is full.");
  EXPECT_EQ(finding.advice, "Free space.");
}

constexpr int64_t kSecond = 1'000'000'000;

TEST(Doctor, ADaemonThatStartsInTheFuture) {
  v1::ServerInfo info;
  EXPECT_EQ(JudgeClock(info, 1000 * kSecond, 1000 * kSecond).state, State::kUnknown);
  info.mutable_start_time()->set_seconds(1006);
  EXPECT_EQ(JudgeClock(info, 1000 * kSecond, 1000 * kSecond).state, State::kWrong);
}

TEST(Doctor, ClocksMayDifferByFiveSecondsBesidesTheTimeOfTheAnswer) {
  v1::ServerInfo info;
  info.mutable_start_time()->set_seconds(900);
  const auto judge = [&info](int64_t there, int64_t asked, int64_t answered) {
    info.mutable_current_time()->set_seconds(there);
    return JudgeClock(info, asked * kSecond, answered * kSecond);
  };
  EXPECT_EQ(judge(1000, 1000, 1000).state, State::kOk);
  EXPECT_EQ(judge(1005, 1000, 1000).state, State::kOk);
  EXPECT_EQ(judge(995, 1000, 1000).state, State::kOk);
  const Finding ahead = judge(1006, 1000, 1000);
  EXPECT_EQ(ahead.state, State::kWrong);
  EXPECT_EQ(ahead.said, "the daemon's is 6.0 s ahead of this machine's");
  EXPECT_NE(ahead.advice.find("tokens and certificates expire"), std::string::npos);
  EXPECT_EQ(judge(1006, 1000, 1004).state, State::kOk) << "the answer took four seconds";
  EXPECT_EQ(judge(994, 1000, 1000).said, "the daemon's is 6.0 s behind this machine's");
}

TEST(Doctor, Devices) {
  v1::ListDevicesResponse devices;
  EXPECT_EQ(JudgeDevices(devices).state, State::kWrong);
  v1::Device* device = devices.add_devices();
  device->set_name("devices/cpu0");
  device->set_healthy(true);
  EXPECT_EQ(JudgeDevices(devices).state, State::kOk);
  device->set_gate("cordoned");
  EXPECT_EQ(JudgeDevices(devices).state, State::kOk);
  EXPECT_NE(JudgeDevices(devices).said.find("devices/cpu0 is cordoned"), std::string::npos);
  device->set_healthy(false);
  device->set_trouble("it burns");
  EXPECT_EQ(JudgeDevices(devices).state, State::kWrong);
  EXPECT_EQ(JudgeDevices(devices).said, "devices/cpu0: it burns");
}

TEST(Doctor, Caches) {
  v1::ListCacheResponse cache;
  EXPECT_EQ(JudgeCache(cache).state, State::kOk);
  cache.set_misses(3);
  EXPECT_EQ(JudgeCache(cache).state, State::kUnknown);
  cache.add_entries();
  EXPECT_EQ(JudgeCache(cache).state, State::kOk);
  cache.set_corrupt(1);
  EXPECT_EQ(JudgeCache(cache).state, State::kWrong);
}

TEST(Doctor, TheWayToADaemon) {
  ConnectionFlags flags;
  flags.address = "unix:///nowhere/wasmburstd.sock";
  std::vector<Finding> findings = Diagnose(flags, {});
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].state, State::kOk);
  EXPECT_EQ(findings[1].check, "reachable");
  EXPECT_EQ(findings[1].state, State::kWrong);
  EXPECT_FALSE(AllPass(findings));
  flags.token_file = "/nowhere/token";
  findings = Diagnose(flags, {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].state, State::kWrong);
  EXPECT_NE(findings[0].said.find("/nowhere/token"), std::string::npos);
}

class DoctorTest : public DaemonTest {};

TEST_F(DoctorTest, ADaemonThatAnswers) {
  Start();
  ConnectionFlags flags;
  flags.address = daemon_->addresses()[0];
  const std::vector<Finding> findings = Diagnose(flags, {});
  std::string checks;
  for (const Finding& finding : findings) checks += finding.check + " ";
  EXPECT_EQ(checks, "address reachable identity version state alarms clock devices cache ");
  EXPECT_EQ(findings[1].state, State::kOk);
}

}  // namespace
}  // namespace wb::cli
