#include "compiler/system/wasi/layer.h"

Layer layer;
