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

/** A project whose imports go only where they may. */
const inOrder = {
  'contract/geo/endpoints.ts': `import { z } from 'zod'; import { id } from '../units.ts';`,
  'contract/units.ts': `import { z } from 'zod';`,
  'roads/load.ts': `import fs from 'node:fs';`,
  'server/app.ts': `import { createGeo } from './features/geo/service.ts';`,
  'server/features/geo/service.ts': `import * as store from './store.ts'; import { rank } from './rules/rank.ts';`,
  'server/features/geo/store.ts': `import { sql } from 'drizzle-orm'; import { places } from '../../schema/geo.ts';`,
  'server/features/geo/rules/rank.ts': `import type { Row } from '../store.ts';`,
  'server/features/geo/geo.db.test.ts': `import { places } from '../../schema/geo.ts'; import { x } from '../rides/store.ts';`,
  'server/features/orders/service.ts': `import { createGeo } from '../geo/service.ts';`,
  'server/features/orders/store.ts': `export const x = 1;`,
  'server/features/orders/queries.ts': `import { placesNear } from '../geo/queries.ts';`,
  'server/features/orders/annexe/queries.ts': `import { streets } from '../../geo/places/queries.ts';`,
  'server/features/geo/queries.ts': `import { places } from '../../schema/geo.ts';`,
  'server/features/geo/places/queries.ts': `import { places } from '../../../schema/geo.ts';`,
  'server/features/orders/annexe/store.ts': `import { sql } from 'drizzle-orm'; import { places } from '../../../schema/geo.ts';`,
  'server/schema/geo.ts': `import { pgTable } from 'drizzle-orm/pg-core';`,
  'web/pages/a.tsx': `import { Map } from '../features/geo/map.tsx'; import { Card } from '../features/rides/card.tsx';`,
  'web/app/router.tsx': `import { Page } from '../pages/a.tsx'; import { api } from '../core/classes.ts';`,
  'web/domain/ride/chip.tsx': `import { Button } from '../../ui/button.tsx'; import { pin } from '../../map/pin.ts';`,
  'web/map/pin.ts': `import { join } from '../core/classes.ts';`,
  'web/features/geo/map.tsx': `import { Button } from '../../ui/button.tsx'; import type { Place } from '#contract/units.ts';`,
  'web/features/rides/card.tsx': `import { Chip } from '../../domain/ride/chip.tsx';`,
  'web/ui/button.tsx': `import { join } from '../core/classes.ts';`,
  'web/core/classes.ts': ``,
};

/** An import that goes the wrong way, and what is said of it. */
const forbidden: readonly [file: string, source: string, why: string][] = [
  ['contract/a.ts', `import { x } from '../server/x.ts'`, 'contract imports nobody'],
  ['contract/a.ts', `import _ from 'lodash'`, 'zod and nothing else'],
  ['roads/a.ts', `import type { Place } from '#contract/units.ts'`, 'roads imports nobody'],
  ['locales/en.ts', `import type { Place } from '#contract/units.ts'`, 'locales imports nobody'],
  ['web/a.ts', `import { words } from '#locales/server.ts'`, 'what the server writes'],
  ['web/a.ts', `import emails from '#locales/en/emails.json'`, 'what the server writes'],
  ['web/a.ts', `import type { Row } from '../server/schema/x.ts'`, 'by calls alone'],
  ['server/a.ts', `import { x } from '../web/core/x.ts'`, 'does not know the web app'],
  ['server/a.ts', `import { x } from '../scripts/x.ts'`, 'does not rest on its tools'],
  ['server/features/a/service.ts', `import type { Row } from '../b/store.ts'`, 'features meet at service.ts'],
  ['server/features/a/store.ts', `import { rows } from '../b/annexe/store.ts'`, 'and queries.ts'],
  ['server/features/a/store.ts', `import { x } from '../b/annexe/service.ts'`, 'and queries.ts'],
  [
    'server/features/a/routes.ts',
    `import { sql } from 'drizzle-orm'`,
    'only store.ts, queries.ts, service.ts',
  ],
  [
    'server/features/a/annexe/view.ts',
    `import { sql } from 'drizzle-orm'`,
    'only store.ts, queries.ts, service.ts',
  ],
  [
    'server/features/a/view.ts',
    `import type { x } from '../../schema/x.ts'`,
    'only store.ts, queries.ts, service.ts',
  ],
  ['server/features/a/rules/b.ts', `import fs from 'node:fs/promises'`, 'no input or output'],
  ['server/features/a/policy.ts', `import { Pool } from 'pg'`, 'no input or output'],
  ['server/features/a/decide/b.ts', `import { rows } from '../store.ts'`, 'loaded before it'],
  [
    'server/features/a/decide/b.ts',
    `import { Db } from '../../../platform/database/db.ts'`,
    'saved after it',
  ],
  ['web/features/a/x.tsx', `import { Y } from '../b/y.tsx'`, 'meet in pages'],
  ['web/features/a/x.tsx', `import { Y } from '../../pages/y.tsx'`, 'not the other way round'],
  ['web/features/a/x.tsx', `import { Y } from '../../app/y.tsx'`, 'not the other way round'],
  ['web/domain/ride/x.tsx', `import { Y } from '../../features/a/y.tsx'`, 'not the other way round'],
  ['web/core/x.ts', `import { Y } from '../domain/ride/y.tsx'`, 'not the other way round'],
  ['web/core/x.ts', `import { Y } from '../app/y.tsx'`, 'not the other way round'],
  ['web/map/x.tsx', `import { Y } from '../domain/ride/y.tsx'`, 'not the other way round'],
  ['web/pages/x.tsx', `import { Y } from '../app/y.tsx'`, 'not the other way round'],
  ['web/ui/x.tsx', `import { Y } from '../features/a/y.tsx'`, 'not the other way round'],
  ['web/ui/x.tsx', `import type { Ride } from '#contract/rides/views.ts'`, 'nothing of carpooling'],
];

describe('directions', () => {
  test('files in order have no violations', () => {
    expect(check(inOrder)).toEqual([]);
  });

  test.each(forbidden)('%s: %s', (file, source, why) => {
    expect(check({ [file]: source }).join('\n')).toContain(why);
  });

  test('rules are impure through others too, unless only types are taken', () => {
    const sample = {
      'server/features/a/rules/b.ts': `import { read } from '../../../platform/c.ts'`,
      'server/platform/c.ts': `import { readFileSync } from 'node:fs'`,
    };
    expect(check(sample)).toEqual([
      'server/features/a/rules/b.ts → server/platform/c.ts → node:fs: rules and policies do no input or output',
    ]);
    const typed = {
      ...sample,
      'server/features/a/rules/b.ts': `import type { C } from '../../../platform/c.ts'`,
    };
    expect(check(typed)).toEqual([]);
  });

  test('a feature reads the state and the ports of no other', () => {
    const sample = (source: string) =>
      check({ 'server/features/geo/service.ts': '', 'server/features/orders/read.ts': source }).join();
    const foreign = ['app.geo.region', 'app.ports.geo.latest()', 'const of = ({ geo }: App) => geo'];
    for (const source of foreign) expect(sample(source), source).toContain('are its own');
    expect(sample('app.orders.x; const of = ({ orders }: App, { geo }: Point) => geo')).toBe('');
  });

  test('web/ui learns of carpooling through nobody', () => {
    const sample = {
      'web/ui/x.tsx': `import { call } from '../core/api.ts'`,
      'web/core/api.ts': `import type { Endpoint } from '#contract/define.ts'`,
    };
    expect(check(sample).join()).toContain('nothing of carpooling');
  });

  test('circles of files and of features are found, types included', () => {
    expect(
      check({
        'web/a.ts': `import { b } from './b.ts'`,
        'web/b.ts': `import type { C } from './c.ts'`,
        'web/c.ts': `import { a } from './a.ts'`,
      }),
    ).toEqual([expect.stringContaining('web/a.ts → web/b.ts → web/c.ts → web/a.ts: a circle of files')]);
    const features = check({
      'server/features/a/service.ts': `import type { B } from '../b/service.ts'`,
      'server/features/b/service.ts': ``,
      'server/features/b/view.ts': `import type { A } from '../a/service.ts'`,
    });
    expect(features).toEqual([expect.stringContaining('a circle of features')]);
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
