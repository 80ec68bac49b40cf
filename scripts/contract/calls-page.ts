import type { z } from 'zod';
import { keyNeedOf } from '#contract/connect/scopes.ts';
import type { Endpoint } from '#contract/define.ts';
import { specifiedCalls } from './specification.ts';
import { TypeTexts } from './type-text.ts';

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

A type is written as in TypeScript: \`?\` marks what may be missing, \` = \` what it is then; lengths, bounds and patterns are in brackets. An \`instant\` is a
time in UTC as ISO 8601, a \`date\` a day. Types that several calls share are under [Types](#types), by the name that \`contract/\` exports them under; one
that is sent otherwise than it is answered is there twice.

★ marks the calls of the specification. \`server/access-table.db.test.ts\` tests who may make each call.
`;

/**
 * `docs/calls.md`: every call with who may make it, its payload, its answer and its refusals, and the types
 * that several of them share. It says all that the contract's schemas say, so that it also freezes them.
 */
export function callsPage(endpoints: readonly Endpoint[], exported: ReadonlyMap<z.ZodType, string>): string {
  const types = new TypeTexts(exported);
  const sorted = endpoints.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const areas = Map.groupBy(sorted, ({ path }) => path.split('/')[1] ?? '');
  const marked = sorted.filter((endpoint) => nameOf(endpoint) in specifiedCalls).length;
  const index = [...areas].map(([area, calls]) => `[${area}](#${area}) ${calls.length}`).join(' · ');
  const summary = `${sorted.length} calls, ${marked} of them the specification’s. ${index}`;
  const sections = [...areas].map(([area, calls]) =>
    [`## ${area}`, ...calls.map((call) => section(call, types))].join('\n\n'),
  );
  const shared = types
    .shared()
    .map(([name, lines]) => [`### ${name}`, lines.map((line) => `- \`${line}\``).join('\n')].join('\n\n'));
  return `${[intro, `${summary}\n`, ...sections, ['## Types', ...shared].join('\n\n')].join('\n')}\n`;
}

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

function section(endpoint: Endpoint, types: TypeTexts): string {
  const star = nameOf(endpoint) in specifiedCalls ? '★ ' : '';
  const refusals = endpoint.refusals.map((reason) => `\`${reason}\``).toSorted();
  const fields = types.fieldsOf(endpoint.input);
  if (endpoint.takesFile === true) fields.push('file: one picture, as multipart');
  return [
    `### ${star}${nameOf(endpoint)}`,
    endpoint.summary,
    [
      `- Who: ${whoOf(endpoint)}`,
      `- API key: ${keyWords(keyNeedOf(endpoint))}`,
      `- Payload:${fields.length === 0 ? ' none' : listed(fields)}`,
      `- Answer:${listed(types.answerOf(endpoint.output))}`,
      `- Refuses: ${refusals.length === 0 ? 'with the common reasons only' : refusals.join(', ')}`,
    ].join('\n'),
  ].join('\n\n');
}

/** One line follows its label, several are a list below it. */
const listed = (lines: readonly string[]): string =>
  lines.length === 1 ? ` \`${lines[0]}\`` : lines.map((line) => `\n  - \`${line}\``).join('');

function keyWords(need: string): string {
  if (need === 'never') return 'not accepted';
  return need === 'any' ? 'any valid key' : `scope \`${need}\``;
}

function whoOf({ who, permission, stepUp }: Endpoint): string {
  const needs = permission === undefined ? [] : [`with permission \`${permission}\``];
  if (stepUp === true) needs.push('identity confirmed in the last ten minutes');
  return [whoWords[who], ...needs].join(', ');
}
