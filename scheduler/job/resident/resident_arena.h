#pragma once

// ResidentArena: memory in which a session's states lie between calls. Engine hosts map it to read
// only, so that they take states from where these are. Its size is fixed; what is given back is
// used again. Threads: any; whoever has words knows who else reads them.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "compiler/base/mutex.h"
#include "scheduler/base/unique_fd.h"

namespace wb {

class ResidentArena;

// Words of the arena, given back with this.
class PlacedWords {
 public:
  PlacedWords(std::shared_ptr<ResidentArena> arena, uint64_t at, std::span<uint32_t> words)
      : arena_(std::move(arena)), at_(at), words_(words) {}
  ~PlacedWords();
  PlacedWords(const PlacedWords&) = delete;
  PlacedWords& operator=(const PlacedWords&) = delete;

  std::span<uint32_t> words() const { return words_; }
  uint64_t at() const { return at_; }  // bytes from the arena's beginning
  int shared() const;                  // the descriptor of the arena's memory

 private:
  const std::shared_ptr<ResidentArena> arena_;
  const uint64_t at_;
  const std::span<uint32_t> words_;
};

class ResidentArena : public std::enable_shared_from_this<ResidentArena> {
 public:
  // Null: the system has no such memory.
  static std::shared_ptr<ResidentArena> Make(uint64_t bytes);
  ~ResidentArena();
  ResidentArena(const ResidentArena&) = delete;
  ResidentArena& operator=(const ResidentArena&) = delete;

  // Room for so many words, not 0, of any contents. Null: no part that is free is so long.
  std::shared_ptr<const PlacedWords> Place(uint64_t words);

 private:
  friend class PlacedWords;
  ResidentArena(UniqueFd fd, uint8_t* base, uint64_t bytes);
  void GiveBack(uint64_t at, uint64_t bytes);
  void AddFree(uint64_t at, uint64_t bytes) WB_REQUIRES(mutex_);
  void RemoveFree(std::map<uint64_t, uint64_t>::iterator at) WB_REQUIRES(mutex_);

  const UniqueFd fd_;
  uint8_t* const base_;
  const uint64_t bytes_;
  Mutex mutex_;
  std::map<uint64_t, uint64_t> free_ WB_GUARDED_BY(mutex_);               // bytes, by place
  std::multimap<uint64_t, uint64_t> free_by_size_ WB_GUARDED_BY(mutex_);  // places, by bytes
};

}  // namespace wb
