import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readModule, readModules } from './modules.ts';
import { circles, findViolations } from './rules.ts';

/** A sample project: source by file name. */
const check = (sample: Record<string, string>) =>
  findViolations(Object.entries(sample).map(([file, source]) => readModule(file, source))).map(
    ({ file, target, why }) => `${file} → ${target}: ${why}`,
  );

describe('reading', () => {
  test('every way to import is seen, and nothing that only looks like one', () => {
    const { imports } = readModule(
      'server/a.ts',
      `import { one } from './one.ts';
       import type { Two } from '../two.ts';
       import { type Three } from '#contract/three.ts';
       import './four.ts';
       export { five } from './five.ts';
       export * from './six.ts';
       export type { Seven } from './seven.ts';
       const eight = () => import('./eight.ts');
       type Nine = import('./nine.ts').Nine;
       import fs from 'node:fs';
       // import { ten } from './ten.ts';
       const text = "import { eleven } from './eleven.ts'";`,
    );
    expect(imports.map(({ target, typeOnly }) => `${target}${typeOnly ? ' (type)' : ''}`)).toEqual([
      'server/one.ts',
      'two.ts (type)',
      'contract/three.ts (type)',
      'server/four.ts',
      'server/five.ts',
      'server/six.ts',
      'server/seven.ts (type)',
      'server/eight.ts',
      'server/nine.ts (type)',
      'node:fs',
    ]);
  });

  test('what cannot be parsed is said, not skipped', () => {
    expect(() => readModule('a.ts', 'import { from')).toThrow(/a\.ts/);
  });

  test('all folders are read, and no packages', () => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), 'directions-'));
    for (const file of ['web/a.tsx', 'web/deep/b.ts', 'web/c.css', 'web/node_modules/d.ts']) {
      fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      fs.writeFileSync(path.join(root, file), '');
    }
    expect(readModules(root, ['web', 'server']).map(({ file }) => file)).toEqual([
      'web/a.tsx',
      'web/deep/b.ts',
    ]);
    fs.rmSync(root, { recursive: true });
  });
});

describe('directions', () => {
  test('a house in order has no violations', () => {
    expect(
      check({
        'contract/geo/endpoints.ts': `import { z } from 'zod'; import { id } from '../units.ts';`,
        'contract/units.ts': `import { z } from 'zod';`,
        'roads/load.ts': `import fs from 'node:fs';`,
        'server/app.ts': `import { createGeo } from './rooms/geo/service.ts';`,
        'server/rooms/geo/service.ts': `import * as store from './store.ts'; import { rank } from './rules/rank.ts';`,
        'server/rooms/geo/store.ts': `import { sql } from 'drizzle-orm'; import { places } from '../../tables/geo.ts';`,
        'server/rooms/geo/rules/rank.ts': `import type { Row } from '../store.ts';`,
        'server/rooms/geo/geo.db.test.ts': `import { places } from '../../tables/geo.ts'; import { x } from '../rides/store.ts';`,
        'server/rooms/rides/service.ts': `import { createGeo } from '../geo/service.ts';`,
        'server/rooms/rides/store.ts': `export const x = 1;`,
        'server/rooms/rides/annexe/store.ts': `import { sql } from 'drizzle-orm'; import { places } from '../../../tables/geo.ts';`,
        'server/tables/geo.ts': `import { pgTable } from 'drizzle-orm/pg-core';`,
        'web/pages/a.tsx': `import { Map } from '../rooms/geo/map.tsx'; import { Card } from '../rooms/rides/card.tsx';`,
        'web/rooms/geo/map.tsx': `import { Button } from '../../ui/button.tsx'; import type { Place } from '#contract/units.ts';`,
        'web/rooms/rides/card.tsx': `import { Button } from '../../ui/button.tsx';`,
        'web/ui/button.tsx': `import { join } from '../base/classes.ts';`,
        'web/base/classes.ts': ``,
      }),
    ).toEqual([]);
  });

  test.each([
    ['contract/a.ts', `import { x } from '../server/x.ts'`, 'contract imports nobody'],
    ['contract/a.ts', `import _ from 'lodash'`, 'zod and nothing else'],
    ['roads/a.ts', `import type { Place } from '#contract/units.ts'`, 'roads imports nobody'],
    ['web/a.ts', `import type { Row } from '../server/tables/x.ts'`, 'by calls alone'],
    ['server/a.ts', `import { x } from '../web/base/x.ts'`, 'does not know the web app'],
    ['server/a.ts', `import { x } from '../scripts/x.ts'`, 'does not rest on its tools'],
    ['server/rooms/a/service.ts', `import type { Row } from '../b/store.ts'`, 'rooms meet at service.ts'],
    ['server/rooms/a/routes.ts', `import { sql } from 'drizzle-orm'`, 'only store.ts and service.ts'],
    ['server/rooms/a/annexe/view.ts', `import { sql } from 'drizzle-orm'`, 'only store.ts and service.ts'],
    ['server/rooms/a/view.ts', `import type { x } from '../../tables/x.ts'`, 'only store.ts and service.ts'],
    ['server/rooms/a/rules/b.ts', `import fs from 'node:fs/promises'`, 'no input or output'],
    ['server/rooms/a/policy.ts', `import { Pool } from 'pg'`, 'no input or output'],
    ['web/rooms/a/x.tsx', `import { Y } from '../b/y.tsx'`, 'meet in pages'],
    ['web/rooms/a/x.tsx', `import { Y } from '../../pages/y.tsx'`, 'not the other way round'],
    ['web/ui/x.tsx', `import { Y } from '../rooms/a/y.tsx'`, 'nothing of the app'],
    ['web/ui/x.tsx', `import type { Ride } from '#contract/rides/views.ts'`, 'nothing of carpooling'],
  ])('%s: %s', (file, source, why) => {
    expect(check({ [file]: source }).join('\n')).toContain(why);
  });

  test('rules are impure through others too, unless only types are taken', () => {
    const sample = {
      'server/rooms/a/rules/b.ts': `import { read } from '../../../base/c.ts'`,
      'server/platform/c.ts': `import { readFileSync } from 'node:fs'`,
    };
    expect(check(sample)).toEqual([
      'server/rooms/a/rules/b.ts → server/platform/c.ts → node:fs: rules and policies do no input or output',
    ]);
    const typed = { ...sample, 'server/rooms/a/rules/b.ts': `import type { C } from '../../../base/c.ts'` };
    expect(check(typed)).toEqual([]);
  });

  test('web/ui learns of carpooling through nobody', () => {
    const sample = {
      'web/ui/x.tsx': `import { call } from '../base/api.ts'`,
      'web/base/api.ts': `import type { Endpoint } from '#contract/define.ts'`,
    };
    expect(check(sample).join()).toContain('nothing of carpooling');
  });

  test('circles of files and of rooms are found, types included', () => {
    expect(
      check({
        'web/a.ts': `import { b } from './b.ts'`,
        'web/b.ts': `import type { C } from './c.ts'`,
        'web/c.ts': `import { a } from './a.ts'`,
      }),
    ).toEqual([expect.stringContaining('web/a.ts → web/b.ts → web/c.ts → web/a.ts: a circle of files')]);
    const rooms = check({
      'server/rooms/a/service.ts': `import type { B } from '../b/service.ts'`,
      'server/rooms/b/service.ts': ``,
      'server/rooms/b/view.ts': `import type { A } from '../a/service.ts'`,
    });
    expect(rooms).toEqual([expect.stringContaining('a circle of rooms')]);
  });

  test('a circle is shown once, by its shortest way round', () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['a']],
    ]);
    expect(circles(graph)).toEqual([['a', 'c']]);
  });
});
