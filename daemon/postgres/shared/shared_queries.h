#pragma once

// What SharedPostgres and its parts ask, as statements, and what comes as rows. Pure.

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "daemon/database/shared_store.h"
#include "daemon/postgres/postgres_connection.h"

namespace wb {

// "{[0,5),[7,9)}", as PostgreSQL reads an int8multirange.
std::string RangesText(const std::vector<InstanceRange>& ranges);

// How long the ranges are that a new job's instances begin in: a multiple of its group.
uint64_t RangeLength(const NewSharedJob& job);

// Columns of the view `standing`, in the order that SharedJobIn reads them.
constexpr const char* kSelectJobs =
    "SELECT id, tenant, shown, record, state, ended, version, open, claimed, oldest, next, bytes, "
    "changed_us FROM standing ";
SharedJob SharedJobIn(const PostgresRows& rows, int row);

// A chunk's number tells its host's: numbers do not repeat within a host, which would have to make
// 2^32 claims.
inline int64_t ChunkId(int64_t host, uint32_t claim) { return host << 32 | claim; }
inline int64_t HostOfChunk(int64_t chunk) { return chunk >> 32; }

PostgresQuery CreateJob(int64_t host, const NewSharedJob& job);
// Answers the first of the instances claimed, how many they are, and their attempt; or no row.
PostgresQuery ClaimOf(int64_t chunk, const std::string& job, uint64_t count, uint32_t group);
// Answers `outcome` ("new", "again", "no job", "no chunk") and how many instances have results now
// that had none.
PostgresQuery TakeResults(int64_t host, const std::string& job,
                          const std::vector<ChunkResults>& results);
// Answers the same of a chunk that goes back.
PostgresQuery TakeBack(int64_t host, const std::string& job, int64_t chunk);
// `results` and `bytes`: what the blocks have that come with it.
PostgresQuery ChangeJob(const std::string& job, const SharedChange& change, uint64_t results,
                        uint64_t bytes);

// Who reads ended jobs, and for how long from now.
PostgresQuery ReadersOf(int64_t host, const std::vector<std::string>& jobs,
                        std::chrono::nanoseconds time);

// What all hosts hear: that jobs have changed. In a transaction of its own, because one that tells
// something holds up all others that do until it is on the disk.
constexpr const char* kListen = "LISTEN wasmburst_jobs";
PostgresQuery NewsOf(const std::set<std::string>& jobs);

}  // namespace wb
