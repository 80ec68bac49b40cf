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
  guest: 'anybody',
  user: 'signed in',
  admin: 'the team',
};

const intro = `# Calls

Written by \`npm run contract\` from \`contract/\`; \`npm run check\` fails when it is out of date.

Every call answers HTTP 200 with \`{ code, info, reason?, data? }\`. \`code\` 200 is success and \`data\` the answer below. 400: no
valid session; 403: not allowed; 404: no such thing, or not yours to see; 409: the state has moved on; 422: input refused,
\`data.fields\` names each field; 429: too many, \`data.retryAfterSeconds\`. Besides the refusals listed, any call can refuse with
\`input.invalid\`, \`session.missing\` and \`rate.limited\`; one that wants a recent proof of who the person is with
\`session.stepUp\` (\`POST /access/prove\` gives it); one of the team with \`access.denied\` and \`access.secondFactorNeeded\`. Requests carry \`signTime\` and \`sign\`; every POST may carry
\`idempotencyKey\`. Programs send an API key as \`Authorization: Bearer sameway_…\` in place of an access token: a call refuses it with \`key.unknown\`,
\`key.revoked\` or \`key.expired\` (400), and with \`key.scope\` or \`key.never\` (403).

★ marks the calls of the specification. Who may do what to whose thing is held by \`server/access-table.db.test.ts\`.
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
      `- Refuses: ${refusals.length === 0 ? 'nothing of its own' : refusals.join(', ')}`,
    ].join('\n'),
  ].join('\n\n');
}

const keyWords = (need: string): string => (need === 'never' || need === 'any' ? need : `with \`${need}\``);

function whoOf({ who, permission, stepUp }: Endpoint): string {
  const needs = permission === undefined ? [] : [`with \`${permission}\``];
  if (stepUp === true) needs.push('proved in the last ten minutes');
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

/** A schema in the words of a type. */
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
