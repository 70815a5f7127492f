#pragma once

// What an object store answers in XML (docs.aws.amazon.com/AmazonS3/latest/API: "ListObjectsV2",
// "Error responses"), and what it means. Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

struct S3Object {
  std::string key;
  uint64_t bytes = 0;
  int64_t unix_ns = 0;  // when it was written last
};

// A page of a list.
struct S3Page {
  std::vector<S3Object> objects;
  std::string next;  // the token for the next page; empty: this is the last
};

// IO_ERROR: it is no such list.
Result<S3Page> ParseS3Page(std::string_view xml);

// Of a refusal: <Code>, such as "NoSuchBucket"; empty: it has none.
std::string S3ErrorCode(std::string_view xml);

// Whether the same request may be answered otherwise soon: the server has too much to do, or an
// error of its own.
bool IsPassing(long status, const std::string& code);

// A refusal as an error, by the operation ("put"), the place and the object. NOT_FOUND: 404 of an
// object; NOSPACE: the store is full; MACHINE_FAULT: what may pass; else IO_ERROR. Says what to do.
Status S3Refusal(const std::string& operation, const std::string& place, long status,
                 const std::string& code);

// As a part of a query: what is neither letter, digit nor -._~ as %XX.
std::string Escaped(std::string_view text);

}  // namespace wb
