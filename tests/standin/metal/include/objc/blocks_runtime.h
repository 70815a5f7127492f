#pragma once

// GNUstep asks for this header of another runtime when blocks are on; Debian has Block.h.

#include <Block.h>
