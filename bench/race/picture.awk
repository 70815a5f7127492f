# A picture of the race: bars of rates over C on all processors, in powers of ten.
#   awk -f picture.awk kernels.txt ROWS >PICTURE.svg
function x_of(ratio, power) {
  power = log(ratio) / log(10)
  if (power < low) power = low
  return left + (power - low) * (width - left - right) / (high - low)
}
BEGIN {
  columns = split("cc wasm2c v8 cpu interpreter gpu cuda", column, " ")
  split("#555555 #999999 #c9a227 #3b6fb6 #a9c4e6 #2a9d55 #7a3fa0", colour, " ")
  split("C, cc -O2|wasm2c, cc -O2|V8|CPU device|interpreter|GPU|CUDA by hand", label, "|")
  width = 960; left = 110; right = 70; bar = 6; low = -2.5; high = 3.5; top = 60
}
FNR == NR { if (!/^#/) order[++kernels] = $1; next }
NF >= 7 && (!(($1, $2) in time) || $5 < time[$1, $2]) { time[$1, $2] = $5 }
END {
  for (i = 1; i <= kernels; ++i) if ((order[i], "cc") in time) shown[++rows] = order[i]
  height = top + rows * (columns * bar + 12) + 30
  printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='11'>\n", width, height
  print "<rect width='100%' height='100%' fill='white'/>"
  print "<text x='12' y='18'>Instances a second over C on all processors (1), each step ten times as many</text>"
  for (i = 1; i <= columns; ++i)
    printf "<rect x='%d' y='28' width='10' height='10' fill='%s'/><text x='%d' y='37'>%s</text>\n", \
      12 + (i - 1) * 125, colour[i], 26 + (i - 1) * 125, label[i]
  for (power = int(low); power <= high; ++power)
    printf "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke='%s'/><text x='%.1f' y='%d'>%g</text>\n", x_of(10 ^ power), \
      x_of(10 ^ power), top - 8, height - 22, power ? "#dddddd" : "#333333", x_of(10 ^ power) - 8, height - 8, 10 ^ power
  for (i = 1; i <= rows; ++i) {
    y = top + (i - 1) * (columns * bar + 12)
    printf "<text x='12' y='%d'>%s</text>\n", y + columns * bar / 2 + 4, shown[i]
    for (j = 1; j <= columns; ++j) {
      if (!((shown[i], column[j]) in time)) continue
      ratio = time[shown[i], "cc"] / time[shown[i], column[j]]
      from = x_of(1); to = x_of(ratio)
      if (to < from) { swap = from; from = to; to = swap }
      printf "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='%s'><title>%s, %s: %.3g</title></rect>\n", from, \
        y + (j - 1) * bar, to - from + 1, bar - 1, colour[j], shown[i], label[j], ratio
    }
  }
  print "</svg>"
}
