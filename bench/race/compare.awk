# A record of the race with another one, by rows:   awk -f compare.awk BEFORE.json NOW.json
# Prints each row whose rate is less than 0.8 or more than 1.25 of what it was, then how many are.
function text(name, at) {
  at = index($0, "\"" name "\": ")
  if (!at) return ""
  at = substr($0, at + length(name) + 4)
  sub(/^"/, "", at)
  sub(/["},].*/, "", at)
  return at
}
/"(machine|processors|gpu|day)":/ {
  split($0, word, "\"")
  about[FILENAME, word[2]] = text(word[2])
}
/"kernel":/ {
  key = text("kernel") " " text("column") " " text("variant")
  rate = text("per_s")
  if (rate == "") next
  if (FILENAME == ARGV[1]) before[key] = rate
  else if (key in before) {
    ++compared
    times = rate / before[key]
    if (times < 0.8) ++slower
    if (times > 1.25) ++faster
    if (times < 0.8 || times > 1.25) printf "%-40s %.2f times the rate of %s\n", key, times, about[ARGV[1], "day"]
  }
}
END {
  other = about[ARGV[1], "machine"] about[ARGV[1], "processors"] about[ARGV[1], "gpu"] != \
    about[ARGV[2], "machine"] about[ARGV[2], "processors"] about[ARGV[2], "gpu"]
  printf "against the record of %s%s: %d rows, %d slower than 0.8 times, %d faster than 1.25 times\n", \
    about[ARGV[1], "day"], other ? ", ANOTHER MACHINE" : "", compared, slower, faster
}
