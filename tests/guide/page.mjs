// A page of the guide: the commands in it, and what it says that they print. Pure.
//
// A fenced block `sh` is a command of the page: its lines run one after another. A fenced block `text` that
// follows it, with no word between, is what it prints (standard error too); without one it prints nothing.
// No other code blocks may stand in a page, so that none can be there that did not run.
//
// Links lead to pages of the guide: it is installed without the rest of the sources.
//
// Marks, which readers of the page do not see:
//   <!-- guide: daemon -->       on the page: a daemon with default settings runs before its first command
//   <!-- guide: needs WHAT -->   before a block: it runs where that is (machine.mjs)
//   <!-- guide: exit N -->       before a block: its last command ends so
//   <!-- guide: varies REGEX --> before a block: what fits it differs from machine to machine, and counts as equal

const mark = /^<!-- guide: ([a-z]+)(?: (.+))? -->$/;
const fence = /^(```+|~~~+) *(\S*)/;

// {daemon, blocks, links, problems}. A block: {line, commands, expected, needs, exit}; `line` is that of its first
// command, `expected` is {line, lines}. A problem: {line, words}.
export function readPage(text) {
  const page = { daemon: false, blocks: [], links: [], problems: [] };
  const lines = text.split('\n');
  const complain = (at, words) => page.problems.push({ line: at + 1, words });
  let next = {};     // what the marks said of the next block
  let last = null;   // the command block that has nothing but empty lines behind it
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const opens = fence.exec(line.trimStart());
    if (opens) {
      const end = lines.findIndex((one, index) => index > at && one.trim() === opens[1]);
      if (end < 0) {
        complain(at, 'this block has no end');
        break;
      }
      last = addBlock(page, { at, kind: opens[2], lines: lines.slice(at + 1, end) }, next, last, complain);
      next = {};
      at = end;
    } else if (line.startsWith('<!-- guide:')) {
      readMark(page, line, next, (words) => complain(at, words));
    } else if (/^( {4}|\t)\s*\S/.test(line)) {
      complain(at, 'an indented block does not run; use a fenced one');
    } else if (line.trim() !== '') {
      last = null;
      for (const [, target] of line.matchAll(/\]\(([^)#]+)[^)]*\)/g)) page.links.push({ line: at + 1, target });
    }
  }
  if (Object.keys(next).length > 0) complain(lines.length - 1, 'a mark stands before no block');
  return page;
}

function readMark(page, line, next, complain) {
  const [, name, value] = mark.exec(line) ?? [];
  if (name === 'daemon' && !value) page.daemon = true;
  else if (name === 'needs' && value) next.needs = value;
  else if (name === 'exit' && /^[0-9]+$/.test(value ?? '')) next.exit = Number(value);
  else if (name === 'varies' && value) next.varies = new RegExp(value, 'g');
  else complain(`an unknown mark [${line}]`);
}

// Returns the block whose output may follow.
function addBlock(page, found, marks, last, complain) {
  if (found.kind === 'sh') {
    const block = { line: found.at + 2, commands: found.lines, expected: null, needs: '', exit: 0, varies: null, ...marks };
    if (found.lines.every((line) => line.trim() === '')) complain(found.at, 'a block without a command');
    page.blocks.push(block);
    return block;
  }
  if (found.kind !== 'text') {
    complain(found.at, `a block [${found.kind}] does not run; commands are in blocks [sh], what they print in [text]`);
  } else if (!last) {
    complain(found.at, 'a block [text] that follows no command');
  } else {
    last.expected = { line: found.at + 2, lines: found.lines };
  }
  return null;
}

// The page with what its commands have printed: `printed` has the lines of each block, or null to leave it.
export function withOutput(text, page, printed) {
  const lines = text.split('\n');
  // From the end on, so that the lines before stay where they are.
  for (let index = page.blocks.length - 1; index >= 0; index -= 1) {
    const block = page.blocks[index];
    const says = printed[index];
    if (says === null) continue;
    const end = block.line - 1 + block.commands.length;  // of the command's own fence
    if (block.expected) {
      const at = block.expected.line - 2;
      lines.splice(at, block.expected.lines.length + 2, ...(says.length > 0 ? ['```text', ...says, '```'] : []));
    } else if (says.length > 0) {
      lines.splice(end + 1, 0, '```text', ...says, '```');
    }
  }
  return lines.join('\n');
}
