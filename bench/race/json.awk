# Rows of race.sh as JSON, one a line.
#   awk -v machine= -v processors= -v gpu= -v day= -v rounds= -f json.awk ROWS
BEGIN {
  printf "{\n \"machine\": \"%s\",\n \"processors\": %d,\n \"gpu\": \"%s\",\n", machine, processors, gpu
  printf " \"day\": \"%s\",\n \"rounds\": %d,\n \"rows\": [", day, rounds
}
$1 == "copy" { copy = $2; next }
$2 == "memory" { fits[$1] = $3; next }
$2 == "auto" { line = sprintf("{\"kernel\": \"%s\", \"column\": \"auto\", \"of_best\": %.4g}", $1, $3) }
$2 != "auto" {
  line = sprintf("{\"kernel\": \"%s\", \"column\": \"%s\", \"variant\": \"%s\", \"instances\": %d", $1, $2, $3, $4)
  line = line sprintf(", \"per_s\": %.6g, \"lowest\": %.6g, \"highest\": %.6g", 1 / $5, 1 / $7, 1 / $6)
  if (NF > 7) line = line sprintf(", \"joules\": %.6g", $8)
  if ($2 == "gpu" && $1 in fits) line = line sprintf(", \"lanes_in_memory\": %d", fits[$1])
  line = line "}"
}
{ printf "%s\n  %s", count++ ? "," : "", line }
END { printf "\n ],\n \"copy_bytes_per_s\": %.6g\n}\n", copy + 0 }
