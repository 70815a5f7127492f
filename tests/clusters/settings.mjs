// The settings in texts of the daemon's configuration: lines KEY = VALUE below [SECTION]. The daemon itself says
// whether such a text is valid.
export function settingsOf(text) {
  const settings = {};
  let section = '';
  for (const line of text.split('\n')) {
    const [, name] = line.match(/^\[+(\w+)\]+/) ?? [];
    if (name) section = name;
    const [, key, value] = line.match(/^(\w+) = (.*)$/) ?? [];
    if (key) (settings[`${section}.${key}`] ??= []).push(value.replace(/^"(.*)"$/, '$1'));
  }
  return settings;
}

const seconds = { ms: 0.001, s: 1, m: 60, h: 3600 };
export function secondsOf(text) {
  const [, number, unit] = text.match(/^(\d+)(ms|s|m|h)$/);
  return number * seconds[unit];
}

const bytes = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };
export function bytesOf(text) {
  const [, number, unit] = String(text).match(/^(\d+)([KMGT]i|)B?$/);
  return number * bytes[unit];
}
