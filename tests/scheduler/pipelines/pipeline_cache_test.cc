#include "scheduler/pipelines/pipeline_cache.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/scheduler/base/few_descriptors.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

namespace fs = std::filesystem;

CacheLabel Label(int number) {
  return {Sha256(AsBytes("key " + std::to_string(number))), Sha256(AsBytes("module")), "cpu-1"};
}

Bytes Payload(int number, size_t size = 5000) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(i * 7 + number);
  return bytes;
}

class PipelineCacheTest : public ::testing::Test {
 protected:
  PipelineCacheTest() : cache_(Open(uint64_t{1} << 20)) {}

  std::unique_ptr<PipelineCache> Open(uint64_t max_bytes) {
    PipelineCache::Options options;
    options.directory = Directory();
    options.max_bytes = max_bytes;
    options.key = key_;
    options.log = [this](const std::string& words) { log_.push_back(words); };
    return PipelineCache::Open(options).value();
  }
  std::string Directory() const { return folder_.path() + "/cache"; }
  fs::path PathOf(int number) const {
    return fs::path(Directory()) / "pipelines" / (Label(number).key.Hex() + ".wbp");
  }
  void SetUsed(int number, int64_t unix_seconds) {
    const timespec times[2] = {{unix_seconds, 0}, {unix_seconds, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, PathOf(number).c_str(), times, 0), 0);
  }
  // The entry was damaged: it is a miss, it is gone, and storing it again mends it.
  void ExpectMendedMiss(int number) {
    const uint64_t corrupt = cache_->Stats().corrupt;
    EXPECT_FALSE(cache_->Load(Label(number)));
    EXPECT_EQ(cache_->Stats().corrupt, corrupt + 1);
    EXPECT_FALSE(fs::exists(fs::symlink_status(PathOf(number))));
    cache_->Store(Label(number), Payload(number));
    EXPECT_EQ(cache_->Load(Label(number)), Payload(number));
  }
  void Overwrite(int number, size_t at, char with) {
    std::fstream file(PathOf(number), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(with);
  }

  // Nobody knows who wrote the entry: as ExpectMendedMiss, but counted apart.
  void ExpectForeign(int number) {
    const CacheStats before = cache_->Stats();
    EXPECT_FALSE(cache_->Load(Label(number)));
    EXPECT_EQ(cache_->Stats().foreign, before.foreign + 1);
    EXPECT_EQ(cache_->Stats().corrupt, before.corrupt);
    EXPECT_EQ(cache_->Stats().misses, before.misses + 1);
    EXPECT_FALSE(fs::exists(PathOf(number)));
    cache_->Store(Label(number), Payload(number));
    EXPECT_EQ(cache_->Load(Label(number)), Payload(number));
  }

  TemporaryFolder folder_;
  CacheKey key_ = CacheKey::Random();
  std::vector<std::string> log_;
  std::unique_ptr<PipelineCache> cache_;
};

TEST_F(PipelineCacheTest, WhatWasStoredIsLoaded) {
  EXPECT_FALSE(cache_->Load(Label(1)));
  cache_->Store(Label(1), Payload(1));
  EXPECT_EQ(cache_->Load(Label(1)), Payload(1));
  cache_->Store(Label(2), {});
  EXPECT_EQ(cache_->Load(Label(2)), Bytes());
  EXPECT_EQ(cache_->Stats().hits, 2u);
  EXPECT_EQ(cache_->Stats().misses, 1u);
  EXPECT_EQ(cache_->Stats().corrupt, 0u);
}

TEST_F(PipelineCacheTest, TheDirectoryIsPrivateAndTagged) {
  struct stat facts {};
  ASSERT_EQ(::stat(Directory().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  EXPECT_TRUE(fs::exists(Directory() + "/CACHEDIR.TAG"));
  ASSERT_EQ(::chmod(Directory().c_str(), 0755), 0);
  Open(1 << 20);
  ASSERT_EQ(::stat(Directory().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
}

TEST_F(PipelineCacheTest, AFileInTheDirectorysPlaceIsAnError) {
  const std::string path = folder_.path() + "/file";
  std::ofstream(path) << "x";
  PipelineCache::Options options;
  options.directory = path;
  EXPECT_EQ(PipelineCache::Open(options).status().reason(), Reason::kIoError);
  options.directory = "";
  EXPECT_EQ(PipelineCache::Open(options).status().reason(), Reason::kIoError);
}

TEST_F(PipelineCacheTest, EveryFlippedBitIsAMiss) {
  cache_->Store(Label(1), Payload(1, 64));
  const size_t size = fs::file_size(PathOf(1));
  for (size_t at = 0; at < size; ++at) {
    cache_->Store(Label(1), Payload(1, 64));  // with other random bytes each time
    std::ifstream in(PathOf(1), std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    ASSERT_EQ(whole.size(), size);
    Overwrite(1, at, static_cast<char>(whole[at] ^ (1 << (at % 8))));
    EXPECT_FALSE(cache_->Load(Label(1))) << at;
  }
  // Four bytes of a version, and what is of the head alone: 16 random bytes, 8 of what build it is
  // and 16 of the signature. The rest is damage.
  EXPECT_EQ(cache_->Stats().foreign, 44u);
  EXPECT_EQ(cache_->Stats().corrupt, size - 44);
}

TEST_F(PipelineCacheTest, TruncatedEntriesAreMisses) {
  for (const uintmax_t size : {0, 8, 119, 123, 159, 163, 2500}) {
    cache_->Store(Label(1), Payload(1));
    fs::resize_file(PathOf(1), size);
    ExpectMendedMiss(1);
  }
  fs::resize_file(PathOf(1), 6000);  // longer than it says
  ExpectMendedMiss(1);
}

TEST_F(PipelineCacheTest, NotesLieBesideTheirEntryAndGoWithIt) {
  CacheLabel other = Label(1);
  other.target = "cpu-2";
  cache_->Store(Label(1), Payload(1));
  cache_->StoreNote(Label(1), Payload(3, 12));
  cache_->StoreNote(other, Payload(4, 12));
  EXPECT_EQ(cache_->LoadNote(Label(1)), Payload(3, 12));
  EXPECT_EQ(cache_->LoadNote(other), Payload(4, 12));
  EXPECT_FALSE(cache_->LoadNote(Label(2)));
  EXPECT_EQ(cache_->Load(Label(1)), Payload(1));
  EXPECT_EQ(cache_->List().size(), 1u);
  EXPECT_EQ(cache_->Stats().misses, 0u);
  cache_->Remove(Label(1).key);
  EXPECT_FALSE(cache_->LoadNote(Label(1)));
  EXPECT_TRUE(fs::is_empty(PathOf(1).parent_path()));
}

TEST_F(PipelineCacheTest, ADamagedNoteIsNone) {
  cache_->StoreNote(Label(1), Payload(3, 12));
  const fs::path path = fs::directory_iterator(PathOf(1).parent_path())->path();
  fs::resize_file(path, fs::file_size(path) - 1);
  EXPECT_FALSE(cache_->LoadNote(Label(1)));
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(PipelineCacheTest, AnEvictedEntryTakesItsNotesAlong) {
  cache_ = Open(3 * 8192 + 4096);
  cache_->Store(Label(1), Payload(1));
  cache_->StoreNote(Label(1), Payload(3, 12));
  cache_->Store(Label(2), Payload(2));
  SetUsed(1, 1000);
  cache_->Store(Label(3), Payload(3));
  EXPECT_TRUE(cache_->LoadNote(Label(1)));
  SetUsed(1, 1000);
  cache_->Store(Label(4), Payload(4));
  EXPECT_FALSE(fs::exists(PathOf(1)));
  EXPECT_FALSE(cache_->LoadNote(Label(1)));
  EXPECT_TRUE(cache_->Load(Label(2)));
}

TEST_F(PipelineCacheTest, AnotherEntrysFileIsAMiss) {
  cache_->Store(Label(1), Payload(1));
  cache_->Store(Label(2), Payload(2));
  fs::copy_file(PathOf(2), PathOf(1), fs::copy_options::overwrite_existing);
  ExpectMendedMiss(1);
  EXPECT_EQ(cache_->Load(Label(2)), Payload(2));
}

// An older daemon's entries have no signature, or another.
TEST_F(PipelineCacheTest, AnotherVersionIsForeign) {
  for (const char version : {1, 2, 9}) {
    cache_->Store(Label(1), Payload(1));
    Overwrite(1, 8, version);
    ExpectForeign(1);
  }
}

TEST_F(PipelineCacheTest, WhatAnotherKeySignedIsForeign) {
  cache_->Store(Label(1), Payload(1));
  cache_->Store(Label(2), Payload(2));
  cache_->StoreNote(Label(3), Payload(3, 12));
  key_ = CacheKey::Random();
  cache_ = Open(1 << 20);
  ExpectForeign(1);
  ExpectForeign(2);
  EXPECT_FALSE(cache_->LoadNote(Label(3)));
  ASSERT_EQ(log_.size(), 1u);  // of all of them
  EXPECT_NE(log_[0].find("is not signed with this daemon's key"), std::string::npos) << log_[0];
}

// Whoever may write to the folder knows the format and makes all of it right but the signature.
TEST_F(PipelineCacheTest, AForgedEntryIsForeign) {
  const Bytes payload = Payload(7);
  const Bytes head = EncodeCacheHead(Label(1), payload, CacheKey::Random());
  std::ofstream file(PathOf(1), std::ios::binary);
  file << AsText(head) << AsText(payload);
  file.close();
  ExpectForeign(1);
}

TEST_F(PipelineCacheTest, ASignatureIsOfOneEntryAlone) {
  const Bytes first = EncodeCacheHead(Label(1), Payload(1), key_);
  const Bytes second = EncodeCacheHead(Label(2), Payload(2), key_);
  Bytes mixed = second;  // with the signature of the first
  std::copy_n(first.begin() + 144, 16, mixed.begin() + 144);
  Bytes whole = mixed;
  const Bytes payload = Payload(2);
  whole.insert(whole.end(), payload.begin(), payload.end());
  EXPECT_EQ(ReadEntry(whole, Label(2), key_).fault, EntryFault::kForeign);
  std::copy(second.begin(), second.end(), whole.begin());
  EXPECT_EQ(ReadEntry(whole, Label(2), key_).fault, EntryFault::kNone);
}

// A signature of which two messages are known says how to make others, unless their keys differ.
TEST_F(PipelineCacheTest, NoTwoEntriesHaveTheSameHead) {
  const Bytes first = EncodeCacheHead(Label(1), Payload(1), key_);
  const Bytes second = EncodeCacheHead(Label(1), Payload(1), key_);
  const auto random = [](const Bytes& head) {
    return Bytes(head.begin() + 120, head.begin() + 136);
  };
  EXPECT_NE(random(first), random(second));
  EXPECT_EQ(std::count(first.begin() + 120, first.begin() + 136, 0) > 8, false);
}

TEST_F(PipelineCacheTest, ABestBuildTakesThePlaceOfTheOther) {
  bool is_best = true;
  cache_->Store(Label(1), Payload(1));
  EXPECT_EQ(cache_->Load(Label(1), &is_best), Payload(1));
  EXPECT_FALSE(is_best);
  cache_->Store(Label(1), Payload(2), true);
  EXPECT_EQ(cache_->Load(Label(1), &is_best), Payload(2));
  EXPECT_TRUE(is_best);
  EXPECT_EQ(cache_->List().size(), 1u);
  Overwrite(1, 136, 0);  // it says that it is not
  ExpectForeign(1);
}

TEST_F(PipelineCacheTest, AnotherTargetOrModuleIsAMiss) {
  CacheLabel other = Label(1);
  other.target = "cpu-2";
  EXPECT_FALSE(cache_->Load(other));
  cache_->Store(Label(1), Payload(1));
  other = Label(1);
  other.module = Sha256(AsBytes("another"));
  EXPECT_FALSE(cache_->Load(other));
}

TEST_F(PipelineCacheTest, WhateverStandsInAnEntrysPlaceIsAMiss) {
  fs::create_directories(PathOf(1) / "deep" / "er");
  ExpectMendedMiss(1);
  fs::remove(PathOf(1));
  fs::create_directories(PathOf(1) / "deep");
  cache_->Store(Label(1), Payload(1));  // without a load before
  EXPECT_EQ(cache_->Load(Label(1)), Payload(1));
  fs::remove(PathOf(1));
  ASSERT_EQ(::mkfifo(PathOf(1).c_str(), 0600), 0);
  ExpectMendedMiss(1);
  const fs::path elsewhere = folder_.path() + "/elsewhere";
  fs::rename(PathOf(1), elsewhere);
  fs::create_symlink(elsewhere, PathOf(1));
  ExpectMendedMiss(1);
  EXPECT_TRUE(fs::exists(elsewhere));  // what the link names is not ours to remove
}

TEST_F(PipelineCacheTest, AnEntryThatCannotBeOpenedNowStays) {
  cache_->Store(Label(1), Payload(1));
  cache_->StoreNote(Label(1), Payload(3, 12));
  {
    const FewDescriptors few;
    EXPECT_FALSE(cache_->Load(Label(1)));
    EXPECT_FALSE(cache_->LoadNote(Label(1)));
  }
  EXPECT_EQ(cache_->Stats().corrupt, 0u);
  EXPECT_EQ(cache_->Load(Label(1)), Payload(1));
  EXPECT_EQ(cache_->LoadNote(Label(1)), Payload(3, 12));
}

TEST_F(PipelineCacheTest, AnUnreadableEntryIsAMiss) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser reads everything";
  cache_->Store(Label(1), Payload(1));
  fs::permissions(PathOf(1), fs::perms::none);
  ExpectMendedMiss(1);
}

TEST_F(PipelineCacheTest, RemovingTheDirectoryWhileRunningIsSurvived) {
  cache_->Store(Label(1), Payload(1));
  fs::remove_all(Directory());
  EXPECT_FALSE(cache_->Load(Label(1)));
  EXPECT_TRUE(cache_->List().empty());
  EXPECT_EQ(cache_->Prune(true).value(), 0u);
  cache_->Store(Label(1), Payload(1));
  EXPECT_EQ(cache_->Load(Label(1)), Payload(1));
  EXPECT_TRUE(fs::exists(Directory() + "/CACHEDIR.TAG"));
}

TEST_F(PipelineCacheTest, WhatCannotBeWrittenIsOnlyLogged) {
  std::vector<std::string> messages;
  PipelineCache::Options options;
  options.directory = folder_.path() + "/other";
  options.log = [&](const std::string& message) { messages.push_back(message); };
  auto cache = PipelineCache::Open(options).value();
  fs::remove_all(options.directory);
  std::ofstream(options.directory) << "a file in the way";
  cache->Store(Label(1), Payload(1));
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_NE(messages[0].find("cannot write"), std::string::npos) << messages[0];
  EXPECT_FALSE(cache->Load(Label(1)));
}

TEST_F(PipelineCacheTest, TheLeastRecentlyUsedGoFirst) {
  cache_ = Open(4 * 8192);
  for (int i = 0; i < 4; ++i) cache_->Store(Label(i), Payload(i));
  for (int i = 0; i < 4; ++i) SetUsed(i, 1000 + i);
  EXPECT_TRUE(cache_->Load(Label(0)));  // used just now
  cache_->Store(Label(4), Payload(4));
  EXPECT_FALSE(fs::exists(PathOf(1)));
  for (int i : {0, 2, 3, 4}) EXPECT_TRUE(fs::exists(PathOf(i))) << i;
  EXPECT_EQ(cache_->Stats().evictions, 1u);
  EXPECT_LE(cache_->Stats().bytes, cache_->Stats().max_bytes);
}

TEST_F(PipelineCacheTest, WhatIsLargerThanTheCacheIsNotKept) {
  cache_ = Open(8192);
  cache_->Store(Label(1), Payload(1, 100));
  cache_->Store(Label(2), Payload(2, 9000));
  EXPECT_FALSE(cache_->Load(Label(2)));
  EXPECT_TRUE(cache_->Load(Label(1)));  // and nothing went for it
}

TEST_F(PipelineCacheTest, ListsWhatIsThereNewestFirst) {
  cache_->Store(Label(1), Payload(1));
  cache_->Store(Label(2), Payload(2));
  SetUsed(1, 2000);
  SetUsed(2, 1000);
  std::ofstream(Directory() + "/pipelines/README") << "not an entry";
  const auto entries = cache_->List();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].key, Label(1).key.Hex());
  EXPECT_EQ(entries[0].module, Label(1).module.Hex());
  EXPECT_EQ(entries[0].target, "cpu-1");
  EXPECT_GE(entries[0].bytes, 5000u);
  EXPECT_EQ(entries[0].last_used_unix_ms, 2000000);
  EXPECT_EQ(entries[1].key, Label(2).key.Hex());
}

TEST_F(PipelineCacheTest, PruneRemovesTheUnusedOrAll) {
  cache_->Store(Label(1), Payload(1));
  cache_->Store(Label(2), Payload(2));
  SetUsed(1, 1000);  // long before this cache was opened
  EXPECT_EQ(cache_->Prune(false).value(), 8192u);
  EXPECT_FALSE(cache_->Load(Label(1)));
  EXPECT_TRUE(cache_->Load(Label(2)));
  EXPECT_EQ(cache_->Prune(true).value(), 8192u);
  EXPECT_EQ(cache_->Stats().bytes, 0u);
}

}  // namespace
}  // namespace wb::test
