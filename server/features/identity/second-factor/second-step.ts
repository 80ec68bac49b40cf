import type { z } from 'zod';
import type { SessionUser } from '#contract/access/endpoints.ts';
import type { ProofWay } from '#contract/access/second-factor.ts';
import type * as calls from '#contract/access/second-factor.ts';
import type { App } from '../../../app-type.ts';
import { later, minuteMs } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/db.ts';
import type { Origin } from '../../../platform/http/cookies.ts';
import { Refusal } from '../../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../../platform/security/session.ts';
import { openSession, refuseSuspended } from '../sessions.ts';
import { holdUser, type UserRow } from '../store.ts';
import { expired, passkeyRefused, signingOptions, checkPasskeySignature } from './ceremonies.ts';
import { checkFactor, usedPasskey } from './check-factor.ts';
import * as store from './store.ts';
import { factorWays } from './view.ts';

const ticketLifeMs = 10 * minuteMs;

/** The result of a sign-in's first step: the session, or what the second step needs. */
export type Entry = { user: SessionUser } | { ticket: string; ways: ProofWay[] };

/**
 * Signs in a person after password, code or provider were right, in the caller's transaction, which has
 * locked their row. A person with a second factor gets a ticket instead. Refuses `access.suspended`.
 */
export async function enter(app: App, tx: Db, person: UserRow, origin: Origin): Promise<Entry> {
  refuseSuspended(person);
  const ways = factorWays(await store.factorsOf(tx, person.id));
  if (ways.length === 0) return { user: await openSession(app, tx, person, { origin }) };
  const ticket = newSecret();
  await store.insertTicket(tx, {
    ticketHash: hashSecret(ticket),
    userId: person.id,
    expiresAt: later(app.clock.now(), ticketLifeMs),
  });
  return { ticket, ways };
}

/** The session of a complete sign-in. Refuses `access.secondStep`, with the ticket, after the commit. */
export function entered(entry: Entry): SessionUser {
  if ('user' in entry) return entry.user;
  throw new Refusal('access.secondStep', 'Please confirm your sign-in with your second factor.', {
    code: 403,
    data: { ticket: entry.ticket, ways: entry.ways },
  });
}

/**
 * The options with which a browser finishes a sign-in by passkey. Refuses `factor.expired`,
 * `factor.noPasskeys`.
 */
export async function secondStepOptions(app: App, ticket: string) {
  const userId = await holderOf(app, ticket);
  const { passkeys } = await store.factorsOf(app.db, userId);
  return signingOptions(app, 'secondStep', userId, passkeys);
}

/**
 * Finishes a sign-in with its second factor. Refuses `factor.expired`, `factor.wrong`,
 * `factor.passkeyRefused`, `access.suspended`.
 */
export async function secondStep(
  app: App,
  { ticket, ...given }: z.output<typeof calls.secondStep.input>,
  origin: Origin,
): Promise<SessionUser> {
  const userId = await holderOf(app, ticket);
  const factor = await checkFactor(app, 'secondStep', userId, given);
  return app.transact('sign in by second factor', async (tx) => {
    const person = await holdUser(tx, userId);
    if (person === null || !(await store.takeTicket(tx, hashSecret(ticket)))) throw expired();
    await factor.use(tx, person);
    return openSession(app, tx, person, { origin, isSecondFactor: true });
  });
}

/**
 * Signs in with a passkey alone, which counts as two factors: possession of the device, and its unlocking.
 */
export async function signInByPasskey(
  app: App,
  given: z.output<typeof calls.signInByPasskey.input>,
  origin: Origin,
): Promise<SessionUser> {
  const row = await checkPasskeySignature(app, 'signIn', null, given);
  return app.transact('sign in by passkey', async (tx) => {
    const person = await holdUser(tx, row.userId);
    if (person === null) throw passkeyRefused();
    await usedPasskey(app, row).use(tx, person);
    return openSession(app, tx, person, { origin, isSecondFactor: true });
  });
}

async function holderOf({ db, clock }: App, ticket: string): Promise<string> {
  const userId = await store.ticketHolder(db, hashSecret(ticket), clock.now());
  if (userId === null) throw expired();
  return userId;
}

/** The options with which a person signs in by a passkey alone. Refuses `factor.noPasskeys`. */
export const passkeySignInOptions = (app: App) => signingOptions(app, 'signIn', null);
