#pragma once

// Stand-in for Apple's <IOKit/IOKitLib.h> and what it brings along of CoreFoundation and Mach:
// declarations of what scheduler/sensors and scheduler/devices/metal use, under Apple's own names.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int kern_return_t;
typedef uint32_t mach_port_t;
typedef mach_port_t task_port_t;
typedef mach_port_t io_object_t;
typedef io_object_t io_service_t;
typedef io_object_t io_registry_entry_t;
typedef io_object_t io_connect_t;
typedef uint32_t IOOptionBits;
typedef const void* CFTypeRef;
typedef const struct __CFString* CFStringRef;
typedef const struct __CFAllocator* CFAllocatorRef;
typedef const struct __CFDictionary* CFDictionaryRef;
typedef struct __CFDictionary* CFMutableDictionaryRef;

#define kIOReturnSuccess 0
#define kIOMainPortDefault ((mach_port_t)0)
#define kIOServicePlane "IOService"
#define kCFAllocatorDefault ((CFAllocatorRef)0)
enum { kIORegistryIterateRecursively = 1, kIORegistryIterateParents = 2 };

mach_port_t mach_task_self(void);
kern_return_t IOObjectRelease(io_object_t object);
CFMutableDictionaryRef IOServiceMatching(const char* name);
CFMutableDictionaryRef IORegistryEntryIDMatching(uint64_t entryID);
io_service_t IOServiceGetMatchingService(mach_port_t mainPort, CFDictionaryRef matching);
kern_return_t IOServiceOpen(io_service_t service, task_port_t owningTask, uint32_t type,
                            io_connect_t* connect);
kern_return_t IOServiceClose(io_connect_t connect);
kern_return_t IOConnectCallStructMethod(mach_port_t connection, uint32_t selector,
                                        const void* inputStruct, size_t inputStructCnt,
                                        void* outputStruct, size_t* outputStructCnt);
CFTypeRef IORegistryEntrySearchCFProperty(io_registry_entry_t entry, const char* plane,
                                          CFStringRef key, CFAllocatorRef allocator,
                                          IOOptionBits options);

#ifdef __cplusplus
}
#endif
