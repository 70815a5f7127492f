#include "daemon/postgres/postgres_news.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "compiler/base/check.h"
#include "daemon/postgres/shared_queries.h"

namespace wb {
namespace {

// Between attempts to connect; the database's own pace says when one is made.
constexpr std::chrono::milliseconds kPause{100};

}  // namespace

Status TellOf(PostgresConnection* connection, const PostgresRows& rows, int column) {
  std::vector<PostgresQuery> news;
  for (int i = 0; i < rows.size(); ++i) {
    const std::string job = rows.Text(i, column);
    if (!job.empty()) news.push_back(NewsOf(job));
  }
  return news.empty() ? Status() : connection->Batch(news);
}

PostgresNews::PostgresNews(std::shared_ptr<PostgresDatabase> database)
    : database_(std::move(database)) {
  WB_CHECK(pipe(wake_.data()) == 0);
  for (const int end : wake_) (void)fcntl(end, F_SETFD, FD_CLOEXEC);
}

PostgresNews::~PostgresNews() {
  for (const int end : wake_) close(end);
}

void PostgresNews::Stop() {
  if (is_stopped_.exchange(true)) return;
  WB_CHECK(write(wake_[1], "x", 1) == 1);
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

std::vector<std::string> PostgresNews::Await(std::chrono::nanoseconds most) {
  const Time end = std::chrono::steady_clock::now() +
                   std::min<std::chrono::nanoseconds>(most, std::chrono::hours(24));
  while (connection_ == nullptr) {
    if (is_stopped_ || Listens() || std::chrono::steady_clock::now() >= end) return {};
    Pause(end);
  }
  if (is_stopped_) return {};
  Result<std::vector<std::string>> ids = connection_->AwaitNotices(wake_[0], end);
  if (!ids.ok()) {
    connection_.reset();
    return {};
  }
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
  return std::move(*ids);
}

}  // namespace wb
