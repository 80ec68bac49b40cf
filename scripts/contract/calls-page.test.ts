import { expect, test } from 'vitest';
import { allEndpoints } from '#contract/all.ts';
import { callsPage } from './calls-page.ts';
import { exportedSchemas } from './exported-schemas.ts';
import { specifiedCalls } from './specification.ts';

const exported = await exportedSchemas();
const byName = new Map(allEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

test.each(Object.entries(specifiedCalls))('%s is served as the specification spells it', (name, payload) => {
  const endpoint = byName.get(name);
  expect(endpoint).toBeDefined();
  const names = Object.keys(endpoint!.input.shape);
  expect(names).toEqual(expect.arrayContaining([...(payload ?? [])]));
});

test('the page holds every call once, and marks the thirty', () => {
  const page = callsPage(allEndpoints, exported);
  const headings = [...page.matchAll(/^### (★ )?((?:GET|POST) .+)$/gm)];
  expect(new Set(headings.map(([, , name]) => name))).toEqual(new Set(byName.keys()));
  expect(headings).toHaveLength(byName.size);
  expect(headings.filter(([, star]) => star !== undefined)).toHaveLength(30);
});

test('a section has who may call, the payload, the answer and the refusals', () => {
  const page = callsPage(allEndpoints, exported);
  const section = page.slice(page.indexOf('### ★ POST /access/login'));
  expect(section).toContain('- Who: everyone, guests too');
  expect(section).toContain('`password: string (1 to 200 characters)`');
  expect(section).toContain('- Answer: `sessionUser`');
  expect(section).toContain('`access.wrong`');
});

test('a type that several calls share is written once, with its limits', () => {
  const page = callsPage(allEndpoints, exported);
  expect(page.match(/^### vehicle$/gm)).toHaveLength(1);
  expect(page.slice(page.indexOf('### vehicle\n'))).toContain('- `plate: string (2 to 12 characters)`');
});
