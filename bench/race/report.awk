# The tables of the race and its last line.
#   awk -v machine= -v processors= -v gpu= -v rounds= -f report.awk kernels.txt ROWS
# ROWS: "NAME COLUMN VARIANT INSTANCES MEDIAN LOWEST HIGHEST [JOULES]", seconds of an instance; of gpu
# and cuda the fastest variant counts; "copy BYTES_PER_S"; "NAME memory LANES"; "NAME auto OF_BEST".
function short(number) {
  if (number >= 1e6) return sprintf("%.4gM", number / 1e6)
  if (number >= 1e4) return sprintf("%.4gk", number / 1e3)
  return sprintf("%.4g", number)
}
function has(name, column) { return (name SUBSEP column) in median }
function rate(name, column, low, high) {
  if (!has(name, column)) return "-"
  low = 100 * median[name, column] / highest[name, column]
  high = 100 * median[name, column] / lowest[name, column]
  return sprintf("%s (%.0f-%.0f)", short(1 / median[name, column]), low, high)
}
# The time of `column` over that of `other`; 0: one is missing.
function over(name, column, other) {
  return has(name, column) && has(name, other) ? median[name, column] / median[name, other] : 0
}
function cell(number, form) { return number > 0 ? sprintf(form, number) : "-" }
function times(name, column, other) { return cell(over(name, column, other), "%.2f") }
# Adds a ratio to the mean and the worst of `what`; `sign` 1: more is worse.
function gather(what, name, ratio, sign) {
  if (ratio <= 0) return
  ++gathered[what]
  logs[what] += log(ratio)
  if (!(what in worst) || sign * ratio > sign * worst[what]) { worst[what] = ratio; worst_name[what] = name }
}
function mean(what) { return gathered[what] ? sprintf("%.2f", exp(logs[what] / gathered[what])) : "-" }
function said(what) { return mean(what) " worst " (gathered[what] ? sprintf("%.2f %s", worst[what], worst_name[what]) : "- -") }

FNR == NR {
  if (!/^#/) { order[++kernels] = $1; flops[$1] = $8; bytes[$1] = $9 }
  next
}
$1 == "copy" { copy = $2; next }
$2 == "memory" { fits[$1] = $3; next }
$2 == "auto" { auto[$1] = $3; next }
!has($1, $2) || $5 < median[$1, $2] {
  median[$1, $2] = $5; lowest[$1, $2] = $6; highest[$1, $2] = $7
  variant[$1, $2] = $3; instances[$1, $2] = $4; joules[$1, $2] = $8
  seen[$1]
}
END {
  printf "%s, %d processors; GPU: %s; %d rounds\n", machine, processors, gpu, rounds
  printf "instances a second, in brackets the lowest and the highest of the rounds, %% of the median;\n"
  printf "the interpreter's rate is of few instances (in the record)\n"
  form = "%-11s %-18s %-18s %-18s %-18s %-18s %-18s %-18s\n"
  printf form, "kernel", "cc", "wasm2c", "V8", "CPU device", "interpreter", "GPU", "CUDA by hand"
  for (i = 1; i <= kernels; ++i) {
    name = order[i]
    if (!(name in seen)) continue
    printf form, name, rate(name, "cc"), rate(name, "wasm2c"), rate(name, "v8"), rate(name, "cpu"), \
      rate(name, "interpreter"), rate(name, "gpu"), rate(name, "cuda")
  }
  form = "%-11s %9s %10s %9s %9s %10s %9s %9s | %9s %9s  %s\n"
  printf "\n" form, "rates over", "cpu/cc", "cpu/wasm2c", "cpu/V8", "gpu/cc", "gpu/wasm2c", "gpu/V8", "gpu/cpu", \
    "time/CUDA", "auto/best", "CUDA's variant"
  for (i = 1; i <= kernels; ++i) {
    name = order[i]
    if (!(name in seen)) continue
    printf form, name, times(name, "cc", "cpu"), times(name, "wasm2c", "cpu"), times(name, "v8", "cpu"), \
      times(name, "cc", "gpu"), times(name, "wasm2c", "gpu"), times(name, "v8", "gpu"), times(name, "cpu", "gpu"), \
      times(name, "gpu", "cuda"), cell(auto[name], "%.2f"), has(name, "cuda") ? variant[name, "cuda"] : "-"
    gather("cc", name, over(name, "cc", "cpu"), -1)
    gather("wasm2c", name, over(name, "wasm2c", "cpu"), -1)
    gather("v8", name, over(name, "v8", "cpu"), -1)
    gather("cuda", name, over(name, "gpu", "cuda"), 1)
    gather("cores", name, over(name, "wasm2c", "gpu"), -1)
    gather("auto", name, auto[name], -1)
  }
  if (gpu != "-") gpu_table()
  printf "CPU device, rate: of cc geomean %s; of wasm2c geomean %s; of V8 geomean %s\n", said("cc"), said("wasm2c"), said("v8")
  printf "race: against CUDA geomean %s; against all cores geomean %s; auto worst %s\n", said("cuda"), said("cores"), \
    gathered["auto"] ? sprintf("%.2f", worst["auto"]) : "-"
}
function gpu_table(i, name) {
  printf "\n%-11s %8s %10s %-14s %9s %9s %10s %10s %8s %8s\n", "GPU", "lanes", "in memory", "build", "of copies", "CUDA's", \
    "J/instance", "CUDA's", "GFLOP/s", "CUDA's"
  for (i = 1; i <= kernels; ++i) {
    name = order[i]
    if (!has(name, "gpu")) continue
    printf "%-11s %8d %10s %-14s %9s %9s %10s %10s %8s %8s\n", name, instances[name, "gpu"], fits[name], variant[name, "gpu"], \
      moved(name, "gpu"), moved(name, "cuda"), cell(joules[name, "gpu"], "%.3g"), cell(joules[name, "cuda"], "%.3g"), \
      work(name, "gpu"), work(name, "cuda")
  }
  printf "copies within the GPU's memory: %s bytes a second, read and written\n", copy ? sprintf("%.4g", copy) : "-"
}
# Bytes that arrays are read and written, over what copies reach: caches can give more than 1.
function moved(name, column) { return cell(has(name, column) && copy ? bytes[name] / median[name, column] / copy : 0, "%.2f") }
function work(name, column) { return cell(has(name, column) ? flops[name] / median[name, column] / 1e9 : 0, "%.0f") }
