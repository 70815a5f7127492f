#include <metal_stdlib>
using namespace metal;
#include "other.h"  // expect: other.h
