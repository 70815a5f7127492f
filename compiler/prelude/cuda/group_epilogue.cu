// The same, of modules whose instances compute in groups (group_constants.cu).
extern "C" __constant__ uint wb_module_group_at = WB_GROUP_AT;
extern "C" __constant__ uint wb_module_group_memory_at = WB_GROUP_MEMORY_AT;
