import { randomUUID } from 'node:crypto';
import type { CardHold, listHolds } from '#contract/payments/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { money } from '#contract/formats/amounts.ts';
import type { App } from '../../../app-type.ts';
import { movedOn, notFound } from '../../../platform/refusal.ts';
import { peopleByIds } from '../../identity/service.ts';
import { writeLedger } from '../books/store.ts';
import { claimsOf } from '../claims/store.ts';
import { writtenOffLines } from '../rules/ledger.ts';
import { isDebt, needOf } from '../rules/next-step.ts';
import { upcomingStep } from '../rules/upcoming-step.ts';
import { openAuthorizations, type AuthorizationRow, lockAuthorization, updateGoal } from './store.ts';

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

/**
 * Writes off what a passenger owes and could not be charged: it is never captured, the ledger and the audit
 * log record it, and both sides are notified. What is captured at this very moment is refunded. Refuses
 * `debt.notFound`, `debt.over` where nothing is owed any more, and `debt.disputed` while a dispute about it
 * is open.
 */
export async function writeOffDebt(
  app: App,
  adminId: string,
  { id, note }: { id: string; note: string },
): Promise<void> {
  const { transact, clock, audit, outbox } = app;
  await transact('write off debt', async (tx) => {
    const debt = await lockAuthorization(tx, id);
    if (debt === null) throw notFound('debt.notFound', 'We couldn’t find this debt.');
    if (!debt.isCurrent || !isDebt(debt)) throw movedOn('debt.over', 'Nothing is owed here anymore.');
    const { bookingId, rideId, requestId, passengerId, driverId, captureCents, orderNumber } = debt;
    const claims = await claimsOf(tx, [bookingId]);
    if (claims.some(({ state }) => state !== 'resolved'))
      throw movedOn('debt.disputed', 'A dispute about this payment is open. Please decide it first.');
    const now = clock.now();
    await updateGoal(tx, id, { goal: 'cancel', nextAt: now, attempts: 0, trouble: null }, now);
    const lines = writtenOffLines(captureCents, { authorizationId: id, at: now, newId: randomUUID });
    await writeLedger(tx, debt.provider, lines);
    const about = `${orderNumber} · ${money(captureCents, 'en')}: ${note}`;
    await audit.note(tx, {
      adminId,
      action: 'debt.writtenOff',
      personId: passengerId,
      thingId: id,
      note: about,
    });
    const who = { authorizationId: id, bookingId, rideId, requestId, passengerId, driverId };
    await outbox.emit(tx, 'payment.moved', { ...who, state: debt.state }, bookingId);
    await outbox.emit(tx, 'debt.writtenOff', { ...who, amountCents: captureCents }, bookingId);
  });
}
