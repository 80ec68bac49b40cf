import { z } from 'zod';

/** The part of JSON Schema that the contract uses. */
interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

const readKeywords = new Set(
  [
    ['$ref', '$defs', '$schema', 'id', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'properties', 'required'],
    ['items', 'prefixItems', 'additionalProperties', 'propertyNames', 'default', 'format', 'pattern'],
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum'],
  ].flat(),
);

/** A shared type is written where it is used if its text is at most this long. */
const longestInline = 60;

/** The lines of an object with more text than this stand below each other. */
const longestLine = 110;

type Direction = 'input' | 'output';

/**
 * Writes schemas as types, with all their limits. A schema that the contract exports is written once, under
 * the name of its export; other types refer to it.
 */
export class TypeTexts {
  readonly #shared = new Map<string, string[]>();
  readonly #exported: ReadonlyMap<z.ZodType, string>;
  readonly #registry = z.registry<{ id: string }>();
  /** Exports whose input has another type than their output, by name. */
  readonly #differing = new Set<string>();

  constructor(exported: ReadonlyMap<z.ZodType, string>) {
    this.#exported = exported;
    for (const [schema, name] of exported) {
      this.#registry.add(schema, { id: name });
      if (wholeText(schema, 'input') !== wholeText(schema, 'output')) this.#differing.add(name);
    }
  }

  /** The fields of an input, each with its type; empty if it has none. */
  fieldsOf(input: z.ZodObject): string[] {
    const schema = this.#schemaOf(input, 'input');
    return fieldTexts(schema, (each) => this.#typeOf(each, 'input', schema.$defs ?? {}));
  }

  /** The type of an answer: one line, or one for each field if it is long. */
  answerOf(output: z.ZodType): string[] {
    const { $defs = {}, ...schema } = this.#schemaOf(output, 'output');
    const name = this.#exported.get(output);
    if (name === undefined) return linesOf(schema, (each) => this.#typeOf(each, 'output', $defs));
    return [this.#typeOf({ $ref: name }, 'output', { [name]: schema, ...$defs })];
  }

  /** The shared types that others refer to, by name, each as lines like those of an answer. */
  shared(): [string, string[]][] {
    return [...this.#shared].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  #schemaOf(schema: z.ZodType, direction: Direction): Schema {
    const options = { ...jsonOptions(direction), metadata: this.#registry };
    const { $defs, $ref, ...root } = z.toJSONSchema(schema, options) as Schema;
    return { ...$defs?.[nameIn($ref)], ...root, $defs };
  }

  #typeOf(schema: Schema, direction: Direction, defs: Record<string, Schema>): string {
    const write = (each: Schema): string => this.#typeOf(each, direction, defs);
    const { $ref, default: usual, ...limits } = schema;
    const name = nameIn($ref);
    const shared = defs[name];
    if (shared === undefined) return typeText(schema, write);
    if (Object.keys(limits).length > 0) return typeText({ ...shared, ...schema }, write);
    const text = typeText(shared, write);
    if (text.length <= longestInline) return text + defaultText(usual);
    const shownName = direction === 'input' && this.#differing.has(name) ? `${name}.input` : name;
    this.#shared.set(shownName, linesOf(shared, write));
    return shownName + defaultText(usual);
  }
}

const nameIn = ($ref: string | undefined): string => $ref?.split('/').at(-1) ?? '';

const jsonOptions = (direction: Direction) => ({ io: direction, unrepresentable: 'any' as const });

/** Zod closes the objects of outputs alone, which does not make them other types. */
const wholeText = (schema: z.ZodType, direction: Direction): string =>
  JSON.stringify(z.toJSONSchema(schema, jsonOptions(direction))).replaceAll(
    ',"additionalProperties":false',
    '',
  );

type Write = (schema: Schema) => string;

function linesOf(schema: Schema, write: Write): string[] {
  const whole = write(schema);
  if (whole.length <= longestLine || schema.$ref !== undefined) return [whole];
  const lines = schema.properties === undefined ? several(schema)?.map(write) : fieldTexts(schema, write);
  if (lines === undefined) return [whole];
  return schema.default === undefined ? lines : [...lines, defaultText(schema.default).trim()];
}

function fieldTexts(schema: Schema, write: Write): string[] {
  const { properties = {}, required = [], additionalProperties: others, propertyNames: names } = schema;
  const fields = Object.entries(properties).map(
    ([name, each]) => `${name}${required.includes(name) ? '' : '?'}: ${write(each)}`,
  );
  if (typeof others !== 'object') return fields;
  return [...fields, `${names === undefined ? '…' : `[${write(names)}]`}: ${write(others)}`];
}

const several = ({ anyOf, oneOf }: Schema): Schema[] | undefined => anyOf ?? oneOf;

function typeText(schema: Schema, write: Write): string {
  const unread = Object.keys(schema).filter((keyword) => !readKeywords.has(keyword));
  if (unread.length > 0) throw new Error(`calls.md does not say ${unread.join(', ')} yet`);
  return bareText(schema, write) + defaultText(schema.default);
}

function bareText(schema: Schema, write: Write): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const members = several(schema);
  if (members !== undefined) return [...new Set(members.map(write))].join(' | ');
  if (schema.type === 'array') return listText(schema, write);
  if (schema.type === 'object') return `{ ${fieldTexts(schema, write).join(', ')} }`.replace('{  }', '{}');
  if (schema.type === undefined) return 'anything';
  const types = [schema.type].flat();
  return types.map((type) => (type === 'null' ? type : scalarText(type, schema))).join(' | ');
}

function listText({ prefixItems, items = {}, minItems, maxItems }: Schema, write: Write): string {
  if (prefixItems !== undefined) return `[${prefixItems.map(write).join(', ')}]`;
  const range = rangeText(minItems, maxItems, '');
  return `[${write(items)}${range === '' ? '' : `, ${range}`}]`;
}

/** Formats whose pattern says nothing more than their name. */
const formatNames: Record<string, string> = {
  'date-time': 'instant',
  date: 'date',
  uuid: 'uuid',
};

function scalarText(type: string, schema: Schema): string {
  const { format, pattern, minLength, maxLength, minimum, maximum } = schema;
  const name = formatNames[format ?? ''];
  const limits = [
    rangeText(minLength, maxLength, ' characters'),
    rangeText(safe(minimum), safe(maximum), ''),
    pattern === undefined || name !== undefined ? '' : `matches /${pattern}/`,
  ].filter((limit) => limit !== '');
  return `${name ?? format ?? type}${limits.length === 0 ? '' : ` (${limits.join(', ')})`}`;
}

/** Zod writes the bounds of safe whole numbers, which say nothing about the field. */
const safe = (bound: number | undefined): number | undefined =>
  Math.abs(bound ?? 0) > 1e12 ? undefined : bound;

function rangeText(low: number | undefined, high: number | undefined, unit: string): string {
  if (low === undefined) return high === undefined ? '' : `up to ${high}${unit}`;
  return high === undefined ? `from ${low}${unit}` : `${low} to ${high}${unit}`;
}

const defaultText = (value: unknown): string => (value === undefined ? '' : ` = ${JSON.stringify(value)}`);
