#pragma once

// TrapPlaces: names and lines for the traps of one stream of results, by the modules that the
// daemon has. It works as traps are read, so that a job without traps costs nothing. Not for
// several threads at once.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "compiler/debug/debug_info.h"
#include "daemon/store/job_store.h"
#include "daemon/store/module_store.h"

namespace wasmburst::v1 {
class InstanceResult;
class ReadResultsResponse;
}  // namespace wasmburst::v1

namespace wb {

class TrapPlaces {
 public:
  // Different places of a stream that are looked up. Traps at further ones have numbers alone.
  static constexpr size_t kMostPlaces = 100;
  static constexpr size_t kMostModules = 4;  // whose names are in memory at the same time
  // What is added to one message; its later traps have numbers alone.
  static constexpr size_t kMostBytes = size_t{1} << 20;

  TrapPlaces(std::shared_ptr<const ModuleStore> modules, std::shared_ptr<const JobRequest> request,
             size_t most_places = kMostPlaces);

  struct Place {
    std::string function;
    SourceLine line;
  };
  // Of a linked module by its name, else of the job's own. Null: nothing is known of it. Until the
  // next call.
  const Place* Find(const std::string& module, uint32_t function, uint32_t offset) {
    return Find({module, function, offset});
  }

  // Fills in function_name, file and line of traps and of the frames of backtraces: of results, and
  // of the shapes of columns.
  void AddTo(wasmburst::v1::ReadResultsResponse* results);

 private:
  using Key = std::tuple<std::string, uint32_t, uint32_t>;  // module, function, offset

  // Trap or TraceFrame. `left`: bytes that may still be added.
  template <typename Proto>
  void AddTo(Proto* proto, size_t* left);
  void AddToResult(wasmburst::v1::InstanceResult* result, size_t* left);
  // Null: nothing is known of it.
  const Place* Find(const Key& key);
  // Null: the module is not stored any more, or it is none of the job's own.
  DebugInfo* InfoOf(const std::string& module);

  const std::shared_ptr<const ModuleStore> modules_;
  const std::shared_ptr<const JobRequest> request_;
  const size_t most_places_;
  std::map<std::string, std::unique_ptr<DebugInfo>> infos_;  // by name of the linked module
  std::map<Key, Place> places_;
};

}  // namespace wb
