// What a module's text has as constants and a kernel compiled by itself reads: words that the module's
// part defines (module_epilogue.cu).
extern "C" __constant__ uint wb_module_globals_at;
extern "C" __constant__ uint wb_module_memory_at;
extern "C" __constant__ uint wb_module_windowed;
#define WB_GLOBALS_AT wb_module_globals_at
#define WB_MEMORY_AT wb_module_memory_at
#define WB_WINDOWED wb_module_windowed
