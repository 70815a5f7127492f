// The alarm of the disk: raised by space and by failures, and cleared by itself.

#include "daemon/database/disk_alarm.h"

#include <gtest/gtest.h>

namespace wb {
namespace {

class DiskAlarmTest : public testing::Test {
 protected:
  DiskRoom room_ = {true, false, 1000};
  int64_t now_ = 7;
  DiskAlarm alarm_{{"/state", "", 800, [this] { return room_; }, [this] { return now_; }}};
};

TEST_F(DiskAlarmTest, TooLittleSpaceRaisesItAndMoreClearsIt) {
  EXPECT_FALSE(alarm_.Look());
  EXPECT_TRUE(alarm_.Admit().ok());
  room_.free_bytes = 799;
  const auto raised = alarm_.Look();
  ASSERT_TRUE(raised);
  EXPECT_NE(raised->reason.find("[/state] has [799] bytes free"), std::string::npos);
  EXPECT_NE(raised->reason.find("server.min_free_bytes [800]"), std::string::npos);
  EXPECT_NE(raised->advice.find("Free space"), std::string::npos);
  EXPECT_EQ(alarm_.Admit().reason(), Reason::kNoSpace);
  // It keeps its time, and does not come and go with a few bytes.
  now_ = 9;
  room_.free_bytes = 899;
  EXPECT_EQ(alarm_.Look()->since_unix_ns, 7);
  EXPECT_FALSE(alarm_.Admit().ok());
  room_.free_bytes = 900;
  EXPECT_FALSE(alarm_.Look());
  EXPECT_TRUE(alarm_.Admit().ok());
  room_.free_bytes = 799;
  EXPECT_EQ(alarm_.Look()->since_unix_ns, 9);
}

TEST_F(DiskAlarmTest, AChangeThatFailedRaisesItAndOneThatWorkedClearsIt) {
  alarm_.NoteCommit(Status(Reason::kIoError, "It burns."));
  const auto raised = alarm_.Look();
  ASSERT_TRUE(raised);
  EXPECT_NE(raised->reason.find("did not take the last change. It burns."), std::string::npos);
  EXPECT_TRUE(alarm_.Admit().ok());  // the next change tells
  alarm_.NoteCommit({});
  EXPECT_FALSE(alarm_.Look());
}

TEST_F(DiskAlarmTest, ADiskThatIsReadOnlyRaisesIt) {
  room_.read_only = true;
  EXPECT_NE(alarm_.Look()->reason.find("read-only"), std::string::npos);
}

TEST_F(DiskAlarmTest, WhatIsUnknownRaisesNothing) {
  room_ = {};
  EXPECT_FALSE(alarm_.Look());
  EXPECT_TRUE(alarm_.Admit().ok());
}

TEST(DiskRoomTest, OfFolders) {
  EXPECT_FALSE(RoomAt("").known);
  EXPECT_FALSE(RoomAt("/no/such/folder").known);
  EXPECT_TRUE(RoomAt("/tmp").known);
  EXPECT_GT(RoomAt("/tmp").free_bytes, 0u);
}

}  // namespace
}  // namespace wb
