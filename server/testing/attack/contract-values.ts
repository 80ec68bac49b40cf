import { z } from 'zod';
import type { Endpoint } from '#contract/define.ts';

// Reads the contract's input schemas: which fields hold an id, what a valid value is, and which values are at
// and beyond each limit.

/** A field of an input, by its keys from the outside in; `[]` is each item of a list. */
export type FieldPath = readonly string[];

type Schema = z.core.$ZodType;

/** The definition of a schema. */
interface Def {
  type: string;
  format?: string;
  coerce?: boolean;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  options?: readonly Schema[];
  items?: readonly Schema[];
  in?: Schema;
  entries?: Record<string, string>;
  values?: readonly unknown[];
  checks?: readonly unknown[];
  pattern?: RegExp;
}

interface CheckDef {
  check: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  length?: number;
  value?: number;
  inclusive?: boolean;
  pattern?: RegExp;
}

/** The key under which zod stores the definition of a schema or check. */
const inside = '_zod';
const toldBy = (part: unknown): unknown => (part as Record<typeof inside, { def: unknown }>)[inside].def;

const defOf = (schema: Schema): Def => toldBy(schema) as Def;
const checksOf = (def: Def): CheckDef[] => (def.checks ?? []).map((check) => toldBy(check) as CheckDef);

/** The schema inside wrappers for optional, nullable or default values. */
function bareOf(schema: Schema): Schema {
  const { type, innerType, in: before } = defOf(schema);
  if (innerType !== undefined) return bareOf(innerType);
  if (type === 'pipe' && before !== undefined) return bareOf(before);
  return schema;
}

/** Every field of a call's input that takes an id. */
export function idFields({ input }: Pick<Endpoint, 'input'>): FieldPath[] {
  const found: FieldPath[] = [];
  const look = (schema: Schema, path: FieldPath): void => {
    const bare = bareOf(schema);
    const { type, format, shape, element, options, items } = defOf(bare);
    const name = path.findLast((key) => key !== '[]') ?? '';
    const isNamed = type === 'string' && format === undefined && /(^id|Id|^roomid)$/.test(name);
    if (format === 'uuid' || isNamed) found.push(path);
    for (const [key, inner] of Object.entries(shape ?? {})) look(inner, [...path, key]);
    if (element !== undefined) look(element, [...path, '[]']);
    for (const inner of options ?? []) look(inner, path);
    items?.forEach((inner, index) => look(inner, [...path, String(index)]));
  };
  look(input, []);
  return [...new Map(found.map((path) => [path.join('.'), path])).values()];
}

/** An input with another value in one field; missing parents are created. */
export function withField(input: unknown, path: FieldPath, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (key === '[]') {
    const items = Array.isArray(input) ? input : [];
    return [withField(items[0], rest, value), ...items.slice(1)];
  }
  const fields = typeof input === 'object' && input !== null ? input : {};
  return { ...fields, [key]: withField((fields as Record<string, unknown>)[key], rest, value) };
}

/** Draws one of several items, and whole numbers below a limit. */
export interface Draw {
  below(limit: number): number;
  of<T>(items: readonly T[]): T;
}

/** Values for the generator of inputs, in addition to the schema. */
export interface Known {
  draw: Draw;
  /** Ids of real things. */
  ids: readonly string[];
  now: () => Date;
  /** Texts that an attacker would type. */
  hostile: readonly string[];
  /** Values of types that the contract does not accept. */
  strange: readonly (() => unknown)[];
  /** How many of a hundred fields get a value at or beyond a limit, a hostile or a strange one. */
  roughness: number;
}

const emails = ['a@example.com', 'nobody@example.org', `${'a'.repeat(250)}@example.com`];

/** An input of a call: mostly valid, with some values at and beyond the limits. */
export function inputFor(schema: Schema, known: Known): unknown {
  const { draw, roughness } = known;
  if (draw.below(100) < roughness / 4) return draw.of(known.strange)();
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return objectFor(def, known);
    case 'array':
      return listFor(def, known);
    case 'tuple':
      return (def.items ?? []).map((item) => inputFor(item, known));
    case 'optional':
    case 'default':
      return draw.below(3) === 0 ? undefined : inputFor(def.innerType!, known);
    case 'nullable':
      return draw.below(4) === 0 ? null : inputFor(def.innerType!, known);
    case 'union':
      return inputFor(draw.of(def.options!), known);
    case 'pipe':
      return inputFor(def.in!, known);
    case 'enum':
      return draw.of(Object.values(def.entries!));
    case 'literal':
      return draw.of(def.values!);
    case 'boolean':
      return draw.below(2) === 0;
    case 'number':
      return numberFor(def, known);
    case 'string':
      return textFor(def, known);
    default:
      return draw.of(known.strange)();
  }
}

const prototypeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'idempotencyKey',
];

function objectFor({ shape = {} }: Def, known: Known): Record<string, unknown> {
  const { draw, roughness } = known;
  const fields: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(shape)) {
    if (draw.below(300) < roughness) continue;
    const value = inputFor(inner, known);
    if (value !== undefined) fields.push([name, value]);
  }
  if (draw.below(200) < roughness)
    fields.push([
      draw.of([...prototypeKeys, 'staffRole', 'isAdmin', 'userId', '']),
      draw.of(known.strange)(),
    ]);
  return Object.fromEntries(fields);
}

function listFor(def: Def, known: Known): unknown[] {
  const { draw, roughness } = known;
  const checks = checksOf(def);
  const least = checks.find(({ check }) => check === 'min_length')?.minimum ?? 0;
  const most = checks.find(({ check }) => check === 'max_length')?.maximum ?? 50;
  const lengths = draw.below(100) < roughness ? [0, least - 1, most, most + 1] : [least, least + 1, 1, 2];
  const length = Math.min(Math.max(0, draw.of(lengths)), 2000);
  return Array.from({ length }, () => inputFor(def.element!, known));
}

function numberFor(def: Def, known: Known): unknown {
  const { draw, roughness } = known;
  const checks = checksOf(def);
  const isWhole = checks.some(({ format }) => format === 'safeint' || format === 'int32');
  const least = checks.find(({ check }) => check === 'greater_than')?.value ?? -1_000_000;
  const most = checks.find(({ check }) => check === 'less_than')?.value ?? 1_000_000;
  const within = least + (draw.below(1_000_001) / 1_000_000) * (Math.min(most, least + 1e6) - least);
  if (draw.below(100) >= roughness) return isWhole ? Math.round(within) : within;
  return draw.of([
    least,
    most,
    least - 1,
    most + 1,
    least - 1e-9,
    most + 1e-9,
    0,
    -0,
    -1,
    0.5,
    2 ** 31,
    2 ** 53,
    1e21,
    -1e308,
    5e-324,
    String(within),
    '1e3',
    '0x10',
    ' 7 ',
    '',
    'NaN',
    'Infinity',
    null,
    true,
  ]);
}

function textFor(def: Def, known: Known): unknown {
  const { draw, roughness } = known;
  if (draw.below(100) < roughness) return roughText(def, known);
  if (def.format === 'uuid') return draw.of(known.ids);
  if (def.format === 'email') return draw.of(emails);
  if (def.format === 'url') return draw.of(['http://127.0.0.1/pages/auth/oauth', 'https://example.com/x']);
  const now = known.now().getTime();
  const instant = new Date(now + (draw.below(400) - 100) * 3_600_000).toISOString();
  if (def.format === 'datetime') return instant;
  if (def.format === 'date') return instant.slice(0, 10);
  const pattern = checksOf(def).find((each) => each.pattern !== undefined)?.pattern;
  const plain = [
    'A word',
    'a longer line of words, with signs!',
    '顺路',
    '+14155550123',
    '123456',
    'a long way together',
    'Toyota',
    'a.person@example.com',
    instant.slice(0, 16),
    '07:40',
    draw.of(known.ids),
  ];
  return draw.of(plain.filter((each) => pattern?.test(each) ?? true)) ?? 'A'.repeat(22);
}

function roughText(def: Def, known: Known): unknown {
  const { draw } = known;
  const checks = checksOf(def);
  const most = checks.find(({ check }) => check === 'max_length')?.maximum ?? 300;
  const least = checks.find(({ check }) => check === 'min_length')?.minimum ?? 0;
  const letter = draw.of(['a', '顺', '😀', 'é', ' ', '\n', '7']);
  return draw.of<() => unknown>([
    () => draw.of(known.hostile),
    () => draw.of(known.hostile),
    () => letter.repeat(most),
    () => letter.repeat(most + 1),
    () => letter.repeat(Math.max(0, least - 1)),
    () => letter.repeat(least),
    () => '',
    () => draw.of(['2026-02-30', '0000-00-00T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '9999-12-31']),
    () => draw.of(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']),
    () => draw.of(known.ids).toUpperCase(),
    () => draw.of(known.strange)(),
  ])();
}
