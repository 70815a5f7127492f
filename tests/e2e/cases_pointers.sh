# Programs whose operands follow pointers: behind an address, in exported globals, lengths of bytes.
cat >"$work/pointers.wat" <<'WAT'
(module
  (memory (export "memory") 1)
  (global $top (mut i32) (i32.const 1024))
  (global (export "input") i32 (i32.const 4096))
  (global $output (export "output") (mut i32) (i32.const 0))
  (func (export "__wbindgen_add_to_stack_pointer") (param i32) (result i32)
    (global.set $top (i32.add (global.get $top) (local.get 0)))
    (global.get $top))
  ;; Twice every byte of the input; pointer and length to two words at $at.
  (func (export "double") (param $at i32) (param $length i32) (local $i i32)
    (global.set $output (i32.const 8192))
    (i32.store (local.get $at) (i32.const 8192))
    (i32.store offset=4 (local.get $at) (i32.mul (local.get $length) (i32.const 2)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $i) (i32.mul (local.get $length) (i32.const 2))))
        (i32.store8 offset=8192 (local.get $i)
          (i32.load8_u offset=4096 (i32.shr_u (local.get $i) (i32.const 1))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next))))
  (func (export "id") (param i32) (result i32) (local.get 0)))
WAT
cat >"$work/pointers.json" <<'JSON'
{"columns": {"text": {"type": "bytes", "values": ["a", "", "bcd"]}},
 "steps": [
   {"call": "__wbindgen_add_to_stack_pointer", "args": [-16]},
   {"write": {"pointer": {"global": "input"}, "column": "text"}},
   {"call": "double", "args": [{"result": [0, 0]}, {"column_length": "text"}]},
   {"read": {"pointer": {"load32": {"result": [0, 0]}},
             "length": {"load32": {"result": [0, 0], "add": 4}}, "output": "behind"}},
   {"read": {"pointer": {"global": "output"}, "length": 2, "output": "named"}},
   {"call": "id", "args": [{"load32": {"load32": {"result": [0, 0]}}, "add": 1}]}]}
JSON
for placement in cpu interpreter; do
  ctl -q job run "$work/pointers.wat" --program "$work/pointers.json" --placement $placement \
    --concat "behind=$work/behind.out" --concat "named=$work/named.out" -o jsonl >"$work/pointed"
  said="$(cat "$work/behind.out") $(tr '\0' . <"$work/named.out") $(grep -c '"trap"' "$work/pointed")"
  if [[ $said == "aabbccdd aa..bb 0" ]] && grep -q '"values":\[1667457635\]' "$work/pointed"; then
    pass "results behind pointers on $placement"
  else
    fail "results behind pointers on $placement" "$said $(cat "$work/pointed")"
  fi
  expect "a load out of bounds is the step's trap, on $placement" 0 \
    "TRAPPED.*out of bounds memory access .by the step itself." ctl job run "$work/pointers.wat" \
    --program <(echo '{"steps": [{"call": "id", "args": [{"load32": 65533}]}]}') \
    --placement $placement
done
# AssemblyScript's arrays, at an address that is the argument: classes 0x902 are Array<i32>.
{
  echo '(module (memory (export "memory") 1) (global (export "__rtti_base") i32 (i32.const 64))'
  echo '  (func (export "array") (param i32) (result i32) (local.get 0))'
  printf '  (data (i32.const 64) "\\00\\10\\00\\00'
  printf '\\02\\09\\00\\00%.0s' {1..4096}
  echo '"))'
} >"$work/arrays.wat"
expect "an Array<T> of thousands of classes is refused with what to do" 2 \
  "LIMIT_TOO_HIGH.*at most .4096. steps; this has .4098.. Use fewer" \
  ctl job run "$work/arrays.wat" --call array --call-as as-dynamic-array --arg 20000
for preset in as-array as-string as-buffer; do
  expect "a null by $preset traps" 0 "TRAPPED.*out of bounds memory access .by the step itself." \
    ctl job run "$work/arrays.wat" --call array --call-as $preset --arg 0 --placement interpreter
done
expect "a null by as-dynamic-array traps, whatever is read" 0 "TRAPPED.*out of bounds memory access" \
  ctl job run "$work/arrays.wat" --call array --call-as as-dynamic-array --read first=4 --arg 0 --placement interpreter
expect "an array that is none is read" 0 "RETURNED.*bytes: 0 bytes" \
  ctl job run "$work/arrays.wat" --call array --call-as as-array --arg 20000 --placement interpreter
expect "an unknown global lists those that there are" 2 \
  "takes .outptu., .*It exports: input .i32., output .i32." ctl job run "$work/pointers.wat" \
  --program <(echo '{"steps": [{"call": "id", "args": [{"global": "outptu"}]}]}')
expect "loads within one another are bounded" 2 "more than .3. loads" \
  ctl job run "$work/pointers.wat" --program <(echo '{"steps": [{"call": "id", "args":
    [{"load32": {"load32": {"load32": {"load32": 0}}}}]}]}')
