import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const pages = ['docs/security.md', 'docs/threat-model.md', 'docs/attack-set.md'] as const;
const read = (page: string): string => fs.readFileSync(path.join(root, page), 'utf8');

interface Row {
  number: string;
  level: string;
  state: string;
  how: string;
  tests: string[];
}

const testsIn = (text: string): string[] =>
  [...text.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`/g)].map(([, file]) => file!);

const rows = read('docs/security.md')
  .split('\n')
  .flatMap((line): Row[] => {
    const [, number = '', level = '', , state = '', how = '', tests = ''] =
      line.split(' | ').length > 5 ? line.split(/ ?\| ?/) : [];
    return /^\d+\.\d+\.\d+$/.test(number) ? [{ number, level, state, how, tests: testsIn(tests) }] : [];
  });

/** How many requirements of levels 1 and 2 each chapter of ASVS 5.0.0 has. */
const perChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

test('every requirement of levels 1 and 2 has its row, once and in order', () => {
  const inChapter = perChapter.map(
    (_, index) => rows.filter(({ number }) => number.startsWith(`${index + 1}.`)).length,
  );
  expect(inChapter).toEqual(perChapter);
  const asNumber = ({ number }: Row) => number.split('.').reduce((sum, part) => sum * 100 + Number(part), 0);
  expect(rows.map(asNumber)).toEqual([...new Set(rows.map(asNumber))].toSorted((a, b) => a - b));
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70);
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183);
});

test('a row has a state and a reason; one that holds names a test; fewer than ten do not hold yet', () => {
  const states = ['holds', 'does not apply', '**not yet**'];
  expect(rows.filter(({ state, how }) => !states.includes(state) || how === '')).toEqual([]);
  expect(rows.filter(({ state, tests }) => state === 'holds' && tests.length === 0)).toEqual([]);
  const counted = states.map((each) => rows.filter(({ state }) => state === each).length);
  expect(counted[2]).toBeLessThan(10);
  const table = /\| holds \| (\d+) \|\n\| does not apply \| (\d+) \|\n\| not yet \| (\d+) \|/.exec(
    read('docs/security.md'),
  );
  expect(table?.slice(1).map(Number)).toEqual(counted);
});

test.each(pages)('every test that %s names is there', (page) => {
  const named = [...new Set(testsIn(read(page)))];
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});
