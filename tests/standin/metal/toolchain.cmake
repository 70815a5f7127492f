# Objective-C++ where there is no Apple: clang, GNUstep's Foundation, libBlocksRuntime. Sets
# WB_METAL_STANDIN, or says why not.
set(WB_METAL_STANDIN OFF)
find_program(WB_STANDIN_CLANG NAMES clang++ clang++-14)
find_path(WB_STANDIN_FOUNDATION Foundation/Foundation.h PATHS /usr/include/GNUstep)
find_path(WB_STANDIN_OBJC objc/objc.h
          HINTS /usr/lib/gcc/${CMAKE_LIBRARY_ARCHITECTURE}/12/include
                /usr/lib/gcc/${CMAKE_LIBRARY_ARCHITECTURE}/13/include
                /usr/lib/gcc/${CMAKE_LIBRARY_ARCHITECTURE}/14/include)
find_library(WB_STANDIN_GNUSTEP gnustep-base)
find_library(WB_STANDIN_BLOCKS BlocksRuntime)
# The runtime's library has no plain name outside gcc's own folder.
get_filename_component(wb_gcc_folder "${WB_STANDIN_OBJC}" DIRECTORY)
find_library(WB_STANDIN_RUNTIME objc HINTS ${wb_gcc_folder})
foreach(part CLANG FOUNDATION OBJC GNUSTEP BLOCKS RUNTIME)
  if(NOT WB_STANDIN_${part})
    message(STATUS "The stand-in for Metal is left out: WB_STANDIN_${part} was not found; "
                   "deploy/setup.sh installs what it needs.")
    return()
  endif()
endforeach()
if(WB_SANITIZE AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(STATUS "The stand-in for Metal is left out: its sanitizers are clang's, "
                 "and ${CMAKE_CXX_COMPILER_ID} compiles the rest.")
  return()
endif()
set(CMAKE_OBJCXX_COMPILER ${WB_STANDIN_CLANG})
set(CMAKE_OBJCXX_COMPILER_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}")
set(CMAKE_OBJCXX_STANDARD 20)
set(CMAKE_OBJCXX_STANDARD_REQUIRED ON)
set(CMAKE_OBJCXX_EXTENSIONS OFF)
set(CMAKE_OBJCXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# CMake has one name of precompiled headers for all languages, that of the last compiler enabled: g++ would
# look for its own under another name, and read the headers' text every time.
set(wb_pch_extension "${CMAKE_PCH_EXTENSION}")
set(wb_pch_prologue "${CMAKE_PCH_PROLOGUE}")
enable_language(OBJCXX)
set(CMAKE_PCH_EXTENSION "${wb_pch_extension}")
set(CMAKE_PCH_PROLOGUE "${wb_pch_prologue}")
set(WB_METAL_STANDIN ON)
