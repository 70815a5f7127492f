// What needs no server: addresses, errors, rows of COPY, the pace of attempts.

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "daemon/config/config_file.h"
#include "daemon/config/postgres_address.h"
#include "daemon/database/disk_alarm.h"
#include "daemon/postgres/copy_rows.h"
#include "daemon/postgres/postgres_errors.h"
#include "daemon/postgres/retry_pace.h"

namespace wb {
namespace {

TEST(PostgresAddressTest, AddressesWithoutAPasswordAreTaken) {
  for (const char* address :
       {"postgresql://wasmburst@localhost/wasmburst", "postgres://db:5433/jobs?connect_timeout=3",
        "postgresql:///jobs?host=/run/postgresql&user=wb&passfile=/etc/wasmburst/pgpass",
        "postgresql://one:5432,two:5432/jobs?target_session_attrs=read-write"}) {
    EXPECT_TRUE(CheckPostgresAddress(address).ok()) << address;
  }
}

TEST(PostgresAddressTest, APasswordIsRefusedAndNotRepeated) {
  for (const char* address :
       {"postgresql://wb:sesame@db/jobs", "postgres://:sesame@db/jobs", "postgresql://wb:@db",
        "postgresql:///jobs?password=sesame", "postgresql://db/jobs?a=b&sslpassword=sesame",
        "postgresql://db/jobs?p%61ssword=sesame"}) {
    const Status status = CheckPostgresAddress(address);
    ASSERT_EQ(status.reason(), Reason::kConfigInvalid) << address;
    EXPECT_EQ(status.ToString().find("sesame"), std::string::npos) << status.ToString();
    EXPECT_NE(status.message().find("passfile=FILE"), std::string::npos) << status.message();
  }
}

TEST(PostgresAddressTest, OtherTextsAreRefusedAndNotRepeated) {
  for (const char* address : {"host=db password=sesame", "sesame", "mysql://wb:sesame@db/jobs"}) {
    const Status status = CheckPostgresAddress(address);
    ASSERT_EQ(status.reason(), Reason::kConfigInvalid) << address;
    EXPECT_EQ(status.ToString().find("sesame"), std::string::npos) << status.ToString();
    EXPECT_NE(status.message().find("postgresql://"), std::string::npos);
  }
}

TEST(PostgresAddressTest, TheFileOfSettingsIsCheckedAndItsErrorsHoldNoPassword) {
  const std::string text = "version = 1\n[store]\npostgres = \"postgresql://wb:sesame@db/jobs\"\n";
  const Result<Config> config = ParseConfig(text, "wasmburst.toml");
  ASSERT_FALSE(config.ok());
  EXPECT_NE(config.status().message().find("wasmburst.toml: The setting [store.postgres]"),
            std::string::npos)
      << config.status().message();
  EXPECT_EQ(config.status().ToString().find("sesame"), std::string::npos);
}

TEST(PostgresAddressTest, MessagesNameThePlaceAlone) {
  EXPECT_EQ(PostgresPlace("postgresql://wb@db:5433/jobs?passfile=/x"), "db:5433/jobs");
  EXPECT_EQ(PostgresPlace("postgresql:///jobs?host=/run"), "/jobs");
}

TEST(PostgresErrorsTest, WhatPassesIsToldFromWhatDoesNot) {
  for (const char* state : {"", "08006", "40001", "40P01", "53300", "55P03", "57014", "57P01",
                            "57P03", "25006", "25P03", "WB001"}) {
    EXPECT_EQ(PostgresError("db/jobs", state, "words").reason(), Reason::kMachineFault) << state;
  }
  EXPECT_EQ(PostgresError("db/jobs", "53100", "words").reason(), Reason::kNoSpace);
  for (const char* state : {"23505", "42P01", "42501", "22021", "XX001"}) {
    EXPECT_EQ(PostgresError("db/jobs", state, "words").reason(), Reason::kIoError) << state;
  }
  EXPECT_EQ(PostgresError("db/jobs", "", "one\n\ttwo \n").message(),
            "The database at [db/jobs] does not answer: one two");
}

TEST(PostgresErrorsTest, WhatTookTooLongIsToldFromARefusal) {
  for (const char* state : {"57014", "55P03"}) {
    EXPECT_TRUE(IsTimeout(PostgresError("db/jobs", state, "words"))) << state;
  }
  const Status silence = SilenceError("db/jobs", std::chrono::seconds(35));
  EXPECT_TRUE(IsTimeout(silence));
  EXPECT_EQ(silence.message(), "The database at [db/jobs] does not answer: nothing came in 35 s");
  for (const char* state : {"", "57P01", "40001", "WB001"}) {
    EXPECT_FALSE(IsTimeout(PostgresError("db/jobs", state, "words"))) << state;
  }
  EXPECT_FALSE(IsTimeout(ConnectError("db/jobs", "refused")));
  EXPECT_TRUE(IsRefusal(PostgresError("db/jobs", "WB002", "words")));
  EXPECT_FALSE(IsRefusal(PostgresError("db/jobs", "57014", "words")));
}

TEST(DiskAlarmTest, OfADatabaseItNamesTheDatabase) {
  DiskAlarm::Parts parts;
  parts.folder = "/state";
  parts.database = "db/jobs";
  parts.room = [] { return DiskRoom(); };
  parts.now = [] { return int64_t{7}; };
  DiskAlarm alarm(parts);
  EXPECT_FALSE(alarm.Look());
  alarm.NoteCommit(PostgresError("db/jobs", "", "gone"));
  const std::optional<DiskAlarm::Raised> raised = alarm.Look();
  ASSERT_TRUE(raised);
  EXPECT_EQ(raised->reason,
            "The database at [db/jobs] did not take the last change. The database at [db/jobs] "
            "does not answer: gone");
  alarm.NoteCommit({});
  EXPECT_FALSE(alarm.Look());
}

// Written by PostgreSQL 15 itself: COPY (SELECT 258::bigint, 'ab', '\xff00'::bytea) TO STDOUT
// (FORMAT binary).
TEST(CopyRowsTest, RowsAreAsPostgresqlWritesThem) {
  CopyRows rows(3);
  EXPECT_TRUE(rows.empty());
  const Bytes blob = {0xff, 0x00};
  rows.Row().Number(258).Text("ab").Blob(blob);
  EXPECT_FALSE(rows.empty());
  const unsigned char expected[] = {
      'P', 'G', 'C', 'O', 'P', 'Y', '\n', 0xff, '\r', '\n', 0,    0, 0,    0,
      0,   0,   0,   0,   0,   0,   3,                                // columns
      0,   0,   0,   8,   0,   0,   0,    0,    0,    0,    1,    2,  // 258
      0,   0,   0,   2,   'a', 'b', 0,    0,    0,    2,    0xff, 0, 0xff, 0xff};
  EXPECT_EQ(std::move(rows).Take(),
            std::string(reinterpret_cast<const char*>(expected), sizeof(expected)));
}

TEST(RetryPaceTest, PausesDoubleUpToABoundAndEndWithASuccess) {
  RetryPace pace;
  RetryPace::Clock::time_point now = RetryPace::Clock::time_point(std::chrono::hours(1));
  EXPECT_TRUE(pace.MayTry(now));
  std::chrono::milliseconds pause = RetryPace::kShortest;
  for (int i = 0; i < 12; ++i) {
    pace.Failed(now);
    EXPECT_FALSE(pace.MayTry(now + pause - std::chrono::milliseconds(1))) << i;
    EXPECT_TRUE(pace.MayTry(now + pause)) << i;
    now += pause;
    pause = std::min(2 * pause, RetryPace::kLongest);
  }
  pace.Succeeded();
  EXPECT_TRUE(pace.MayTry(now));
  pace.Failed(now);
  EXPECT_TRUE(pace.MayTry(now + RetryPace::kShortest));
}

}  // namespace
}  // namespace wb
