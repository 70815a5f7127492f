#pragma once

// What the job says about the system layer: input 0, read once, at the first call.
// compiler/docs/system_layer.md has its layout.

#include "compiler/system/wasi/abi.h"

// Numbers of a job's inputs; arguments, environment and own files follow, then the draw number
// where there is one.
enum { kInputConfig = 0, kInputStdin = 1, kInputFileSet = 2, kInputFirstArgument = 3 };
enum { kConfigVersion = 1, kNoStdin = 1, kNoFileSet = 2, kDrawNumbers = 4 };

typedef struct {
  const char* text;  // within the configuration's bytes
  uint32_t bytes;
} Text;

typedef struct {
  Text guest, path;
} Preopen;

typedef struct {
  bool is_read;
  uint32_t args, envs, own_files;
  uint64_t clock_start;  // nanoseconds
  uint64_t seed;
  uint32_t scratch_bytes;
  uint32_t flags;
  uint32_t preopens, outputs;
  Preopen* preopen;  // an array
  Text* output;      // an array: paths of files that are delivered
} Config;

const Config* TheConfig(void);
uint32_t InputOfEnvironment(void);  // the first one
uint32_t InputOfOwnFiles(void);
uint32_t InputOfDrawNumber(void);
