import { expect, test } from 'vitest';
import type { z } from 'zod';
import { allEndpoints } from './all.ts';

/** The parts of a schema's definition that hold its limits. */
interface Def {
  type: string;
  format?: string;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
  left?: z.core.$ZodType;
  right?: z.core.$ZodType;
  keyType?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  items?: readonly z.core.$ZodType[];
  options?: readonly z.core.$ZodType[];
  checks?: readonly unknown[];
}

/** The key under which zod stores the definition of a schema or check. */
const inside = '_zod';
const toldBy = (part: unknown): unknown => (part as Record<typeof inside, { def: unknown }>)[inside].def;

/**
 * A schema and all schemas inside it, each with its path. @param as which side of a schema that transforms
 */
function partsOf(schema: z.core.$ZodType, at: string, as: 'in' | 'out'): { def: Def; at: string }[] {
  const def = toldBy(schema) as Def;
  const { element, innerType, left, right, valueType, items = [], options = [] } = def;
  const inner = [
    ...Object.entries(def.shape ?? {}).map(([name, each]) => [each, `${at}.${name}`] as const),
    ...[element, innerType, def[as], left, right, valueType, ...items, ...options].map(
      (each) => [each, at] as const,
    ),
  ];
  const within = inner.flatMap(([each, path]) => (each === undefined ? [] : partsOf(each, path, as)));
  return [{ def, at }, ...within];
}

const checksOf = ({ checks = [] }: Def) =>
  checks.map((check) => toldBy(check) as { check: string; pattern?: RegExp });

const isCapped = (def: Def): boolean =>
  checksOf(def).some(({ check }) => check === 'max_length' || check === 'length_equals');

/** The limits that a field lacks: numbers need a minimum and a maximum, texts and lists a maximum length. */
function lackingEnds({ def, at }: { def: Def; at: string }): string[] {
  const told = checksOf(def);
  if (def.type === 'number')
    return ['greater_than', 'less_than'].flatMap((end) =>
      told.some(({ check }) => check === end) ? [] : [`${at}: ${end}`],
    );
  const isShort = told.some(
    ({ pattern }) =>
      pattern !== undefined && !/(?<!\\)[+*]/.test(pattern.source.replaceAll(/\{\d+(,\d+)?\}/g, '')),
  );
  const isText = def.type === 'string' && !['uuid', 'date', 'datetime', 'email'].includes(def.format ?? '');
  const hasLength = (isText && !isShort) || def.type === 'array';
  return hasLength && !isCapped(def) ? [`${at}: max_length`] : [];
}

test('every number that an app may send has both its ends, every text and every list a longest', () => {
  const found = allEndpoints.flatMap(({ path, input }) => partsOf(input, path, 'in').flatMap(lackingEnds));
  expect(found).toEqual([]);
});

/** Maps by name in answers, with the reason why each is bounded. */
const boundedElsewhere: Record<string, string> = {
  'GET /im/unread-count.rooms': 'one for each room of the list, of which there are at most `mostRooms`',
};

test('every list that the server answers, a page or all of it, has a longest', () => {
  const lists = allEndpoints.flatMap(({ method, path, output }) =>
    partsOf(output, `${method} ${path}`, 'out').filter(({ def }) =>
      ['array', 'record', 'map', 'set'].includes(def.type),
    ),
  );
  expect(lists.length).toBeGreaterThan(500);
  const isOfWords = ({ keyType }: Def) => keyType !== undefined && (toldBy(keyType) as Def).type === 'enum';
  const open = lists.filter(({ def, at }) => !isCapped(def) && !isOfWords(def) && !(at in boundedElsewhere));
  expect(open.map(({ at }) => at)).toEqual([]);
  const named = new Set(lists.map(({ at }) => at));
  expect(Object.keys(boundedElsewhere).filter((at) => !named.has(at))).toEqual([]);
});
