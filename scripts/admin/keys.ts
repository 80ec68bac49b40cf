import type { z } from 'zod';
import { makeKey as makeCall } from '#contract/connect/keys.ts';
import { scopes } from '#contract/connect/scopes.ts';
import { keyHolder, makeKey, revokeKey, shownKeys } from '../../server/features/connect/service.ts';
import { checked, idOf, listed, misuse, readWords, type AdminCommand } from './run-command.ts';
import type { Outcome, Place } from './run-command.ts';

const usage = `Makes API keys for programs, lists and revokes them.
  npm run admin -- keys [--json]
  npm run admin -- keys make you@example.com --name 'Reports' --scopes figures.read,rides:read
      [--days 90|never] [--calls-per-minute 120] [--json]
  npm run admin -- keys revoke ID [--json]
A key acts for that person, within the scopes and within their role. Scopes:
  ${scopes.join(' ')}`;

export const keys: AdminCommand = {
  usage,
  read(args) {
    const names = ['name', 'scopes', 'days', 'calls-per-minute'] as const;
    const { words, given, json } = readWords(args, { most: 2, names });
    const [verb = 'list', target = ''] = words;
    if (verb !== 'make' && Object.keys(given).length > 0) misuse();
    if (verb === 'list' && target === '') return { json, run: list };
    if (verb === 'revoke') {
      const id = idOf(target);
      return { json, run: (place) => revoke(place, id) };
    }
    if (verb !== 'make' || target === '') misuse();
    const { days, 'calls-per-minute': calls } = given;
    const input = checked(makeCall.input, {
      name: given.name ?? '',
      scopes: listed(given.scopes),
      ...(days === undefined ? {} : { days: days === 'never' ? null : Number(days) }),
      ...(calls === undefined ? {} : { callsPerMinute: Number(calls) }),
    });
    return { json, run: (place) => make(place, target, input) };
  },
};

async function list({ db, now }: Place): Promise<Outcome> {
  const all = await shownKeys(db, now);
  const lines = all.map(
    ({ state, id, shown, email, name, scopes: given }) =>
      `${state.padEnd(8)} ${id}  ${shown}  ${email}  ${name}: ${given.join(' ')}`,
  );
  return { text: lines.length === 0 ? 'There are no API keys.' : lines.join('\n'), json: all };
}

async function revoke({ db, now }: Place, id: string): Promise<Outcome> {
  const { revokedAt } = await db.transaction((tx) => revokeKey(tx, { id, adminId: null }, now));
  return { text: `The key ${id} is revoked.`, json: { id, revokedAt } };
}

async function make(
  { db, now }: Place,
  email: string,
  input: z.output<typeof makeCall.input>,
): Promise<Outcome> {
  const userId = await keyHolder(db, email);
  const { row, secret } = await db.transaction((tx) => makeKey(tx, { userId, adminId: null }, input, now));
  const { id, name, scopes: given, expiresAt } = row;
  return {
    text: `${secret}\nKeep it now: it is not shown again. It acts for ${email}: ${given.join(' ')}`,
    json: { id, name, scopes: given, expiresAt, secret },
  };
}
