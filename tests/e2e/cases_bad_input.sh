# Every bad input gets its reason, and the daemon serves on.
printf 'this is no module' >"$work/no.wasm"
printf '\0asm\1\0\0\0\1\5' >"$work/truncated.wasm"
# A body that leaves nothing where an i32 is due; well-formed.
printf '\0asm\1\0\0\0\1\5\1\140\0\1\177\3\2\1\0\12\4\1\2\0\13' >"$work/invalid.wasm"
echo '(module (import "nothing" "here" (func)) (func (export "f") (call 0)))' >"$work/import.wat"
printf '\0asm\1\0\0\0\5\4\1\3\1\1' >"$work/shared_memory.wasm"
echo '(module (func $s unreachable) (start $s) (func (export "f")))' >"$work/start.wat"
echo '(module (memory 1000) (func (export "f")))' >"$work/large.wat"
printf '(module\n (func (i32.add)))' >"$work/bad.wat"
awk 'BEGIN { printf "(module (func "; for (i = 0; i < 100000; i++) printf "(block " }' \
  >"$work/deep.wat"

expect "not wasm" 2 "WASM_MALFORMED.*byte \[0\]|WASM_MALFORMED.*offset" \
  ctl module push "$work/no.wasm"
expect "truncated" 2 "WASM_MALFORMED" ctl module push "$work/truncated.wasm"
expect "invalid" 2 "WASM_INVALID.*offset" ctl module push "$work/invalid.wasm"
expect "unknown import" 2 "IMPORT_NOT_PROVIDED.*nothing" ctl job run "$work/import.wat" --call f
expect "and what it is, and the way out" 2 \
  "\[nothing.here\] \(a function, \(\) -> \(\)\).*--module nothing=FILE" \
  ctl job run "$work/import.wat" --call f
echo '(module (import "wasi_snapshot_preview1" "fd_write" (func)) (func (export "f")))' >"$work/wasi.wat"
expect "a WASI program without a memory" 2 "functions of WASI, .* exports none of that name" \
  ctl job run "$work/wasi.wat" --call f
expect "unsupported feature" 2 "WASM_UNSUPPORTED_FEATURE.*threads" \
  ctl module push "$work/shared_memory.wasm"
expect "missing export" 2 "ENTRY_POINT_NOT_FOUND.*fac" ctl job run "$guest" --call nothing
expect "wrong count of arguments" 2 "SIGNATURE_MISMATCH" ctl job run "$guest" --call fac
expect "wrong type of argument" 2 "SIGNATURE_MISMATCH" \
  ctl job run "$guest" --call fac --arg f32:1
expect "no instances" 2 "INVALID_ARGUMENT.*--instances" \
  ctl job run "$guest" --call fac --arg 1 --instances 0
expect "absurd instances" 2 "LIMIT_TOO_HIGH.*--instances" \
  ctl job run "$guest" --call fac --arg 1 --instances 18446744073709551615
expect "memory over the daemon's limit" 2 "LIMIT_TOO_HIGH.*The flag .--memory. asks" \
  ctl job run "$guest" --call fac --arg 1 --memory 100GB
expect "a module that needs more memory than the job has" 2 "65536000.*the job's --memory is" \
  ctl job run "$work/large.wat" --call f
expect "a trap in the start function" 0 "TRAPPED.*unreachable" \
  ctl job run "$work/start.wat" --call f
expect "text that is wrong" 2 "WAT_INVALID.*bad.wat:2:" ctl module push "$work/bad.wat"
expect "text that nests too deep" 2 "WAT_INVALID.*nests" ctl module push "$work/deep.wat"
expect "a module that is not there" 3 "NOT_FOUND" \
  ctl module rm "modules/sha256:$(printf '0%.0s' {1..64})"
expect "a job that is not there" 3 "NOT_FOUND" ctl job get jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV
expect "a name that is none" 2 "INVALID_ARGUMENT" ctl job get nonsense
expect "a filter that is none" 2 "INVALID_ARGUMENT.*filter" ctl job list --filter 'x = 1'
expect "a cursor that is none" 2 "INVALID_ARGUMENT.*cursor" \
  ctl job results jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV --cursor 5
expect "no daemon" 5 "UNAVAILABLE.*cannot be reached" ctl --addr "unix://$work/nothing" server info
expect "wrong usage" 2 "." ctl job run
expect "the daemon still serves" 0 "RETURNED" ctl job run "$guest" --call fac --arg 5
