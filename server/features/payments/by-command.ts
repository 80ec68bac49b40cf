import type { z } from 'zod';
import type { CardHold, listDisputes } from '#contract/payments/endpoints.ts';
import type { Dispute } from '#contract/payments/views.ts';
import type { CommandPlatform } from '../../platform/command-platform.ts';
import type { Db } from '../../platform/database/db.ts';
import { emailsOf } from '../identity/queries.ts';
import { viewHold } from './authorizations/open-authorizations.ts';
import { openAuthorizations } from './authorizations/store.ts';
import { resolveClaim } from './claims/resolve-claim.ts';
import { listClaims } from './claims/store.ts';
import { viewClaim } from './view.ts';

/** People by their email addresses, null where the account is gone. */
type Told<T> = Omit<T, 'passenger' | 'driver'> & { passenger: string | null; driver: string | null };

export type ToldHold = Told<CardHold>;
export type ToldDispute = Told<Dispute> & { orderNumber: string; owedCents: number; capturedCents: number };

/** Card holds that are not over, as the command line tells them. */
export async function holdsByCommand(
  db: Db,
  page: { offset: number; size: number },
  now: Date,
): Promise<{ holds: ToldHold[]; total: number }> {
  const { rows, total } = await openAuthorizations(db, page);
  const sides = await sidesOf(db, rows);
  return { holds: rows.map((row) => ({ ...viewHold(row, new Map(), now), ...sides(row) })), total };
}

/** Disputes, those to decide first. */
export async function disputesByCommand(
  db: Db,
  asked: z.output<typeof listDisputes.input> & { size: number },
): Promise<{ disputes: ToldDispute[]; total: number }> {
  const { rows, total } = await listClaims(db, asked);
  const sides = await sidesOf(
    db,
    rows.map(({ claim }) => claim),
  );
  const disputes = rows.map(
    ({ claim, authorization: { orderNumber, captureCents: owedCents, capturedCents } }) => ({
      ...viewClaim(claim),
      ...sides(claim),
      orderNumber,
      owedCents,
      capturedCents,
    }),
  );
  return { disputes, total };
}

/** Decides a dispute as an admin does. Refuses what `resolveClaim` refuses. */
export const resolveByCommand = (
  platform: CommandPlatform,
  decision: Parameters<typeof resolveClaim>[2],
): Promise<Dispute> => resolveClaim(platform, null, decision);

interface Sides {
  passengerId: string;
  driverId: string;
}

async function sidesOf(db: Db, all: readonly Sides[]) {
  const emails = await emailsOf(db, [
    ...new Set(all.flatMap(({ passengerId, driverId }) => [passengerId, driverId])),
  ]);
  return ({ passengerId, driverId }: Sides) => ({
    passenger: emails.get(passengerId) ?? null,
    driver: emails.get(driverId) ?? null,
  });
}
