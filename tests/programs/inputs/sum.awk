NR > 1 {
  total += $NF
  if ($NF > max) max = $NF
}
END {
  printf "%.2f %.2f\n", total, max > "out.txt"
  exit 5
}
