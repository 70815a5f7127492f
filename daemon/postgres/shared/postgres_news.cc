#include "daemon/postgres/shared/postgres_news.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"
#include "daemon/postgres/shared/shared_queries.h"

namespace wb {
namespace {

// Between attempts to connect; the database's own pace says when one is made.
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

// N hosts of which each tells N others: 50,000 sessions in a second have something to hear, at
// most.
std::chrono::microseconds NewsPace(uint64_t hosts) {
  constexpr std::chrono::microseconds kShortest = std::chrono::milliseconds(10);
  constexpr std::chrono::microseconds kLongest = std::chrono::seconds(60);
  constexpr uint64_t kMany = 100'000;  // whose square is far beyond the longest
  const uint64_t each = std::min(hosts, kMany);
  return std::clamp(std::chrono::microseconds(20 * each * each), kShortest, kLongest);
}

PostgresNews::PostgresNews(std::shared_ptr<PostgresDatabase> database)
    : database_(std::move(database)) {
  WB_CHECK(pipe(wake_.data()) == 0);
  for (const int end : wake_) {
    (void)fcntl(end, F_SETFD, FD_CLOEXEC);
    (void)fcntl(end, F_SETFL, O_NONBLOCK);
  }
}

PostgresNews::~PostgresNews() {
  for (const int end : wake_) close(end);
}

void PostgresNews::Stop() {
  is_stopped_ = true;
  (void)!write(wake_[1], "x", 1);
}

void PostgresNews::DrainPipe() const {
  char bytes[64];
  while (read(wake_[0], bytes, sizeof(bytes)) > 0) {
  }
}

void PostgresNews::Tell(PostgresConnection* connection, const std::vector<std::string>& jobs) {
  if (jobs.empty()) return;
  if (!is_awaited_ || is_stopped_) {
    (void)connection->Run(NewsOf({jobs.begin(), jobs.end()}));
    return;
  }
  bool is_first = false;
  {
    const MutexLock lock(mutex_);
    is_first = untold_.empty();
    untold_.insert(jobs.begin(), jobs.end());
  }
  if (is_first) (void)!write(wake_[1], "x", 1);
}

Result<std::vector<std::string>> PostgresNews::RunTold(const PostgresQuery& query,
                                                       const std::string& job) {
  std::vector<std::string> answer;
  WB_TRY(database_->Use([&](PostgresConnection* connection) -> Status {
    WB_ASSIGN(const PostgresRows rows, connection->Run(query));
    for (int i = 0; i < rows.size(); ++i) answer.push_back(rows.Text(i, 0));
    Tell(connection, job.empty() ? answer : std::vector<std::string>{job});
    return {};
  }));
  return answer;
}

bool PostgresNews::Listens() {
  Result<std::unique_ptr<PostgresConnection>> opened = database_->Connect();
  if (!opened.ok() || !(*opened)->Script(kListen).ok()) return false;
  connection_ = std::move(*opened);
  return true;
}

void PostgresNews::Pause(Time end) const {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  pollfd ready{wake_[0], POLLIN, 0};
  (void)poll(&ready, 1, static_cast<int>(std::clamp<int64_t>(left.count(), 0, kPause.count())));
}

// False: the connection is lost; what was to be told is kept for the next.
bool PostgresNews::TellDue(Time now) {
  std::set<std::string> jobs;
  {
    const MutexLock lock(mutex_);
    if (untold_.empty() || now - told_at_ < NewsPace(hosts_)) return true;
    jobs.swap(untold_);
  }
  told_at_ = now;
  if (connection_->Run(NewsOf(jobs)).ok()) return true;
  const MutexLock lock(mutex_);
  untold_.merge(jobs);
  return false;
}

// When there is something to do without anything having come.
PostgresNews::Time PostgresNews::NextStep(Time end) {
  const MutexLock lock(mutex_);
  if (!untold_.empty()) end = std::min(end, told_at_ + NewsPace(hosts_));
  if (!heard_.empty()) end = std::min(end, gave_at_ + NewsPace(hosts_));
  return end;
}

std::vector<std::string> PostgresNews::Await(std::chrono::nanoseconds most) {
  is_awaited_ = true;
  Time now = std::chrono::steady_clock::now();
  const Time end = now + std::min<std::chrono::nanoseconds>(most, std::chrono::hours(24));
  while (connection_ == nullptr) {
    if (is_stopped_ || Listens() || std::chrono::steady_clock::now() >= end) return {};
    Pause(end);
  }
  while (!is_stopped_) {
    DrainPipe();
    now = std::chrono::steady_clock::now();
    if (!TellDue(now)) break;
    if (!heard_.empty() && now - gave_at_ >= NewsPace(hosts_)) {
      gave_at_ = now;
      const std::set<std::string> jobs = std::exchange(heard_, {});
      return {jobs.begin(), jobs.end()};
    }
    if (now >= end) return {};
    const auto payloads = connection_->AwaitNotices(wake_[0], NextStep(end));
    if (!payloads.ok()) break;
    heard_.insert(payloads->begin(), payloads->end());
  }
  heard_.clear();  // all is looked at
  if (is_stopped_) {
    told_at_ = {};
    (void)TellDue(now);
  } else {
    connection_.reset();
  }
  return {};
}

}  // namespace wb
