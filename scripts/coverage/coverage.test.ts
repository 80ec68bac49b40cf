import { describe, expect, test } from 'vitest';
import { checkPage } from './check-page.ts';
import { readRoutes } from './routes.ts';
import { hasTest, readTestTitles } from './test-titles.ts';

const source = `
  const wheels = ['four wheels'];
  describe('a car', () => {
    test('has a plate', () => {});
    test.each([['blue'], ['red']])('may be %s', () => {});
    test.each(wheels)('has %s', () => {});
    test('is no bus', () => expect('green').not.toBe('bus'));
    test.skip('flies', () => {});
    describe.skip('on Mars', () => test('drives', () => {}));
  });
  for (const role of ['driver']) test(\`a \${role} rides\`, async () => { await test.step('1. in', () => {}); });
`;
const files: Record<string, string> = { 'server/car.test.ts': source, 'server/car.ts': '', server: '' };
const project = {
  read: (file: string) => files[file] ?? null,
  calls: new Set(['POST /car/create']),
  routes: new Set(['/', '/pages/car/car']),
  mustName: ['POST /car/create', '/pages/car/car'],
};
const head = '| sentence | where | code | shown by |\n| --- | --- | --- | --- |\n';
const row = (...cells: string[]) => `| ${cells.join(' | ')} |\n`;
const sound = row(
  'A car has a plate',
  '`/pages/car/car?id=…`, `POST /car/create`',
  '`server/car.ts`',
  '`server/car.test.ts › a car › has a plate`',
);
/** The sound page with one thing in it replaced. */
const problems = (from: string, to: string) => checkPage(head + sound.replace(from, to), project);

describe('the page', () => {
  test('that names what is there has no problems', () => {
    expect(checkPage(head + sound, project)).toEqual([]);
    expect(
      checkPage(
        head + sound + row('a \\| b', '`plate`', '`server`', '`server/car.test.ts › may be red`'),
        project,
      ),
    ).toEqual([]);
  });

  test.each([
    ['a gone file', '`server/car.ts`', '`server/bus.ts`', 'line 3: there is no file server/bus.ts'],
    [
      'a gone test file',
      'car.test.ts ›',
      'bus.test.ts ›',
      'line 3: there is no test file server/bus.test.ts',
    ],
    [
      'a gone title',
      'has a plate`',
      'has a name`',
      'line 3: server/car.test.ts has no test “a car › has a name”',
    ],
    [
      'a title in another group',
      'a car ›',
      'a bus ›',
      'line 3: server/car.test.ts has no test “a bus › has a plate”',
    ],
    [
      'a test that is left out',
      'has a plate`',
      'flies`',
      'line 3: server/car.test.ts has no test “a car › flies”',
    ],
    ['a gone call', 'POST /car/create', 'POST /car/fly', 'line 3: the contract has no call POST /car/fly'],
    ['a gone route', '/pages/car/car', '/pages/car/bus', 'line 3: the web app has no route /pages/car/bus'],
    ['an empty cell', '`server/car.ts`', '', 'line 3: a cell is empty'],
    ['a cell too few', '`server/car.ts` |', '', 'line 3: a row has 3 cells instead of 4'],
    ['a row without a test', ' › a car › has a plate', '', 'line 3: the row names no test'],
  ])('with %s has a problem', (_what, from, to, problem) => {
    expect(problems(from, to)).toContain(problem);
  });

  test('may not leave out what it must name, nor everything', () => {
    expect(problems('`POST /car/create`', 'adding it')).toEqual(['no row names POST /car/create']);
    expect(checkPage('', project)).toContain('no row was read');
  });

  test('is checked in its text too', () => {
    expect(checkPage(`See \`server/bus.ts\`.\n\n${head}${sound}`, project)).toEqual([
      'line 1: there is no file server/bus.ts',
    ]);
  });
});

test.each<[boolean, ...string[]]>([
  [true, 'a car', 'may be %s'],
  [true, 'may be blue'],
  [false, 'may be purple'],
  // A text of another test fills no title.
  [false, 'may be green'],
  [true, 'has four wheels'],
  [false, 'has green'],
  [true, 'a driver rides'],
  [true, 'a driver rides', '1. in'],
  [false, 'a pilot rides'],
  [false, 'on Mars', 'drives'],
  [false, 'plate'],
])('%s: %s %s', (there, ...titles) => {
  expect(hasTest(readTestTitles('car.test.ts', source), titles)).toBe(there);
});

test('routes are those that the router declares', () => {
  const router =
    "const routeTree = root.addChildren([page('/a', 'guest'), page('/b', 'user'), panel('/c', open)]); other('/d');";
  expect(readRoutes('router.tsx', router)).toEqual(new Set(['/a', '/b', '/c']));
});
