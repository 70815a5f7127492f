// The comparison and the table, alone: node compare_test.mjs
import assert from 'node:assert/strict';

import {difference} from './compare.mjs';
import {kInstances} from './inputs.mjs';
import {table} from './table.mjs';

const outcome = (changes) => ({ends: 'returned', step: 2, steps: [['-1'], []],
  outputs: {row: '00ff'}, ...changes});

assert.equal(difference(outcome(), outcome()), '');
for (const other of [undefined, outcome({ends: 'UNREACHABLE'}), outcome({step: 1}),
  outcome({steps: [['4294967295'], []]}), outcome({steps: []}), outcome({outputs: {row: '00fe'}}),
  outcome({outputs: {}})]) {
  assert.notEqual(difference(outcome(), other), '');
}
const indirect = outcome({ends: 'INDIRECT_CALL'});
assert.equal(difference(indirect, outcome({ends: 'INDIRECT_CALL_TYPE'})), '');
assert.notEqual(difference(indirect, outcome({ends: 'UNDEFINED_ELEMENT'})), '');

assert.equal(new Set(table.map((row) => row.name)).size, table.length);
for (const row of table) {
  for (const [name, column] of Object.entries(row.columns)) {
    assert.equal(column.values.length, kInstances, `${row.name}: ${name}`);
  }
}
