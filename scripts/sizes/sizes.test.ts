import { describe, expect, test } from 'vitest';
import { grown, report, shrunk } from './counts.ts';

const kind = 'functions over 70 lines';

describe('a baseline', () => {
  test('lets no file have more than it had', () => {
    const baseline = { [kind]: { 'a.ts': 1, 'b.ts': 2 } };
    expect(grown({ [kind]: { 'a.ts': 1, 'b.ts': 2 } }, baseline)).toEqual([]);
    expect(grown({ [kind]: { 'a.ts': 2, 'c.ts': 1 } }, baseline)).toEqual([
      'a.ts: functions over 70 lines 2, allowed 1',
      'c.ts: functions over 70 lines 1, allowed 0',
    ]);
  });

  test('is to be written anew where a file has less', () => {
    expect(shrunk({ [kind]: { 'b.ts': 1 } }, { [kind]: { 'a.ts': 1, 'b.ts': 1 } })).toEqual([
      'a.ts: functions over 70 lines 0, the baseline says 1',
    ]);
  });

  test('stands beside what is counted', () => {
    expect(report({ [kind]: { 'a.ts': 1, 'b.ts': 2 } }, { [kind]: { 'a.ts': 4 } })).toEqual([
      'functions over 70 lines: 3 (baseline 4)',
    ]);
  });
});
