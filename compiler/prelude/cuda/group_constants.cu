// The same, of modules whose instances compute in groups (group_epilogue.cu).
extern "C" __constant__ uint wb_module_group_at;
extern "C" __constant__ uint wb_module_group_memory_at;
#define WB_GROUP_AT wb_module_group_at
#define WB_GROUP_MEMORY_AT wb_module_group_memory_at
