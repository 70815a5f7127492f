#pragma once

// A StoreChange as statements and rows for PostgreSQL. Pure.

#include <vector>

#include "daemon/database/durable_store.h"
#include "daemon/postgres/postgres_connection.h"

namespace wb {

// The bigint of the same bits.
inline int64_t Signed(uint64_t number) { return static_cast<int64_t>(number); }

// A block at the position where it is stored, which may be another than its own.
struct PlacedBlock {
  std::string job;
  uint64_t first = 0;
  const BlockRow* block = nullptr;
};
std::vector<PlacedBlock> AsPlaced(const std::vector<BlockRow>& blocks);

// Blocks of a few results go with the other statements, which saves answers to wait for; more, or
// longer ones, are copied.
bool AreCopied(const std::vector<PlacedBlock>& blocks);

void AddCreated(const StoreChange& change, std::vector<PostgresQuery>* queries);
void AddBlocks(const std::vector<PlacedBlock>& blocks, std::vector<PostgresQuery>* queries);
// After the blocks.
void AddChanged(const StoreChange& change, std::vector<PostgresQuery>* queries);

struct CopiedBlocks {
  static constexpr const char* kHeads =
      "COPY blocks(job, first, count, bytes, instances) FROM STDIN (FORMAT binary)";
  static constexpr const char* kBodies =
      "COPY bodies(job, first, checksum, data) FROM STDIN (FORMAT binary)";
  std::string heads;
  std::string bodies;
};
CopiedBlocks CopyOf(const std::vector<PlacedBlock>& blocks);

}  // namespace wb
