#include "daemon/sessions/session_table.h"

#include <algorithm>
#include <utility>

#include "daemon/store/names.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

constexpr size_t kMostGone = 1000;  // sessions of which it is known why they are gone

Status Busy(const std::string& id, const std::string& job) {
  const std::string by = job.empty() ? "another request" : "the job " + Quoted(JobName(job));
  return Status(Reason::kJobRunning,
                "The session " + Quoted(SessionName(id)) + " is used by " + by +
                    ", and its calls come one after the other. Wait until that has ended.",
                {{"resource", job.empty() ? SessionName(id) : JobName(job)}});
}

std::string SecondsText(int64_t ns) { return std::to_string(ns / 1'000'000'000) + " s"; }

}  // namespace

SessionTable::SessionTable(uint64_t most_of_tenant, GoesOn goes_on)
    : most_of_tenant_(most_of_tenant),
      goes_on_(std::move(goes_on)),
      random_(std::random_device{}()) {}

Result<SessionInfo> SessionTable::Open(SessionTerms terms, int64_t now) {
  MutexLock lock(mutex_);
  const auto has = std::count_if(open_.begin(), open_.end(), [&](const auto& entry) {
    return entry.second.info.terms->tenant == terms.tenant;
  });
  if (static_cast<uint64_t>(has) >= most_of_tenant_) {
    return Status(Reason::kQueueFull,
                  "The tenant " + Quoted(terms.tenant) + " has " +
                      Quoted(static_cast<uint64_t>(has)) + " sessions open, and may have " +
                      Quoted(most_of_tenant_) + " (sessions.max_sessions). Close one.",
                  {{"maximum", std::to_string(most_of_tenant_)}});
  }
  // Never earlier than the last one, so that ids sort by creation whatever the clock does.
  last_ms_ = std::max(static_cast<uint64_t>(now) / 1'000'000, last_ms_ + 1);
  SessionInfo info;
  info.id = MakeJobId(last_ms_, static_cast<uint16_t>(random_()), random_());
  info.terms = std::make_shared<const SessionTerms>(std::move(terms));
  info.create_unix_ns = info.used_unix_ns = now;
  open_[info.id] = {info, false};
  return info;
}

Status SessionTable::NotThere(const std::string& id,
                              const std::optional<std::string>& tenant) const {
  std::string why = "There is no such session in this daemon, which may have started again since.";
  for (const Gone& gone : gone_) {
    if (gone.id == id && (!tenant || gone.tenant == *tenant)) why = gone.why;
  }
  return Status(Reason::kNotFound,
                "The session " + Quoted(SessionName(id)) + " was not found. " + why +
                    " Its instances are gone; open another session.",
                {{"resource", SessionName(id)}});
}

Result<SessionInfo> SessionTable::Get(const std::string& id,
                                      const std::optional<std::string>& tenant) const {
  MutexLock lock(mutex_);
  const auto at = open_.find(id);
  const bool is_there = at != open_.end() && (!tenant || at->second.info.terms->tenant == *tenant);
  if (!is_there) return NotThere(id, tenant);
  return at->second.info;
}

std::vector<SessionInfo> SessionTable::List(const std::optional<std::string>& tenant,
                                            const std::string& after, size_t limit) const {
  MutexLock lock(mutex_);
  std::vector<SessionInfo> listed;
  for (auto at = open_.rbegin(); at != open_.rend() && listed.size() < limit; ++at) {
    if (!after.empty() && at->first >= after) continue;
    if (!tenant || at->second.info.terms->tenant == *tenant) listed.push_back(at->second.info);
  }
  return listed;
}

SessionInfo SessionTable::Remove(std::map<std::string, Entry>::iterator at, std::string why) {
  SessionInfo info = std::move(at->second.info);
  open_.erase(at);
  gone_.push_back({info.id, info.terms->tenant, std::move(why)});
  if (gone_.size() > kMostGone) gone_.pop_front();
  return info;
}

Result<SessionInfo> SessionTable::Close(const std::string& id, const std::string& why) {
  MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at == open_.end()) return NotThere(id, std::nullopt);
  return Remove(at, why);
}

Status SessionTable::Take(const std::string& id) {
  WB_ASSIGN(const SessionInfo seen, Get(id, std::nullopt));
  WB_TRY(CheckFree(seen));
  MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at == open_.end()) return NotThere(id, std::nullopt);
  Entry& entry = at->second;
  if (entry.taken) return Busy(id, "");
  if (entry.info.job != seen.job) return Busy(id, entry.info.job);
  entry.taken = true;
  return {};
}

bool SessionTable::Called(const std::string& id, const std::string& job,
                          const std::string& request_id, int64_t now) {
  MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at == open_.end()) return false;
  at->second.taken = false;
  SessionInfo& info = at->second.info;
  if (info.job != job) ++info.calls;
  info.job = job;
  info.request_id = request_id;
  info.used_unix_ns = now;
  return true;
}

void SessionTable::Release(const std::string& id, int64_t now) {
  MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at == open_.end()) return;
  at->second.taken = false;
  at->second.info.used_unix_ns = now;
}

void SessionTable::Touched(const std::string& id, int64_t now) {
  MutexLock lock(mutex_);
  const auto at = open_.find(id);
  if (at != open_.end()) at->second.info.used_unix_ns = now;
}

Status SessionTable::CheckFree(const SessionInfo& session) const {
  return IsRunning(session) ? Busy(session.id, session.job) : Status();
}

bool SessionTable::IsRunning(const SessionInfo& session) const {
  return !session.job.empty() && goes_on_(session.job);
}

std::vector<SessionInfo> SessionTable::CloseIdle(int64_t now) {
  std::vector<SessionInfo> running;
  for (SessionInfo& session : List(std::nullopt, "", SIZE_MAX)) {
    if (IsRunning(session)) running.push_back(std::move(session));
  }
  std::vector<SessionInfo> closed;
  MutexLock lock(mutex_);
  for (const SessionInfo& session : running) {
    const auto at = open_.find(session.id);
    if (at != open_.end()) at->second.info.used_unix_ns = now;
  }
  for (auto at = open_.begin(); at != open_.end();) {
    const auto next = std::next(at);
    const SessionInfo& info = at->second.info;
    const int64_t idle = info.terms->idle_ns;
    if (!at->second.taken && now - info.used_unix_ns >= idle) {
      closed.push_back(
          Remove(at, "It closed, since it had not been used for " + SecondsText(idle) + "."));
    }
    at = next;
  }
  return closed;
}

uint64_t SessionTable::size() const {
  MutexLock lock(mutex_);
  return open_.size();
}

uint64_t SessionTable::bytes() const {
  uint64_t bytes = 0;
  for (const SessionInfo& session : List(std::nullopt, "", SIZE_MAX)) {
    bytes += session.terms->residents->bytes();
  }
  return bytes;
}

}  // namespace wb
