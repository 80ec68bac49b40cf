import { expect, test } from 'vitest';
import type { z } from 'zod';
import { allEndpoints } from './all.ts';

/** What a schema says of itself, as far as its edges go. */
interface Def {
  type: string;
  format?: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  checks?: readonly unknown[];
}

/** Where zod keeps what a schema or a check says of itself. */
const inside = '_zod';
const toldBy = (part: unknown): unknown => (part as Record<typeof inside, { def: unknown }>)[inside].def;

/** Every field without an end: numbers need both, texts and lists a longest. */
function endless(schema: z.core.$ZodType, at: string): string[] {
  const def = toldBy(schema) as Def;
  const told = (def.checks ?? []).map((check) => toldBy(check) as { check: string; pattern?: RegExp });
  const checks = new Set(told.map(({ check }) => check));
  const patterns = told.flatMap(({ pattern }) => pattern ?? []);
  const isShort = patterns.some(
    (pattern) => !/(?<!\\)[+*]/.test(pattern.source.replaceAll(/\{\d+(,\d+)?\}/g, '')),
  );
  const own: string[] = [];
  if (def.type === 'number')
    for (const end of ['greater_than', 'less_than']) if (!checks.has(end)) own.push(`${at}: ${end}`);
  const isText = def.type === 'string' && !['uuid', 'date', 'datetime', 'email'].includes(def.format ?? '');
  if ((isText && !isShort) || def.type === 'array')
    if (!checks.has('max_length') && !checks.has('length_equals')) own.push(`${at}: max_length`);
  const inner = [
    ...Object.entries(def.shape ?? {}).map(([name, each]) => [each, `${at}.${name}`] as const),
    ...[def.element, def.innerType, def.in, ...(def.options ?? [])].map((each) => [each, at] as const),
  ];
  return [...own, ...inner.flatMap(([each, path]) => (each === undefined ? [] : endless(each, path)))];
}

test('every number that an app may send has both its ends, every text and every list a longest', () => {
  const found = allEndpoints.flatMap(({ path, input }) => endless(input, path));
  expect(found).toEqual([]);
});
