// The board: how a kernel that stays on the GPU gets its launches. One text for NVRTC, where it
// follows the kernel's, and for the host (scheduler/devices/cuda/resident_kernel.h); both define
// WB_BOARD_PARAMS, what a launch is told.
//
// Launches are numbered from 1; number n uses slot n % WB_BOARD_SLOTS. The host writes a slot when
// the slot's previous launch is over: first all but `posted`, by one copy, then `posted`. Blocks of
// the kernel take blocks of launches, the older launch first, by counting `left` down. A block that
// has counted it down holds a block of the launch; the slot stays as it is until that has ended.

enum { WB_BOARD_SLOTS = 3 };

struct WbPost {
  unsigned long long state, records, program, columns, blob, image, control, kept;
  unsigned blocks;
  unsigned reserved;
  WB_BOARD_PARAMS params;
};

struct WbBoardSlot {
  WbPost post;
  unsigned long long left;   // number of the launch << 32 | blocks that are not taken yet
  unsigned long long began;  // by the GPU's clock, ns
  unsigned control[16];      // what the launch's control points at
  unsigned done;             // blocks that have ended
  unsigned posted;           // number of the launch; from then on blocks run
};

struct WbBoard {
  WbBoardSlot slots[WB_BOARD_SLOTS];
  unsigned leaves;  // not 0: blocks that find nothing to do end
};

// In the host's memory: what the GPU says of the last launch of a slot.
struct WbLaunchEnd {
  unsigned long long began, ended;  // ns
  unsigned number;                  // written last
  unsigned reserved;
  unsigned counts[4];  // control words from WB_CONTROL_USEFUL_LO on
};
