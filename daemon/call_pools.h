#pragma once

// CallPools: the threads that calls run on, one pool for each kind of work (RpcPools). Ends them
// when it is destroyed, what was posted before.

#include "daemon/config/config.h"
#include "daemon/process/worker_pool.h"
#include "daemon/rpc/rpc_runtime.h"

namespace wb {

class CallPools {
 public:
  explicit CallPools(const Config& config);

  RpcPools pools() { return {&prepare_, &large_, &upload_, &stream_, &compile_}; }
  WorkerPool& prepare() { return prepare_; }
  WorkerPool& compile() { return compile_; }

 private:
  WorkerPool prepare_;
  WorkerPool large_;
  WorkerPool upload_;
  WorkerPool stream_;
  WorkerPool compile_;
};

}  // namespace wb
