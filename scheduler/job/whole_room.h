#pragma once

// WholeRoom: room for all of one instance's result, beyond the part that ResultSink::Reserve gives.
// An instance has it from when its output outgrows its record until its result has come or it has
// no seat any more; then it is given back. Any thread.

#include <memory>
#include <utility>
#include <vector>

#include "scheduler/job/job_progress.h"

namespace wb {

class WholeRoom {
 public:
  explicit WholeRoom(std::shared_ptr<ResultSink> sink) : sink_(std::move(sink)) {}
  ~WholeRoom() { sink_->Narrow(1); }
  WholeRoom(const WholeRoom&) = delete;
  WholeRoom& operator=(const WholeRoom&) = delete;

  // At most so many, as the sink grants.
  static std::vector<std::shared_ptr<const WholeRoom>> Take(const std::shared_ptr<ResultSink>& sink,
                                                            uint64_t at_most) {
    std::vector<std::shared_ptr<const WholeRoom>> rooms(sink->Widen(at_most));
    for (auto& room : rooms) room = std::make_shared<WholeRoom>(sink);
    return rooms;
  }

 private:
  const std::shared_ptr<ResultSink> sink_;
};
using WholeRoomRef = std::shared_ptr<const WholeRoom>;

}  // namespace wb
