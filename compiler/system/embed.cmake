# cmake -DBRIDGE=a.wasm -DSYSTEM=b.wasm -DOUTPUT=x.cc -P embed.cmake: binaries as C++ arrays
# (embedded.h).
function(array name file)
  file(READ "${file}" hex HEX)
  # A line for 16 bytes.
  string(REPEAT "[0-9a-f]" 32 line)
  string(REGEX REPLACE "(${line})" "\\1\n    " lines "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${lines}")
  set(source "${source}constexpr uint8_t k${name}[] = {\n    ${bytes}};\n" PARENT_SCOPE)
endfunction()
set(source "#include \"compiler/system/embedded.h\"\n\nnamespace wb {\nnamespace {\n\n")
array(Bridge "${BRIDGE}")
array(System "${SYSTEM}")
string(APPEND source "\n}  // namespace\n\nByteView BridgeBinary() { return kBridge; }\n\n")
string(APPEND source "ByteView SystemBinary() { return kSystem; }\n\n}  // namespace wb\n")
file(WRITE "${OUTPUT}" "${source}")
