#pragma once

// Bindings of imports as --bind says them.

#include <string>

#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

// "MODULE.NAME=WAY", where WAY is trap, ignore, record, record:VALUES, constant:VALUES,
// lookup:FILE.csv, lookup:FILE.csv,otherwise=0.5 (lookup_file.h), host or host:BYTES. VALUES are
// "i32:7,f64:0.5". BYTES are "bytes(1,2)+bytes(3,=16)+string(4)", bytes of memory that go with a
// call: at argument 1, as many as argument 2 says; at argument 3, 16; at argument 4, up to the
// first zero byte. Arguments are counted from 0. WAY is what follows "=lookup:", "=host:" or else
// the last = sign. INVALID_ARGUMENT; IO_ERROR for the file.
Result<wasmburst::v1::Binding> ParseBinding(const std::string& text);

}  // namespace wb::cli
