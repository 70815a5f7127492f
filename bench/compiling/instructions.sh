# Sourced by compile.sh: how many instructions the CPU device's builds take, counted by valgrind. They are the same on a
# busy machine: two counts of one build differ by less than a thousandth, those for x86-64-v2 and v3 by less than a hundredth.
counted_rows=(add "1 function" "10 functions" "25 functions")
# count_builds: "MILLIONS EFFORT ROW" of each build. Its compile_times finds, beside itself, a compiler that counts.
count_builds() {
  local row
  mkdir -p "$work/counted"
  cp "$times" "$work/counted/compile_times"
  cat >"$work/counted/wasmburst-clang" <<SH
#!/bin/sh
case "\$1" in
  --version) exec "$compiler" "\$@" ;;
  -O0) effort=quick ;;
  *) effort=full ;;
esac
valgrind --tool=cachegrind --cache-sim=no --branch-sim=no --cachegrind-out-file=/dev/null \
  --log-file="$work/counted/log.\$\$" "$compiler" "\$@" || exit
sed -n "s/.*I *refs: *//p" "$work/counted/log.\$\$" | tr -d , | sed "s/^/\$effort /" >>"$work/counted/builds"
SH
  chmod +x "$work/counted/wasmburst-clang"
  for row in "${counted_rows[@]}"; do
    : >"$work/counted/builds"
    "$work/counted/compile_times" cpu --most-seconds 600 --rows "$row" >"$work/counted/said" 2>&1 || { cat "$work/counted/said" >&2; return 1; }
    awk -v row="$row" '{ all[$1] += $2 } END { for (e in all) printf "%.1f %s %s\n", all[e] / 1e6, e, row }' "$work/counted/builds" | sort -k2
  done
}
# Which compiler, and for which processors it builds: the counts of others are different.
compiler_name() { "$compiler" --version | head -n 1; }
# compare_counts RECORD COUNTS: 1 where a build takes more than 1.3 times what is on record, or a row of the record is missing.
compare_counts() {
  awk '
    function key(line) { sub(/^[^ ]* /, "", line); return line }
    /^#/ { next }
    FILENAME == ARGV[1] { split($0, w, " "); before[key($0)] = w[1]; next }
    { split($0, w, " "); now[key($0)] = w[1] }
    END {
      for (k in before) {
        ++rows
        if (!(k in now)) { print k ": was not built"; ++wrong; continue }
        times = now[k] / before[k]
        printf "%s: %s million instructions, %.2f times what is on record%s\n", k, now[k], times, (times > 1.3) ? ", too many" : ""
        wrong += (times > 1.3)
        if (times > most) most = times
      }
      if (!rows) { print "there is nothing on record"; exit 2 }
      printf "builds: at most %.2f times the instructions on record, %d of %d over 1.3\n", most, wrong, rows
      exit wrong > 0
    }' "$1" "$2"
}
