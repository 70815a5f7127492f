# Sourced by benches: figures of numbers that stand a line each on standard input.
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
# "12.3 (11.9 to 13.0)": the median, the lowest and the highest. FORMAT is printf's, of one number.
spread() {
  sort -n | awk -v f="$1" '{ all[NR] = $1 } END {
    printf f " (" f " to " f ")\n", all[int((NR + 1) / 2)], all[1], all[NR] }'
}
