// index.d.ts is held to the package: its names and methods are there, and a program of TypeScript that uses all of
// them has no wrong type, and runs.

import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { CALLER, GUEST, PROGRAM, wasmburst } from "./harness.mjs";

// TypeScript is the page's (daemon/page/web), the types of Node those of the package's own packages.
const compiler = process.env.WASMBURST_TYPESCRIPT ?? "";
const has = existsSync(compiler);
const skip = has ? false : "TypeScript is not there: the daemon was built without its page";
if (!has) console.log(`index.d.ts is not checked: ${skip}`);
const ts = has ? (await import(pathToFileURL(compiler).href)).default : null;

// A user's folder: a program, and the package in node_modules.
const folder = mkdtempSync(path.join(os.tmpdir(), "wb_types_"));
after(() => rmSync(folder, { recursive: true }));
const program = path.join(folder, "program.ts");
cpSync(fileURLToPath(new URL("types/program.ts", import.meta.url)), program);
writeFileSync(path.join(folder, "package.json"), '{"type": "module"}');
mkdirSync(path.join(folder, "node_modules"));
symlinkSync(process.env.WASMBURST_NODE, path.join(folder, "node_modules/wasmburst"));

function compiled() {
  const options = {
    strict: true, noUnusedLocals: true, noUnusedParameters: true, exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"], typeRoots: [path.join(process.env.WASMBURST_NODE, "node_modules/@types")],
  };
  return ts.createProgram([program], options);
}
const all = has ? compiled() : null;
const checker = all?.getTypeChecker();
const declared = () => {
  const file = all.getSourceFiles().find((one) => one.fileName.endsWith("/index.d.ts") && one.text.startsWith("// WasmBurst"));
  return checker.getExportsOfModule(checker.getSymbolAtLocation(file));
};
const isValue = (symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0;

test("a program with every name has no wrong type", { skip }, () => {
  const said = ts.getPreEmitDiagnostics(all).map((one) => {
    const at = one.file ? `${path.basename(one.file.fileName)}:${one.file.getLineAndCharacterOfPosition(one.start).line + 1}: ` : "";
    return at + ts.flattenDiagnosticMessageText(one.messageText, " ");
  });
  assert.deepEqual(said, []);
  const imported = new Set();
  for (const statement of all.getSourceFile(program).statements) {
    for (const one of statement.importClause?.namedBindings?.elements ?? []) imported.add(one.name.text);
  }
  assert.deepEqual([...imported].sort(), declared().map((symbol) => symbol.name).sort());
});

test("index.d.ts and index.js export the same names", { skip }, () => {
  const names = declared().filter(isValue).map((symbol) => symbol.name);
  assert.ok(names.includes("Client"));
  assert.deepEqual(names.sort(), Object.keys(wasmburst).sort());
});

test("methods that are declared are there", { skip }, () => {
  let count = 0;
  for (const symbol of declared().filter((one) => one.flags & ts.SymbolFlags.Class)) {
    for (const member of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))) {
      if ((member.flags & ts.SymbolFlags.Method) === 0) continue;
      const name = member.name.startsWith("__@asyncIterator") ? Symbol.asyncIterator : member.name;
      assert.equal(typeof wasmburst[symbol.name].prototype[name], "function", `${symbol.name}.${member.name}`);
      ++count;
    }
  }
  assert.ok(count > 20, `${count} methods were found`);
});

test("the program runs, and finds what its types say", { skip }, async () => {
  all.emit();
  const { main } = await import(pathToFileURL(path.join(folder, "program.js")).href);
  await main({ guest: GUEST, caller: CALLER, program: PROGRAM }, assert.ok);
});
