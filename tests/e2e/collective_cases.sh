# Sourced by inside.sh: the collectives of gpu_std on several engines, by a module and a program that are made from the table
# compiler/abi/gpu_std.def. Needs ctl and $work (bench/own_daemon.sh).

# "NAME TYPE SHUFFLES" of each collective that answers with a value.
collectives() {
  sed -nE 's/^WB_GPU_STD\("([a-z0-9_]+)", Collective, .*, \(([A-Z0-9]+)\), \([A-Z0-9]+(, I32)?\)\)$/\1 \2 \3/p' \
    compiler/abi/gpu_std.def | tr 'A-Z,' 'a-z ' | awk '{ print $1, $2, NF == 3 }'
}

# The export cK of $work/collectives.wat calls the collective of that number with a value that the instance's number makes, after
# a loop that is as long as that number says. Each 13th instance traps before one of the calls.
write_collectives() {
  collectives | awk -v wat="$work/collectives.wat" -v program="$work/collectives.json" '
    function value(type, k) {
      bits = "(i64.mul (i64.extend_i32_u (i32.add (local.get 0) (i32.const " k + 1 "))) (i64.const 0x9e3779b97f4a7c15))"
      if (type == "i64") return bits
      if (type == "i32") return "(i32.wrap_i64 (i64.shr_u " bits " (i64.const 20)))"
      return "(" type ".div (" type ".convert_i64_s " bits ") (" type ".const 3e9))"
    }
    {
      k = NR - 1
      imports = imports "(import \"gpu_std\" \"" $1 "\" (func $f" k " (param " $2 ($3 ? " i32" : "") ") (result " $2 ")))\n"
      asked = $3 ? " (i32.rem_u (i32.mul (local.get 0) (i32.const 7)) (i32.const 45))" : ""
      exports = exports "(func (export \"c" k "\") (param i32) (result " $2 ") (call $before (local.get 0) (i32.const " k "))" \
        " (call $f" k " " value($2, k) asked "))\n"
      bits = "(call $f" k " " value($2, k) asked ")"
      if ($2 ~ /^f/) bits = "(i" substr($2, 2) ".reinterpret_" $2 " " bits ")"
      if ($2 ~ /32$/) bits = "(i64.extend_i32_u " bits ")"
      all = all "(call $before (local.get 0) (i32.const " k ")) (local.set $x (i64.xor (i64.rotl (local.get $x) (i64.const 7)) " bits "))\n"
      steps = steps (k ? "," : "") "{\"call\":\"c" k "\",\"args\":[{\"column\":\"n\"}]}"
    }
    END {
      print "(module " imports \
        "(func $before (param $n i32) (param $k i32) (local $i i32)" \
        "  (local.set $i (i32.rem_u (i32.mul (local.get $n) (i32.add (local.get $k) (i32.const 3))) (i32.const 40)))" \
        "  (loop $l (br_if $l (i32.gt_s (local.tee $i (i32.sub (local.get $i) (i32.const 1))) (i32.const 0))))" \
        "  (if (i32.and (i32.eq (i32.rem_u (local.get $n) (i32.const 13)) (i32.const 5))" \
        "               (i32.eq (i32.rem_u (local.get $n) (i32.const 47)) (local.get $k))) (then (unreachable))))" \
        exports \
        "(func (export \"all\") (param i32) (result i64) (local $x i64) " all "(local.get $x)))" >wat
      print "{\"columns\":{\"n\":{\"type\":\"i32\",\"values\":\"0..INSTANCES\"}},\"steps\":[" steps "]}" >program
    }'
}

# A million instances call all of them: $collective_million is how many of the functions are then taken for equal.
compare_million() {
  local placement
  for placement in interpreter "$@"; do
    ctl -q -o jsonl job run "$work/collectives.wat" --call all --arg 0..1000000 --ordered --placement "$placement" |
      sed -E 's/"(device|engine|build)":"[^"]*",?//g' >"$work/million.$placement"
    [ "$(wc -l <"$work/million.$placement")" = 1000000 ] || { echo "inside.sh: a million collectives failed on $placement" >&2; return 1; }
    cmp -s "$work/million.interpreter" "$work/million.$placement" || { collective_million=0; echo "a million differ on $placement"; }
  done
}

# count_collectives PLACEMENT...: sets collective_cases, and collective_equal: those of which all instances gave the same on each
# placement as on the interpreter. A case is a function on a number of instances.
count_collectives() {
  local count placement functions differ
  collective_cases=0 collective_equal=0
  functions="$(collectives | wc -l)"
  write_collectives
  for count in 1 31 32 33 1000; do
    sed "s/INSTANCES/$count/" "$work/collectives.json" >"$work/program.json"
    : >"$work/differ"
    for placement in interpreter "$@"; do
      # A line for each instance: a column for each function, empty where the instance had ended.
      ctl -q -o jsonl job run "$work/collectives.wat" --program "$work/program.json" --ordered --placement "$placement" |
        awk '{ line = ""
          if (match($0, /"steps":\[[^}]*\}(,[^}]*\})*\]/)) line = substr($0, RSTART + 9, RLENGTH - 10)
          gsub(/\{"values":\[|\]\}/, "", line); gsub(/,/, " ", line); print line }' >"$work/on.$placement"
      [ "$(wc -l <"$work/on.$placement")" = "$count" ] || { echo "inside.sh: collectives failed on $placement" >&2; return 1; }
      paste -d'|' "$work/on.interpreter" "$work/on.$placement" | awk -F'|' '{
        n = split($1, a, " "); m = split($2, b, " ")
        for (k = 1; k <= (n > m ? n : m); ++k) if (a[k] != b[k]) print k }' >>"$work/differ"
    done
    differ="$(sort -u "$work/differ" | wc -l)"
    collective_cases=$((collective_cases + functions))
    collective_equal=$((collective_equal + functions - differ))
    echo "collectives on $count instances: $((functions - differ)) of $functions equal"
  done
  [ $quick = no ] || return 0
  collective_million="$functions"
  compare_million "$@"
  collective_cases=$((collective_cases + functions))
  collective_equal=$((collective_equal + collective_million))
  echo "collectives on 1,000,000 instances: $collective_million of $functions equal"
}
