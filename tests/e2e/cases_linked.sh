# Jobs of several modules: the outputs of both, errors by name, traps in the right module.
cat >"$work/library.wat" <<'WAT'
(module
  (memory (export "memory") 1)
  (global $calls (export "calls") (mut i32) (i32.const 0))
  (func (export "scale") (param i32) (result i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (i32.mul (local.get 0) (i32.const 3)))
  (func (export "count") (result i32) (global.get $calls))
  (func (export "divide") (param i32 i32) (result i32)
    (i32.div_u (local.get 0) (local.get 1))))
WAT
cat >"$work/middle.wat" <<'WAT'
(module
  (import "env" "scale" (func $scale (param i32) (result i32)))
  (func (export "scale_twice") (param i32) (result i32)
    (call $scale (call $scale (local.get 0)))))
WAT
cat >"$work/linked_main.wat" <<'WAT'
(module
  (import "env" "memory" (memory 1))
  (import "env" "divide" (func $divide (param i32 i32) (result i32)))
  (import "middle" "scale_twice" (func $scale_twice (param i32) (result i32)))
  (data (i32.const 8) "linked! ")
  (func (export "run") (param i32) (result i32)
    (i32.store (i32.const 0) (call $scale_twice (local.get 0)))
    (i32.const 0))
  (func (export "divide") (param i32) (result i32) (call $divide (i32.const 36) (local.get 0))))
WAT
modules=(--module "env=$work/library.wat" --module "middle=$work/middle.wat")
main=$work/linked_main.wat

for placement in cpu interpreter; do
  ctl -q job run "$main" "${modules[@]}" --call run --arg 0..40 --read "row=16" \
    --concat "row=$work/linked_rows" --no-results --placement $placement
  want=$(for ((i = 0; i < 40; i++)); do printf '%d linked! ' $((9 * i)); done)
  said=$(for ((i = 0; i < 40; i++)); do
    printf '%d ' "$(od -An -tu4 -N4 -j$((16 * i)) "$work/linked_rows")"
    dd if="$work/linked_rows" bs=1 skip=$((16 * i + 8)) count=8 2>/dev/null
  done)
  if [[ $said == "$want" ]]; then
    pass "linked modules on $placement"
  else
    fail "linked modules on $placement" "$said"
  fi
done

cat >"$work/linked.json" <<'JSON'
{"steps": [{"call": "run", "args": [5]}, {"call": "count", "module": "env"}]}
JSON
expect "a step calls another module" 0 '"values":\[2\]' \
  ctl job run "$main" "${modules[@]}" --program "$work/linked.json" -o jsonl
expect "a trap names its module" 0 'divide by zero in divide \(module env, function 2, offset 0x[0-9a-f]+\)' \
  ctl job run "$main" "${modules[@]}" --call divide --arg 0
expect "a module that is not given" 2 "IMPORT_NOT_PROVIDED.*middle.scale_twice.*unknown import" \
  ctl job run "$main" --module "env=$work/library.wat" --call run --arg 1
echo '(module (func (export "scale_twice")))' >"$work/wrong.wat"
expect "an import of another type" 2 "IMPORT_NOT_PROVIDED.*incompatible import type" \
  ctl job run "$main" --module "env=$work/library.wat" --module "middle=$work/wrong.wat" \
  --call run --arg 1
expect "modules in the wrong order" 2 "IMPORT_NOT_PROVIDED.*env.scale" \
  ctl job run "$main" --module "middle=$work/middle.wat" --module "env=$work/library.wat" \
  --call run --arg 1
