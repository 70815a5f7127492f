# wb_link_archives(TARGET LIBRARY...): the program takes what it needs of these imported libraries and of
# all that they link from archives, as far as these lie beside the shared ones, and is left without the
# shared ones. gRPC, Protocol Buffers and Abseil are some fifty shared libraries in Debian, which
# take longer to load than all else at a start (bench/docs/programs.md). OpenSSL, zlib and
# c-ares stay shared, so that their corrections come with the system's. Where a linker or a system
# does not know this, the shared libraries are linked as ever.

# Files of an imported target and of those that it links, in `files`.
function(wb_collect_archives target files seen)
  set(its_files ${${files}})
  set(its_seen ${${seen}})
  if(TARGET ${target} AND NOT ${target} IN_LIST its_seen)
    list(APPEND its_seen ${target})
    get_target_property(type ${target} TYPE)
    if(type MATCHES "SHARED|UNKNOWN|STATIC" AND NOT target MATCHES "^(OpenSSL|ZLIB|c-ares)::")
      get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
      list(GET configurations 0 configuration)
      get_target_property(location ${target} IMPORTED_LOCATION_${configuration})
      if(NOT location)
        get_target_property(location ${target} IMPORTED_LOCATION)
      endif()
      string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${location}")
      if(EXISTS "${archive}")
        list(APPEND its_files "${archive}")
      endif()
    endif()
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    foreach(link IN LISTS links)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" link "${link}")
      wb_collect_archives("${link}" its_files its_seen)
    endforeach()
  endif()
  set(${files} ${its_files} PARENT_SCOPE)
  set(${seen} ${its_seen} PARENT_SCOPE)
endfunction()

function(wb_link_archives program)
  if(WB_SANITIZE OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT (WB_LINK_WITH_LLD AND WB_LLD))
    return()
  endif()
  set(archives)
  set(seen)
  foreach(library ${ARGN})
    wb_collect_archives(${library} archives seen)
  endforeach()
  # lld takes a symbol from whichever names it first; what is then not needed is left out.
  target_link_options(${program} PRIVATE LINKER:--as-needed)
  target_link_libraries(${program} PRIVATE ${archives})
endfunction()
