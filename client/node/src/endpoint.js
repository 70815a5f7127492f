// Which daemon is meant, and what it is shown: the same variables, files and order as wasmburstctl's.

import { existsSync, openSync, closeSync, fstatSync, readFileSync } from "node:fs";
import path from "node:path";

import { WasmburstError, invalid } from "./errors.js";

export const DEFAULT_ADDRESS = "unix:///run/wasmburst/wasmburstd.sock";

function split(address) {
  const found = /^(?:tcp|tls):\/\/(\[[^\]]+\]|[^[\]:/ ]+):([0-9]{1,5})$/.exec(address);
  if (!found || Number(found[2]) > 65535) {
    throw invalid(
      `The address [${address}] is none of unix:///path/to/socket, tcp://host:port and tls://host:port.`,
    );
  }
  return { host: found[1], port: found[2] };
}

// What gRPC calls the address.
export function targetOf(address) {
  if (address.startsWith("unix:///")) return address;
  const { host, port } = split(address);
  if (host.startsWith("[")) return `ipv6:${host}:${port}`;
  return `${/^[0-9.]+$/.test(host) ? "ipv4:" : "dns:///"}${host}:${port}`;
}

export function tokenOfText(text, where) {
  const token = text.trim();
  if (!/^wbt_[!-~]{0,1020}$/.test(token)) {
    throw invalid(
      `${where} holds no token: a token is one word that begins with wbt_, as \`wasmburstctl token create\` prints it.`,
    );
  }
  return token;
}

export function readToken(file) {
  let descriptor;
  try {
    descriptor = openSync(file);
    const mode = fstatSync(descriptor).mode & 0o7777;
    if (mode & 0o077) {
      throw new WasmburstError(
        "IO_ERROR",
        `The token file [${file}] is open to other users (mode ${mode.toString(8)}). Make it your own by chmod 600.`,
        { file },
      );
    }
    return tokenOfText(readFileSync(descriptor, "latin1"), `The token file [${file}]`);
  } catch (error) {
    if (error instanceof WasmburstError) throw error;
    throw new WasmburstError("IO_ERROR", `The token file [${file}] cannot be read (${error.code}).`, { file });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

// The part of TOML that contexts.toml is written in: tables, and keys with texts.
export function readContexts(text, file) {
  const contexts = { current: "", named: {} };
  let table = null;
  for (const [index, line] of text.split("\n").entries()) {
    const words = line.trim();
    if (!words || words.startsWith("#") || words === "[context]") continue;
    const header = /^\[context\.(?:"([^"]+)"|'([^']+)'|([\w.-]+))\]$/.exec(words);
    const pair = /^(\w+)\s*=\s*(?:'([^']*)'|("(?:[^"\\]|\\.)*"))\s*(?:#.*)?$/.exec(words);
    if (header) {
      table = contexts.named[header[1] ?? header[2] ?? header[3]] = {};
    } else if (pair && (table || pair[1] === "current")) {
      const value = pair[2] ?? JSON.parse(pair[3]);
      if (table) table[pair[1]] = value;
      else contexts.current = value;
    } else {
      throw invalid(`${file}:${index + 1}: [${words}] is not read here; wasmburstctl context writes this file.`);
    }
  }
  return contexts;
}

function contextOf(name, hasAddress, environment) {
  if (!name && hasAddress) return {};
  const folder = environment.XDG_CONFIG_HOME || (environment.HOME && path.join(environment.HOME, ".config"));
  const file = folder && path.join(folder, "wasmburst/contexts.toml");
  const contexts =
    file && existsSync(file) ? readContexts(readFileSync(file, "utf8"), file) : { current: "", named: {} };
  const chosen = name || contexts.current;
  if (!chosen) return {};
  const known = Object.keys(contexts.named);
  if (!known.includes(chosen)) {
    const names = known.map((one) => `[${one}]`).join(", ") || "none";
    throw new WasmburstError("NOT_FOUND", `There is no context [${chosen}]; there are ${names}.`);
  }
  return contexts.named[chosen];
}

function tokenOf(options, context, environment) {
  if (options.token) return tokenOfText(options.token, "The token that was given");
  const file = options.tokenFile || (options.context ? context.token_file : "");
  if (file) return readToken(file);
  if (environment.WASMBURST_TOKEN) return tokenOfText(environment.WASMBURST_TOKEN, "The variable WASMBURST_TOKEN");
  const other = environment.WASMBURST_TOKEN_FILE || context.token_file;
  return other ? readToken(other) : "";
}

function check(endpoint) {
  const { address, token, ca, cert, key, serverName } = endpoint;
  const isTls = address.startsWith("tls://");
  if (address.startsWith("unix:///") === false) {
    const { host } = split(address);
    const isLocal = /^(localhost|\[::1\]|127\.[0-9.]+)$/.test(host);
    if (token && !isTls && !isLocal) {
      throw invalid(
        `A token is not sent to [${address}] in plain text, where others can read it: give an address tls://host:port.`,
      );
    }
  }
  if (!isTls && (ca || cert || key || serverName)) {
    throw invalid(`The address [${address}] has no TLS, which ca, cert, key and serverName are for.`);
  }
  if (Boolean(cert) !== Boolean(key)) throw invalid("A client certificate and its key go together: give both.");
}

// Options go first, then the context that is named, the environment, the context in use, the default. A
// context in use is left aside where an option or the environment has the address.
export function chooseEndpoint(options = {}, environment = process.env) {
  const context = contextOf(options.context, options.address || environment.WASMBURST_ADDR, environment);
  const ownPair = options.cert || options.key;
  const endpoint = {
    address: options.address || context.addr || environment.WASMBURST_ADDR || DEFAULT_ADDRESS,
    token: tokenOf(options, context, environment),
    ca: options.ca || context.ca || "",
    cert: (ownPair ? options.cert : context.cert) || "",
    key: (ownPair ? options.key : context.key) || "",
    serverName: options.serverName || context.server_name || "",
  };
  check(endpoint);
  return endpoint;
}
