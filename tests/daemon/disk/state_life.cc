#include "tests/daemon/disk/state_life.h"

#include <algorithm>
#include <utility>

#include "daemon/database/byte_text.h"
#include "daemon/database/sqlite_registry.h"
#include "scheduler/base/disk_file.h"

namespace wb::test {
namespace {

std::string Text(uint64_t number) { return std::to_string(number); }

std::string BlockText(SqliteStore* store, const std::string& job, const BlockHead& head) {
  std::string text = " " + Text(head.first) + "+" + Text(head.count) + " " +
                     Text(Checksum(AsBytes(head.instances))) + " " + Text(head.bytes);
  if (head.bytes == 0) return text + " dropped\n";
  const Result<BlockRow> block = store->ReadBlock(job, head.first);
  return text + " " + (block.ok() ? Text(Checksum(block->data)) : block.status().message()) + "\n";
}

}  // namespace

Result<OpenState> OpenStateOn(const SimulatedDisk& disk) {
  const std::string folder = disk.Path(kStateFolder);
  OpenState state;
  WB_TRY(MakeLastingFolder(folder, "The state folder", disk));
  WB_ASSIGN(state.store, SqliteStore::Open(folder, disk));
  WB_ASSIGN(state.registry, SqliteRegistry::Open(folder, disk));
  WB_ASSIGN(const BlobFolder modules, BlobFolder::Open(folder + "/modules", disk));
  state.modules = std::make_unique<BlobFolder>(modules);
  return state;
}

std::string DumpOf(const OpenState& state) {
  std::string text;
  std::vector<std::pair<std::string, BlockHead>> heads;
  const Status loaded =
      state.store->LoadJobs([&](const JobRow& row, const std::vector<BlockHead>& blocks) {
        text += row.id + (row.ended ? " ended " : " ") + Text(Checksum(AsBytes(row.request))) +
                " " + row.shown + " " + row.record + "\n";
        for (const BlockHead& block : blocks) heads.emplace_back(row.id, block);
        return Status();
      });
  text += loaded.message();
  for (const auto& [job, head] : heads) text += job + BlockText(state.store.get(), job, head);
  const Result<std::vector<TokenRecord>> tokens = state.registry->Tokens();
  if (!tokens.ok()) return text + tokens.status().message();
  for (const TokenRecord& token : *tokens) text += token.id + " " + token.secret.Hex() + "\n";
  Result<std::vector<OwnerRow>> owners = state.registry->Owners();
  if (!owners.ok()) return text + owners.status().message();
  std::sort(owners->begin(), owners->end());
  for (const OwnerRow& owner : *owners) text += owner.digest + " " + owner.tenant + "\n";
  const Result<std::vector<CordonRow>> cordons = state.registry->Cordons();
  if (!cordons.ok()) return text + cordons.status().message();
  for (const CordonRow& cordon : *cordons) {
    text += cordon.device + " " + std::to_string(cordon.since_unix_ns) + "\n";
  }
  return text;
}

Status StateLife::Start() {
  DatabasePromise empty;
  empty.begun = disk_.RecordSize();
  WB_ASSIGN(state_, OpenStateOn(disk_));
  empty.kept = disk_.RecordSize();
  empty.dump = DumpOf(state_);
  databases_.push_back(std::move(empty));
  return {};
}

Status StateLife::Step() {
  switch (chance_.Below(16)) {
    case 0:
    case 1: return CreateJobs();
    case 2:
    case 3:
    case 4: return AddResults();
    case 5: return EndJob();
    case 6: return ForgetJob();
    case 7: return DropResults();
    case 8: return ChangeTokens();
    case 9: return ChangeOwners();
    case 10:
    case 11: return PutModule();
    case 12: return RemoveModule();
    case 13: return GiveOrder();
    case 14: return EmptyLog();
    default: return Restart();
  }
}

template <typename Change>
Status StateLife::ChangeDatabase(Change change) {
  DatabasePromise promise;
  promise.begun = disk_.RecordSize();
  WB_TRY(change());
  promise.kept = disk_.RecordSize();
  promise.dump = DumpOf(state_);
  databases_.push_back(std::move(promise));
  return {};
}

Status StateLife::CommitEvents(std::vector<JobEvent> events) {
  const JobChanges::Built built = changes_.Build(events);
  WB_TRY(ChangeDatabase([&] { return state_.store->Commit(built.change); }));
  changes_.Accept();
  if (chance_.Half()) state_.store->Tidy();
  return {};
}

std::string StateLife::OneOf(const std::set<std::string>& names) {
  auto at = names.begin();
  std::advance(at, static_cast<ptrdiff_t>(chance_.Below(names.size())));
  return at == names.end() ? "" : *at;
}

Bytes StateLife::SomeBytes(uint64_t most) {
  Bytes bytes(chance_.Below(most));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(chance_.Below(256));
  return bytes;
}

Status StateLife::CreateJobs() {
  std::vector<JobEvent> events;
  for (uint64_t more = 1 + chance_.Below(3); more > 0; --more) {
    JobEvent event;
    event.kind = JobEventKind::kCreated;
    event.id = "job" + Text(1000 + ++number_);
    auto sent = std::make_shared<SentRequest>();
    sent->whole = "whole " + std::string(chance_.Below(9000), 'w');
    sent->shown = "shown";
    event.sent = sent;
    open_.insert(event.id);
    events.push_back(std::move(event));
  }
  return CommitEvents(std::move(events));
}

Status StateLife::AddResults() {
  if (open_.empty()) return {};
  JobEvent event;
  event.kind = JobEventKind::kResults;
  event.id = OneOf(open_);
  std::vector<InstanceResult> results(1 + chance_.Below(20));
  for (InstanceResult& result : results) {
    result.instance = results_[event.id]++;
    result.outputs.emplace_back().bytes = SomeBytes(1500);
  }
  event.results = std::make_shared<ResultBatch>(results);
  event.totals.Add(*event.results);
  return CommitEvents({std::move(event)});
}

Status StateLife::EndJob() {
  if (open_.empty()) return {};
  JobEvent event;
  event.kind = JobEventKind::kEnded;
  event.id = OneOf(open_);
  open_.erase(event.id);
  ended_.insert(event.id);
  return CommitEvents({std::move(event)});
}

Status StateLife::ForgetJob() {
  if (ended_.empty()) return {};
  JobEvent event;
  event.kind = JobEventKind::kForgotten;
  event.id = OneOf(ended_);
  ended_.erase(event.id);
  return CommitEvents({std::move(event)});
}

Status StateLife::DropResults() {
  if (ended_.empty()) return {};
  JobEvent event;
  event.kind = JobEventKind::kDropped;
  event.id = OneOf(ended_);
  event.before = chance_.Below(results_[event.id] + 1);
  if (event.before == 0) return {};
  return CommitEvents({std::move(event)});
}

Status StateLife::ChangeTokens() {
  if (tokens_.size() > 3) {
    const std::string id = OneOf(tokens_);
    tokens_.erase(id);
    return ChangeDatabase([&] { return state_.registry->RemoveToken(id); });
  }
  TokenRecord token;
  token.id = "token" + Text(++number_);
  token.secret = Sha256(AsBytes(token.id));
  token.role = Role::kViewer;
  tokens_.insert(token.id);
  return ChangeDatabase([&] { return state_.registry->AddToken(token); });
}

Status StateLife::ChangeOwners() {
  const OwnerRow owner = {"module", "digest" + Text(chance_.Below(4)), "anna"};
  return ChangeDatabase([&] {
    return chance_.Half() ? state_.registry->AddOwner(owner) : state_.registry->RemoveOwner(owner);
  });
}

Status StateLife::PutModule() {
  BlobPromise promise;
  promise.bytes = SomeBytes(6000);
  for (const char digit : Text(++number_)) promise.bytes.push_back(static_cast<uint8_t>(digit));
  // Some come again, also after they were removed.
  if (!blobs_.empty() && chance_.Below(4) == 0) {
    promise.bytes = blobs_[chance_.Below(blobs_.size())].bytes;
  }
  promise.digest = Sha256(promise.bytes);
  promise.begun = disk_.RecordSize();
  WB_TRY(state_.modules->Put(promise.digest, promise.bytes));
  promise.kept = disk_.RecordSize();
  blobs_.push_back(std::move(promise));
  return {};
}

Status StateLife::RemoveModule() {
  if (blobs_.empty()) return {};
  const Digest digest = blobs_[chance_.Below(blobs_.size())].digest;
  for (BlobPromise& promise : blobs_) {
    if (promise.digest == digest) promise.removed = std::min(promise.removed, disk_.RecordSize());
  }
  return state_.modules->Remove(digest);
}

Status StateLife::GiveOrder() {
  const std::string device = "cuda" + Text(chance_.Below(4));
  const bool closes = chance_.Half();
  ++number_;
  return ChangeDatabase([&] {
    return closes ? state_.registry->AddCordon({device, static_cast<int64_t>(number_)})
                  : state_.registry->RemoveCordon(device);
  });
}

// As SQLite does when the log has grown long.
Status StateLife::EmptyLog() {
  WB_ASSIGN(const auto database,
            Database::Open(disk_.Path(kStateFolder) + "/state.db", Database::Mode::kWrite, disk_));
  static constexpr const char* kHow[] = {"PASSIVE", "FULL", "RESTART", "TRUNCATE"};
  return database->Run("PRAGMA synchronous=FULL; PRAGMA wal_checkpoint(" +
                       std::string(kHow[chance_.Below(4)]) + ")");
}

Status StateLife::Restart() {
  state_ = {};
  WB_ASSIGN(state_, OpenStateOn(disk_));
  return {};
}

std::string StateLife::BlobProblem(const OpenState& state, size_t size) const {
  for (const BlobPromise& promise : blobs_) {
    if (!promise.MayBe(size)) continue;
    const Result<Bytes> bytes = state.modules->Look(promise.digest);
    if (bytes.ok()) continue;  // its digest is right
    const bool may_lack = !promise.IsOwed(size) || promise.removed < size;
    if (bytes.status().reason() == Reason::kNotFound && may_lack) continue;
    return "a module: " + bytes.status().message();
  }
  return "";
}

std::string StateLife::Problem(const OpenState& state, size_t size) const {
  const Result<std::vector<std::string>> damage = state.store->FindDamage();
  if (!damage.ok()) return damage.status().message();
  if (!damage->empty()) return "damage: " + damage->front();
  const std::string dump = DumpOf(state);
  bool is_one = false;
  for (const DatabasePromise& promise : databases_) {
    if (promise.IsOwed(size)) is_one = false;
    if ((promise.MayBe(size) || &promise == &databases_.front()) && promise.dump == dump) {
      is_one = true;
    }
  }
  if (!is_one) return "the database is none of those that it may be:\n" + dump;
  return BlobProblem(state, size);
}

}  // namespace wb::test
