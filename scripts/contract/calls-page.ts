import { z } from 'zod';
import { keyNeedOf } from '#contract/connect/scopes.ts';
import type { Endpoint } from '#contract/define.ts';
import { specifiedCalls } from './specification.ts';

interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  default?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
}

const whoWords: Record<Endpoint['who'], string> = {
  guest: 'everyone, guests too',
  user: 'signed-in people',
  admin: 'the team',
};

const intro = `# Calls

Written by \`npm run contract\` from \`contract/\`; \`npm run check\` fails when it is out of date.

Every call answers HTTP 200 with \`{ code, info, reason?, data? }\`. \`code\` is

- 200: success; \`data\` is the answer described below
- 400: no valid session or API key
- 403: not allowed
- 404: it does not exist, or you may not see it
- 409: its state has changed meanwhile
- 422: invalid input; \`data.fields\` names each field
- 429: too many calls; try again after \`data.retryAfterSeconds\`

\`reason\` says why a call was refused, in a word that never changes. Besides the reasons listed with a call, any call can refuse with \`input.invalid\`,
\`session.missing\` and \`rate.limited\`; a call that needs a confirmed identity with \`session.stepUp\` (confirm it with \`POST /access/prove\`);
a call of the team with \`access.denied\` and \`access.secondFactorNeeded\`. The app sends \`signTime\` and \`sign\` with each request; every POST accepts an
\`idempotencyKey\`.

Programs send an API key as \`Authorization: Bearer sameway_…\` instead of an access token. *API key* says which scope the key needs. A call refuses an
invalid key with \`key.unknown\`, \`key.revoked\` or \`key.expired\` (400), and a valid one with \`key.scope\` (its scope is missing) or \`key.never\` (the call
accepts no keys; 403).

★ marks the calls of the specification. \`server/access-table.db.test.ts\` tests who may make each call.
`;

/** `docs/calls.md`: every call with who may make it, its payload, its answer and its refusals. */
export function callsPage(endpoints: readonly Endpoint[]): string {
  const sorted = endpoints.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const areas = Map.groupBy(sorted, ({ path }) => path.split('/')[1] ?? '');
  const marked = sorted.filter((endpoint) => nameOf(endpoint) in specifiedCalls).length;
  const index = [...areas].map(([area, calls]) => `[${area}](#${area}) ${calls.length}`).join(' · ');
  const summary = `${sorted.length} calls, ${marked} of them the specification’s. ${index}`;
  const sections = [...areas].map(([area, calls]) => [`## ${area}`, ...calls.map(section)].join('\n\n'));
  return `${[intro, `${summary}\n`, ...sections].join('\n')}\n`;
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

function section(endpoint: Endpoint): string {
  const input = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const output = z.toJSONSchema(endpoint.output, { io: 'output', unrepresentable: 'any' }) as Schema;
  const star = nameOf(endpoint) in specifiedCalls ? '★ ' : '';
  const refusals = endpoint.refusals.map((reason) => `\`${reason}\``).toSorted();
  return [
    `### ${star}${nameOf(endpoint)}`,
    endpoint.summary,
    [
      `- Who: ${whoOf(endpoint)}`,
      `- API key: ${keyWords(keyNeedOf(endpoint))}`,
      `- Payload: ${fieldsOf(input, endpoint.takesFile === true)}`,
      `- Answer: \`${typeOf(output)}\``,
      `- Refuses: ${refusals.length === 0 ? 'with the common reasons only' : refusals.join(', ')}`,
    ].join('\n'),
  ].join('\n\n');
}

function keyWords(need: string): string {
  if (need === 'never') return 'not accepted';
  return need === 'any' ? 'any valid key' : `scope \`${need}\``;
}

function whoOf({ who, permission, stepUp }: Endpoint): string {
  const needs = permission === undefined ? [] : [`with permission \`${permission}\``];
  if (stepUp === true) needs.push('identity confirmed in the last ten minutes');
  return [whoWords[who], ...needs].join(', ');
}

function fieldsOf({ properties = {}, required = [] }: Schema, takesFile: boolean): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `\`${name}${required.includes(name) ? '' : '?'}\` ${typeOf(schema)}${limitsOf(schema)}`,
  );
  if (takesFile) fields.push('`file` one picture, as multipart');
  return fields.length === 0 ? 'none' : fields.join('; ');
}

function limitsOf({ minLength, maxLength, minimum, maximum }: Schema): string {
  const range = (low: number | undefined, high: number | undefined, unit: string): string[] => {
    // Zod writes the bounds of safe whole numbers, which say nothing about the field.
    const [from, to] = [low, high].map((bound) => (Math.abs(bound ?? Infinity) > 1e12 ? null : bound));
    if (from == null && to == null) return [];
    if (from == null) return [`up to ${to}${unit}`];
    return [to == null ? `from ${from}${unit}` : `${from} to ${to}${unit}`];
  };
  const limits = [...range(minLength, maxLength, ' characters'), ...range(minimum, maximum, '')];
  return limits.length === 0 ? '' : ` (${limits.join(', ')})`;
}

/** A schema written as a type. */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const several = schema.anyOf ?? schema.oneOf;
  if (several !== undefined) return [...new Set(several.map(typeOf))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' & ');
  if (schema.type === 'array') {
    if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
    const most = schema.maxItems === undefined ? '' : `, up to ${schema.maxItems}`;
    return `[${typeOf(schema.items ?? {})}${most}]`;
  }
  if (schema.properties !== undefined) {
    const { properties, required = [] } = schema;
    const fields = Object.entries(properties).map(
      ([name, each]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(each)}`,
    );
    return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
  }
  if (schema.type === 'object')
    return typeof schema.additionalProperties === 'object'
      ? `{ …: ${typeOf(schema.additionalProperties)} }`
      : '{}';
  if (schema.format === 'date-time') return 'instant';
  return schema.type ?? 'anything';
}
