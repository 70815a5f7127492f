// Closures, regular expressions, JSON, sorting, numbers.
var rows = JSON.parse(read("rows.json"));
var byTag = {};
rows.forEach(function (row) {
  row.tags.forEach(function (tag) { byTag[tag] = (byTag[tag] || 0) + row.price; });
});
Object.keys(byTag).sort().slice(0, 8).forEach(function (tag) { print(tag, byTag[tag].toFixed(2)); });
print(scriptArgs.join("+"), rows.length, 0.1 + 0.2, 1 / 3, 1e21, -0, parseInt("ff", 16), 5 % -3);
print("2026-11-24".replace(/(\d+)-(\d+)-(\d+)/, "$3.$2.$1"), /^(?:a|ab)(c|bcd)$/.exec("abcd"));
function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
print(fibonacci(17), [3, 1, 10, 2].sort(), [3, 1, 10, 2].sort(function (a, b) { return a - b; }));
print(JSON.stringify({a: [1, {b: null}], text: "\u00e9\n\"", date: new Date(0).toISOString()}));
