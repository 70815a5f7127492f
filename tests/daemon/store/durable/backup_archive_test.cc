// A state folder as an archive and back, and archives that are damaged or made to do harm.

#include "daemon/store/durable/backup_archive.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "daemon/database/blob_folder.h"
#include "daemon/database/folder_lock.h"
#include "daemon/database/sqlite_store.h"
#include "daemon/store/durable/backup_format.h"
#include "daemon/store/durable/backup_restore.h"
#include "daemon/store/durable/durable_job_store.h"
#include "daemon/store/durable/state_check.h"

namespace wb {
namespace {

namespace fs = std::filesystem;

class BackupArchiveTest : public testing::Test {
 protected:
  using Files = std::vector<std::pair<std::string, std::string>>;

  void SetUp() override {
    char folder[] = "/tmp/wb_backup_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    root_ = folder;
    state_ = root_ + "/state";
    ASSERT_TRUE(MakePrivateFolder(state_, "The state folder").ok());
  }
  void TearDown() override { fs::remove_all(root_); }

  std::unique_ptr<DurableJobStore> OpenJobs() const {
    DurableJobStore::Limits limits = {{1000, {uint64_t{1} << 30, 0, uint64_t{1} << 30}, 1},
                                      1 << 20};
    return std::make_unique<DurableJobStore>(SqliteStore::Open(state_).value(), limits,
                                             [] { return int64_t{1}; });
  }
  static std::string AddJob(DurableJobStore* store) {
    JobRequest request;
    request.instances = 100;
    request.most_result_bytes = 1000;
    auto sent = std::make_shared<SentRequest>();
    sent->whole = "whole";
    request.sent = sent;
    return store->Create(request)->job.id;
  }
  static void AddResults(DurableJobStore* store, const std::string& job) {
    std::vector<InstanceResult> results(50);
    for (size_t i = 0; i < results.size(); ++i) results[i].instance = i;
    ASSERT_EQ(store->SinkOf(job)->Reserve(50), 50u);
    store->SinkOf(job)->OnResults(results);
  }
  // A job, a module of some pieces, an input without bytes.
  void Fill() {
    const auto store = OpenJobs();
    AddResults(store.get(), AddJob(store.get()));
    PutBlob("modules", std::string(700'000, 'm'));
    PutBlob("inputs", "");
  }
  void PutBlob(const std::string& folder, const std::string& bytes) {
    const BlobFolder blobs = BlobFolder::Open(state_ + "/" + folder).value();
    ASSERT_TRUE(blobs.Put(Sha256(AsBytes(bytes)), AsBytes(bytes)).ok());
  }
  static std::string PathOf(const std::string& state, const std::string& folder,
                            const std::string& bytes) {
    const std::string hex = Sha256(AsBytes(bytes)).Hex();
    return state + "/" + folder + "/" + hex.substr(0, 2) + "/" + hex;
  }
  Result<std::string> Archive() {
    WB_ASSIGN(const auto archive, BackupArchive::Begin(state_, [] { return false; }));
    std::string all;
    while (!archive->digest()) {
      WB_ASSIGN(const std::string piece, archive->Next());
      EXPECT_LE(piece.size(), size_t{2} << 20);
      all += piece;
    }
    EXPECT_EQ(all.size(), archive->total_bytes());
    EXPECT_EQ(Sha256(AsBytes(all)), *archive->digest());
    return all;
  }
  std::string Save(const std::string& bytes) const {
    std::string path = root_ + "/archive";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return path;
  }
  Status Restore(const std::string& bytes) { return RestoreArchive(Save(bytes), restored()); }
  std::string restored() const { return root_ + "/restored"; }
  // Refused for this reason, and there is nothing.
  void ExpectRefused(const std::string& bytes, Reason reason, const std::string& words = "") {
    const Status status = Restore(bytes);
    EXPECT_EQ(status.reason(), reason) << status.message();
    EXPECT_NE(status.message().find(words), std::string::npos) << status.message();
    EXPECT_FALSE(fs::exists(restored()));
    EXPECT_FALSE(fs::exists(root_ + "/evil"));
  }
  StateFindings Check(const std::string& folder) {
    Result<StateFindings> findings = CheckState(folder, [](const std::string&) {});
    EXPECT_TRUE(findings.ok()) << findings.status().message();
    return findings.ok() ? *findings : StateFindings();
  }
  // An archive as somebody would forge it: all of it right but for what the test says.
  static std::string Forged(const Files& files, const std::string& behind = std::string(1024, 0)) {
    std::string all;
    for (const auto& [name, text] : files) {
      const TarBlock head = EncodeTarHeader({name, text.size()});
      all.append(head.begin(), head.end());
      all += text + std::string(TarPadding(text.size()), '\0');
    }
    return Signed(all + behind);
  }
  static std::string Signed(const std::string& all) {
    const TarBlock end = BackupEnd(Sha256(AsBytes(all)), all.size());
    return all + std::string(end.begin(), end.end());
  }
  static std::pair<std::string, std::string> Mark() {
    return {std::string(kBackupMark), std::string(kBackupMarkText)};
  }

  std::string root_;
  std::string state_;
};

TEST_F(BackupArchiveTest, WhatIsRestoredIsWhatWasThere) {
  Fill();
  const std::string archive = Archive().value();
  EXPECT_FALSE(fs::exists(state_ + "/backup.tmp"));
  ASSERT_TRUE(Restore(archive).ok()) << Restore(archive).message();
  const StateFindings findings = Check(restored());
  EXPECT_TRUE(findings.problems.empty()) << findings.problems[0];
  EXPECT_EQ(findings.jobs, 1u);
  EXPECT_EQ(findings.results, 50u);
  EXPECT_EQ(findings.blobs, 2u);
  EXPECT_EQ(fs::file_size(PathOf(restored(), "modules", std::string(700'000, 'm'))), 700'000u);
  EXPECT_FALSE(fs::exists(restored() + "/restore.tmp"));
  EXPECT_FALSE(fs::exists(restored() + "/cache.key"));
  struct stat facts {};
  ASSERT_EQ(::stat((restored() + "/state.db").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(BackupArchiveTest, IsATarFile) {
  Fill();
  const std::string path = Save(Archive().value());
  const std::string listing = root_ + "/listing";
  ASSERT_EQ(std::system(("tar -tf " + path + " >" + listing).c_str()), 0);
  std::ifstream in(listing);
  const std::string names((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(names.find("wasmburst-backup\nstate.db\nmodules/"), 0u) << names;
}

TEST_F(BackupArchiveTest, IsSoundWhateverIsWrittenMeanwhile) {
  const auto lock = FolderLock::Take(state_);
  const auto store = OpenJobs();
  const std::string first = AddJob(store.get());
  AddResults(store.get(), first);
  (void)AddJob(store.get());  // on the disk, as all before it
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; !done || i < 3; ++i) {
      const std::string job = AddJob(store.get());
      AddResults(store.get(), job);
      PutBlob("inputs", std::to_string(i));
      const BlobFolder blobs = BlobFolder::Open(state_ + "/inputs").value();
      (void)blobs.Remove(Sha256(AsBytes(std::to_string(i / 2))));
    }
  });
  std::vector<std::string> archives;
  for (int i = 0; i < 3; ++i) archives.push_back(Archive().value());
  done = true;
  writer.join();
  for (const std::string& archive : archives) {
    ASSERT_TRUE(Restore(archive).ok());
    const StateFindings findings = Check(restored());
    EXPECT_TRUE(findings.problems.empty()) << findings.problems[0];
    EXPECT_GE(findings.jobs, 1u);
    EXPECT_GE(findings.results, 50u);
    fs::remove_all(restored());
  }
}

TEST_F(BackupArchiveTest, WhatIsDeletedWhileItIsReadIsInIt) {
  Fill();
  const auto archive = BackupArchive::Begin(state_, [] { return false; }).value();
  fs::remove(PathOf(state_, "modules", std::string(700'000, 'm')));
  std::string all;
  while (!archive->digest()) all += archive->Next().value();
  ASSERT_TRUE(Restore(all).ok());
  EXPECT_EQ(Check(restored()).blobs, 2u);
}

TEST_F(BackupArchiveTest, EachDamagedByteAndEachCutIsRefused) {
  const auto store = OpenJobs();
  (void)AddJob(store.get());
  PutBlob("modules", "a module");
  const std::string whole = Archive().value();
  size_t tries = 0;
  // All bytes of heads and ends, of the database a part.
  for (size_t at = 0; at < whole.size(); at += at < 2048 || at + 1600 > whole.size() ? 1 : 211) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    ExpectRefused(damaged, Reason::kBlobCorrupt);
    ++tries;
  }
  EXPECT_GT(tries, 3600u);
  for (const size_t size : {size_t{512}, size_t{1024}, size_t{1025}, whole.size() / 2,
                            whole.size() - 1536, whole.size() - 512, whole.size() - 1}) {
    const Reason reason = size < 1024 ? Reason::kConfigInvalid : Reason::kBlobCorrupt;
    ExpectRefused(whole.substr(0, size), reason);
  }
  ExpectRefused(whole + "x", Reason::kBlobCorrupt);
  ExpectRefused("", Reason::kConfigInvalid, "too short");
  EXPECT_TRUE(Restore(whole).ok());
}

// Their database takes them over when a daemon opens it.
TEST_F(BackupArchiveTest, OrdersOfAnOlderDaemonComeBack) {
  const std::string orders = "wasmburst cordons 1\n";
  const Status restored_now = Restore(Forged({Mark(), {"state.db", "x"}, {"cordons", orders}}));
  ASSERT_TRUE(restored_now.ok()) << restored_now.message();
  std::ifstream in(restored() + "/cordons");
  EXPECT_EQ(std::string((std::istreambuf_iterator<char>(in)), {}), orders);
}

TEST_F(BackupArchiveTest, NoNameLeavesTheFolder) {
  const std::string module = "modules/" + Sha256(AsBytes("m")).Hex();
  ASSERT_EQ(Forged({Mark(), {"state.db", "x"}, {module, "m"}}).size() % 512, 0u);
  for (const std::string& name :
       {std::string("../evil"), root_ + "/evil", std::string("modules/../../evil"),
        std::string("modules/") + std::string(64, 'g'), module + "0", "other/" + module.substr(8),
        std::string("cache.key"), std::string("LOCK"), std::string("modules"),
        std::string("state.db/"), std::string("./state.db")}) {
    ExpectRefused(Forged({Mark(), {"state.db", "x"}, {name, "m"}}), Reason::kBlobCorrupt,
                  "which no backup has");
  }
}

TEST_F(BackupArchiveTest, OnlyPlainFilesWithTheirOwnBytesAreTaken) {
  const std::string module = "modules/" + Sha256(AsBytes("m")).Hex();
  ExpectRefused(Forged({Mark(), {"state.db", "x"}, {module, "n"}}), Reason::kBlobCorrupt,
                "have another digest");
  ExpectRefused(Forged({Mark(), {"state.db", "x"}, {module, "m"}, {module, "m"}}),
                Reason::kBlobCorrupt, "twice");
  ExpectRefused(Forged({Mark(), {module, "m"}}), Reason::kBlobCorrupt, "has no [state.db]");
  ExpectRefused(Forged({{"state.db", "x"}}), Reason::kConfigInvalid, "mark");
  ExpectRefused(Forged({{std::string(kBackupMark), "wasmburst backup, version 2\n"}}),
                Reason::kConfigInvalid, "another version");
  ExpectRefused(Forged({Mark(), {"state.db", "x"}}, std::string(512, 0)), Reason::kBlobCorrupt);
  ExpectRefused(Forged({Mark(), {"state.db", "x"}}, std::string(2048, 0)), Reason::kBlobCorrupt,
                "more than one end");
  // A symbolic link, with the right sum of its head.
  TarBlock link = EncodeTarHeader({"cordons", 0});
  link[156] = '2';
  link[153] = static_cast<uint8_t>(link[153] + 2);
  std::string all = Forged({Mark(), {"state.db", "x"}}, "");
  all.resize(all.size() - 512);
  all.append(link.begin(), link.end());
  ExpectRefused(Signed(all + std::string(1024, 0)), Reason::kBlobCorrupt, "no plain file");
}

TEST_F(BackupArchiveTest, NothingIsWrittenOverWhatIsThere) {
  Fill();
  const std::string archive = Archive().value();
  ASSERT_TRUE(Restore(archive).ok());
  EXPECT_EQ(Restore(archive).reason(), Reason::kConfigInvalid);
  EXPECT_EQ(Check(restored()).jobs, 1u);
  fs::remove(restored() + "/state.db");  // blobs alone are state too
  EXPECT_EQ(Restore(archive).reason(), Reason::kConfigInvalid);
  fs::remove_all(restored());
  const auto lock = FolderLock::Take(restored());
  const Status in_use = RestoreArchive(Save(archive), restored());
  EXPECT_EQ(in_use.reason(), Reason::kConfigInvalid) << in_use.message();
}

TEST_F(BackupArchiveTest, AnEmptyFolderTakesIt) {
  Fill();
  ASSERT_TRUE(MakePrivateFolder(restored(), "The state folder").ok());
  ASSERT_TRUE(Restore(Archive().value()).ok());
  EXPECT_TRUE(Check(restored()).problems.empty());
}

TEST_F(BackupArchiveTest, ADamagedModuleEndsTheBackup) {
  Fill();
  std::ofstream(PathOf(state_, "modules", std::string(700'000, 'm'))) << std::string(700'000, 'n');
  const Status status = Archive().status();
  EXPECT_EQ(status.reason(), Reason::kBlobCorrupt) << status.message();
  EXPECT_FALSE(fs::exists(state_ + "/backup.tmp"));
}

TEST_F(BackupArchiveTest, EndsWhenNobodyWantsItAndLeavesNothing) {
  {
    const auto store = OpenJobs();
    for (int i = 0; i < 100; ++i) AddResults(store.get(), AddJob(store.get()));
  }
  const Status status = BackupArchive::Begin(state_, [] { return true; }).status();
  EXPECT_EQ(status.reason(), Reason::kCancelled) << status.message();
  EXPECT_NE(status.message().find("the database"), std::string::npos) << status.message();
  EXPECT_FALSE(fs::exists(state_ + "/backup.tmp"));
  fs::create_directories(state_ + "/backup.tmp/modules");  // of a daemon that was killed
  EXPECT_TRUE(Archive().ok());
  EXPECT_FALSE(BackupArchive::Begin(root_ + "/none", [] { return false; }).ok());
}

TEST(TarHeader, LengthsOfAllSizesComeBack) {
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{8} << 30, (uint64_t{8} << 30) - 1,
                               uint64_t{32} << 30, UINT64_MAX}) {
    const auto entry = DecodeTarHeader(EncodeTarHeader({"state.db", bytes}));
    ASSERT_TRUE(entry) << bytes;
    EXPECT_EQ(entry->bytes, bytes);
    EXPECT_EQ(entry->name, "state.db");
  }
  EXPECT_FALSE(DecodeTarHeader(EncodeTarHeader({"", 1})));
  EXPECT_FALSE(DecodeTarHeader(TarBlock{}));
  for (size_t at = 0; at < kTarBlockBytes; ++at) {
    TarBlock block = EncodeTarHeader({"state.db", 5});
    block[at] = static_cast<uint8_t>(block[at] ^ 1u);
    EXPECT_FALSE(DecodeTarHeader(block)) << at;
  }
}

}  // namespace
}  // namespace wb
