# What a module imports is bound by the job: constants, calls that do nothing, records, traps.
cat >"$work/bound.wat" <<'WAT'
(module
  (import "env" "seed" (func $seed (result i32)))
  (import "env" "base" (global $base i32))
  (import "env" "print" (func $print (param i32 f64)))
  (import "env" "tick" (func $tick (result i32)))
  (import "env" "abort" (func $abort (param i32)))
  (func (export "run") (param i32) (result i32)
    (call $print (local.get 0) (f64.const 0.5))
    (call $print (i32.const -1) (f64.const 2))
    (if (i32.eq (local.get 0) (i32.const 2)) (then (call $abort (local.get 0))))
    (i32.add (i32.add (call $seed) (global.get $base)) (call $tick))))
WAT
bound=$work/bound.wat
bind=(--bind env.seed=constant:i32:40 --bind env.base=constant:i32:2 --bind env.print=record
  --bind env.abort=trap --bind 'env.*=ignore')
for placement in cpu interpreter; do
  expect "bound imports on $placement" 0 \
    '"values":\[42\].*"calls":\[\{"import":"env.print","args":\[1,0.5\]\},\{"import":"env.print","args":\[-1,2\]\}\]' \
    ctl job run "$bound" "${bind[@]}" --call run --arg 1 -o jsonl --placement $placement
  expect "a trap names the import on $placement" 0 'env\.print\(2 0\.5\).*import called.*: env\.abort' \
    ctl job run "$bound" "${bind[@]}" --call run --arg 2 --placement $placement
done
echo '(module (func (export "seed") (result i32) (i32.const 20)))' >"$work/part.wat"
expect "a module gives a part, bindings the rest" 0 '"values":\[22\].*"calls"' \
  ctl job run "$bound" --module "env=$work/part.wat" "${bind[@]:2}" --call run --arg 1 -o jsonl
expect "unbound imports are listed with the flag" 2 \
  'IMPORT_NOT_PROVIDED.*env.print.*env.abort.*--bind env.NAME=trap' \
  ctl job run "$bound" --bind env.seed=constant:i32:1 --call run --arg 1
expect "a binding of nothing" 2 'env.nothing\] binds nothing' \
  ctl job run "$bound" "${bind[@]}" --bind env.nothing=trap --call run --arg 1

printf 'arg:i32,result:i32\n1,10\n2,20\n' >"$work/costs.csv"
echo '(module (import "env" "cost" (func $cost (param i32) (result i32)))
  (func (export "run") (param i32) (result i32) (call $cost (local.get 0))))' >"$work/cost.wat"
expect "results are looked up in a file" 0 '"values":\[20\]' ctl job run "$work/cost.wat" \
  --bind "env.cost=lookup:$work/costs.csv" --call run --arg 2 -o jsonl
expect "what no row has is otherwise" 0 '"values":\[-1\]' ctl job run "$work/cost.wat" \
  --bind "env.cost=lookup:$work/costs.csv,otherwise=-1" --call run --arg 9 -o jsonl
expect "what no row has traps" 0 'import called.*: env\.cost' ctl job run "$work/cost.wat" \
  --bind "env.cost=lookup:$work/costs.csv" --call run --arg 9
expect "a binding of another type" 2 'gives \(i64\)' \
  ctl job run "$bound" --bind env.seed=constant:i64:1 --bind 'env.*=ignore' --call run --arg 1
