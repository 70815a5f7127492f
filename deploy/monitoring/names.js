// Reads metrics.def, and says which names in the dashboard and the alerts are none of its metrics.
//   node names.js METRICS_DEF FILE...
// Exit 1 where there is one, or where a label that is selected or summed by is none of the metric's.
const fs = require("fs");

const [table, ...files] = process.argv.slice(2);
const KINDS = { Counter: [""], Gauge: [""], ShortTimes: ["_bucket", "_count", "_sum"],
  LongTimes: ["_bucket", "_count", "_sum"] };
// Labels that Prometheus adds.
const ADDED = ["instance", "job", "le"];

const labels = new Map();  // of every series' name
const metrics = new Map();  // the metric of every series' name
const row = /^WB_METRIC\((\w+), \w+, "(\w+)", "([\w,]*)", ".+"\)$/gm;
for (const [, kind, name, names] of fs.readFileSync(table, "utf8").matchAll(row)) {
  for (const suffix of KINDS[kind]) {
    labels.set(name + suffix, names.split(",").filter(Boolean).concat(ADDED));
    metrics.set(name + suffix, name);
  }
}

// All expressions: those of the dashboard's targets and variables, those of the rules.
function expressionsOf(file) {
  const text = fs.readFileSync(file, "utf8");
  const found = [];
  if (file.endsWith(".json")) {
    JSON.parse(text, (key, value) => {
      if ((key === "expr" || key === "query") && typeof value === "string") found.push(value);
      return value;
    });
    return found;
  }
  // `expr:` and the lines below it that are indented deeper.
  for (const [, indent, rest] of text.matchAll(/^( *)(?:- )?expr:(.*(?:\n\1 +.*)*)/gm)) {
    found.push(rest.replace(/^ *>/, "").split("\n").map((line) => line.trim()).join(" ").trim());
  }
  return found;
}

let problems = 0;
function complain(file, words) {
  console.log(`${file}: ${words}`);
  ++problems;
}

const used = new Set();
let expressions = 0;
for (const file of files) {
  for (const expression of expressionsOf(file)) {
    ++expressions;
    const series = [...expression.matchAll(/\b((?:wasmburst|grpc_server|process)_\w+)(\{[^}]*\})?/g)];
    const known = new Set(ADDED);
    for (const [, name, selected] of series) {
      if (!labels.has(name)) {
        complain(file, `[${name}] is no metric of ${table}`);
        continue;
      }
      used.add(metrics.get(name));
      labels.get(name).forEach((label) => known.add(label));
      for (const [, label] of (selected || "").matchAll(/(\w+) *[=!][=~]?/g)) {
        if (!labels.get(name).includes(label)) complain(file, `[${name}] has no label [${label}]`);
      }
    }
    if (series.length === 0 && !/^(up\{|prometheus$)/.test(expression)) {
      complain(file, `no metric in [${expression}]`);
    }
    for (const [, names] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
      for (const label of names.split(",").map((word) => word.trim())) {
        if (!known.has(label)) complain(file, `[${expression}] sums by [${label}]`);
      }
    }
  }
}
if (expressions === 0 || metrics.size === 0) complain(files.join(" "), "nothing was found");
if (problems > 0) process.exit(1);
const all = new Set(metrics.values()).size;
console.log(`${expressions} expressions name ${used.size} of ${all} metrics`);
