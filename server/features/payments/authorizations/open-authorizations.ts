import type { CardHold, listHolds } from '#contract/payments/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Person } from '#contract/user/endpoints.ts';
import type { App } from '../../../app-type.ts';
import { peopleByIds } from '../../identity/service.ts';
import { isDebt, needOf } from '../rules/next-step.ts';
import { upcomingStep } from '../rules/upcoming-step.ts';
import { openAuthorizations, type AuthorizationRow } from './store.ts';

/** A page of the authorizations that are not over, for admins: the read is noted with the people in it. */
export async function listOpenAuthorizations(
  app: App,
  adminId: string,
  page: { offset: number; size: number },
): Promise<OutputOf<typeof listHolds>> {
  const { db, clock, audit } = app;
  const { rows, total } = await openAuthorizations(db, page);
  const personIds = rows.flatMap(({ passengerId, driverId }) => [passengerId, driverId]);
  await audit.noteReading(adminId, 'holds', personIds);
  const people = await peopleByIds(app, personIds);
  const now = clock.now();
  return { holds: rows.map((row) => viewHold(row, people, now)), total };
}

export function viewHold(row: AuthorizationRow, people: ReadonlyMap<string, Person>, now: Date): CardHold {
  const { step, at } = upcomingStep(row, now);
  return {
    id: row.id,
    bookingId: row.bookingId,
    orderNumber: row.orderNumber,
    rideAt: row.rideAt.toISOString(),
    timeZone: row.timeZone,
    passenger: people.get(row.passengerId) ?? null,
    driver: people.get(row.driverId) ?? null,
    kind: row.kind,
    state: row.state,
    amountCents: row.amountCents,
    authorizedCents: row.authorizedCents,
    owedCents: row.goal === 'capture' ? Math.max(0, row.captureCents - row.capturedCents) : 0,
    capturedCents: row.capturedCents,
    refundedCents: row.refundedCents,
    endsAt: row.state === 'requires_capture' ? (row.captureBefore?.toISOString() ?? null) : null,
    next: step,
    nextAt: at?.toISOString() ?? null,
    need: needOf(row),
    trouble: row.trouble,
    isDebt: isDebt(row),
  };
}
