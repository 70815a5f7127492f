// The end of the program, and the output files that are delivered then.

#include "compiler/system/wasi/calls.h"
#include "compiler/system/wasi/layer.h"

enum { kFirstOutput = 3, kLastStream = 254, kMostSignal = 30, kSignalBase = 128 };

static void Deliver(Node* root, Text path, uint32_t stream) {
  if (path.bytes > kLongestPath) return;
  char* text = layer.paths[0];
  uint32_t bytes = path.bytes;
  __builtin_memcpy(text, path.text, bytes);
  Place place;
  if (CleanPath(text, &bytes) != E_OK || FindPlace(root, text, bytes, &place) != E_OK) return;
  if (place.node != NULL && place.node->type == TYPE_REGULAR) {
    ContentDeliver(&place.node->content, stream);
  }
  LeavePlace(&place);
}

void Finish(void) {
  if (layer.is_finished) return;
  layer.is_finished = true;
  Node* root = NULL;
  const Config* config = TheConfig();
  if (config->outputs == 0 || TreeRoot(&root) != E_OK) return;
  for (uint32_t i = 0; i < config->outputs && kFirstOutput + i <= kLastStream; ++i) {
    Deliver(root, config->output[i], kFirstOutput + i);
  }
}

void wasi_proc_exit(I32 code) {
  Finish();
  ExitInstance(code);
}

I32 wasi_proc_raise(I32 signal) {
  if (signal == 0 || signal > kMostSignal) return E_INVAL;
  wasi_proc_exit(kSignalBase + signal);
  return E_OK;
}

I32 wasi_sched_yield(void) { return E_OK; }
