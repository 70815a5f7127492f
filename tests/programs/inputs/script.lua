-- Strings, tables, closures, files, integers and floats; arguments decide what is told.
local counts, order = {}, {}
for line in io.lines("words.txt") do
  for word in line:gmatch("%a+") do
    if not counts[word] then order[#order + 1] = word end
    counts[word] = (counts[word] or 0) + 1
  end
end
table.sort(order, function(a, b)
  if counts[a] ~= counts[b] then return counts[a] > counts[b] end
  return a < b
end)
for i = 1, tonumber(arg[2]) do print(i, order[i], counts[order[i]]) end

local function fibonacci(n) return n < 2 and n or fibonacci(n - 1) + fibonacci(n - 2) end
print(arg[1], fibonacci(18), 7 // 2, 7 / 2, -7 % 3, 1 << 40, math.maxinteger + 1 == math.mininteger)
print(string.format("%5.2f|%-6s|%q|%x", math.pi, "ab", "line\nend", 3735928559))
print(("abc123def"):gsub("%d", function(d) return "<" .. d * 2 .. ">" end))
print(string.pack("<i4d", 7, 0.5):byte(1, -1))
local shape = setmetatable({}, {__index = function(_, key) return key .. "!" end})
print(shape.round, #order, utf8.char(228, 8364, 128512), utf8.len("a\u{20ac}"))

local out = assert(io.open("report.txt", "w"))
for _, word in ipairs(order) do out:write(word, "\t", counts[word], "\n") end
out:seek("set", 0)
out:write("WORDS")
out:close()
print(io.open("nowhere.txt"))
io.stderr:write("done\n")
os.exit(#order % 256)
