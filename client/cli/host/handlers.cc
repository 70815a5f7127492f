#include "client/cli/host/handlers.h"

#include <utility>

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint64_t kMostWarnings = 10;

}  // namespace

Result<std::unique_ptr<Handlers>> Handlers::Start(const HandlerOptions& options, size_t count,
                                                  ResultTypes types, Warn warn) {
  std::unique_ptr<Handlers> handlers(new Handlers(std::move(types), std::move(warn)));
  handlers->processes_.resize(count);  // before the first thread that reads it
  for (size_t i = 0; i < count; ++i) {
    Handlers* const all = handlers.get();
    HandlerEvents events;
    events.on_line = [all](const std::string& line) { all->OnLine(line); };
    events.on_end = [all, i](const std::string& why) { all->OnEnd(i, why); };
    WB_ASSIGN(handlers->processes_[i].process, HandlerProcess::Start(options, std::move(events)));
  }
  return handlers;
}

Handlers::~Handlers() { Finish(); }

void Handlers::Give(const Pending& call, v1::HostAnswer answer) {
  answer.set_instance(call.instance);
  answer.set_number(call.number);
  call.reply(std::move(answer));
}

void Handlers::Fail(const Pending& call, const std::string& why) {
  v1::HostAnswer answer;
  answer.set_error(why);
  Give(call, std::move(answer));
}

void Handlers::Take(const v1::HostCall& call, uint64_t instance, Reply reply) {
  const CallKey key{instance, call.number()};
  Pending pending{instance % processes_.size(), call.import(), call.instance(), call.number(),
                  std::move(reply)};
  std::optional<std::string> end;
  {
    MutexLock lock(mutex_);
    Process& process = processes_[pending.process];
    end = process.end;
    if (!end) {
      pending_.insert_or_assign(key, pending);
      process.process->Send(CallLine(call, key));
    }
  }
  if (end) Fail(pending, *end);
}

std::optional<WaitingCall> Handlers::Find(const CallKey& key) {
  MutexLock lock(mutex_);
  const auto at = pending_.find(key);
  if (at == pending_.end()) return std::nullopt;
  const auto types = types_.find(at->second.import);
  return WaitingCall{at->second.import, types == types_.end() ? nullptr : &types->second};
}

std::optional<Handlers::Pending> Handlers::Remove(const CallKey& key) {
  MutexLock lock(mutex_);
  const auto at = pending_.find(key);
  if (at == pending_.end()) return std::nullopt;
  Pending pending = std::move(at->second);
  pending_.erase(at);
  return pending;
}

void Handlers::OnLine(const std::string& line) {
  HandlerLine read = ReadHandlerLine(line, [this](const CallKey& key) { return Find(key); });
  if (!read.answer.ok()) WarnOfLine(line, read);
  if (!read.key) return;
  const std::optional<Pending> call = Remove(*read.key);
  if (!call) return;
  if (read.answer.ok()) {
    Give(*call, std::move(read.answer).value());
  } else {
    Fail(*call, read.answer.status().message());
  }
}

void Handlers::WarnOfLine(const std::string& line, const HandlerLine& read) {
  bool is_shown = false;
  {
    MutexLock lock(mutex_);
    dropped_lines_ += read.key ? 0 : 1;
    is_shown = ++warnings_ <= kMostWarnings;
  }
  if (is_shown) warn_(read.answer.status().message() + " It is " + QuotedLine(line) + ".");
}

void Handlers::OnEnd(size_t process, const std::string& why) {
  std::vector<Pending> ended;
  {
    MutexLock lock(mutex_);
    processes_[process].end = why;
    for (auto at = pending_.begin(); at != pending_.end();) {
      if (at->second.process != process) {
        ++at;
        continue;
      }
      ended.push_back(std::move(at->second));
      at = pending_.erase(at);
    }
  }
  warn_(why + " Its calls fail from now on.");
  for (const Pending& call : ended) Fail(call, why);
}

void Handlers::Finish() {
  for (Process& process : processes_) {
    if (process.process != nullptr) process.process->BeginEnd();
  }
  for (Process& process : processes_) {
    if (process.process != nullptr) process.process->Finish();
  }
  uint64_t dropped = 0;
  {
    MutexLock lock(mutex_);
    std::swap(dropped, dropped_lines_);
  }
  if (dropped > 0) {
    warn_("[" + std::to_string(dropped) +
          "] lines of the program of --host answered no call and were dropped.");
  }
}

}  // namespace wb::cli
