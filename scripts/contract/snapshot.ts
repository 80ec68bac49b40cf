import { z } from 'zod';
import type { Endpoint } from '#contract/define.ts';

/** What the two sides promise each other, as data: one entry for each call, by method and path. */
export const snapshot = z.record(z.string(), z.unknown());
export type Snapshot = z.output<typeof snapshot>;

export function snapshotOf(endpoints: readonly Endpoint[]): Snapshot {
  const entries = endpoints.map(
    ({ method, path, who, permission, stepUp, summary, input, output, refusals }): [string, unknown] => [
      `${method} ${path}`,
      {
        who,
        ...(permission === undefined ? {} : { permission }),
        ...(stepUp === undefined ? {} : { stepUp }),
        summary,
        refusals: refusals.toSorted(),
        input: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
        output: z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }),
      },
    ],
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The calls in which two snapshots differ, in sentences. */
export function differences(kept: Snapshot, current: Snapshot): string[] {
  const names = [...new Set([...Object.keys(kept), ...Object.keys(current)])].toSorted();
  return names.flatMap((name) => {
    if (!(name in kept)) return [`${name} is new`];
    if (!(name in current)) return [`${name} is gone`];
    const changed = changedParts(kept[name], current[name]);
    return changed.length === 0 ? [] : [`${name} has changed: ${changed.join(', ')}`];
  });
}

/** Where two values differ, as dotted paths, at most five. */
function changedParts(kept: unknown, current: unknown, at = ''): string[] {
  if (JSON.stringify(kept) === JSON.stringify(current)) return [];
  if (!isObject(kept) || !isObject(current) || Array.isArray(kept) !== Array.isArray(current)) return [at];
  const names = new Set([...Object.keys(kept), ...Object.keys(current)]);
  const below = [...names].flatMap((name) =>
    changedParts(kept[name], current[name], at === '' ? name : `${at}.${name}`),
  );
  return below.slice(0, 5);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
