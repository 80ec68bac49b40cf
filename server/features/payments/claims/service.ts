import { randomUUID } from 'node:crypto';
import type { OutputOf } from '#contract/define.ts';
import type { listDisputes } from '#contract/payments/endpoints.ts';
import type { Dispute } from '#contract/payments/views.ts';
import type { Platform } from '../../../platform/platform.ts';
import { hourMs, later } from '../../../platform/clock.ts';
import { brokenConstraint, type Db } from '../../../platform/database/db.ts';
import { movedOn, notFound, refuseField } from '../../../platform/refusal.ts';
import type { IdentityService } from '../../identity/service.ts';
import { wantedFor } from '../authorizations/capture-or-waive.ts';
import { takeBeforeEndMs } from '../rules/next-step.ts';
import { disputableUntil } from '../rules/claim-window.ts';
import * as store from '../store.ts';
import type { Terms } from '../terms.ts';
import { viewDispute, viewPayment } from '../view.ts';

const pageSize = 30;
const missing = () => notFound('dispute.notFound', 'This dispute could not be found.');
const moved = () => movedOn('dispute.moved', 'This dispute has moved on. Please look again.');

export type Disputes = ReturnType<typeof createDisputes>;

/** A passenger objects to what was taken or will be; the driver tells their side; an admin decides. */
export function createDisputes(
  { db, transact, clock, outbox, audit }: Platform,
  identity: IdentityService,
  terms: Terms,
) {
  const tell = (tx: Db, { id, bookingId, passengerId, driverId, state }: store.DisputeRow) =>
    outbox.emit(
      tx,
      'dispute.moved',
      { disputeId: id, bookingId, passengerId, driverId, to: state },
      bookingId,
    );

  /** Decides an objection for the passenger at once: what is held is let go, what was taken goes back. */
  async function giveUp(tx: Db, hold: store.HoldRow, dispute: store.DisputeRow): Promise<void> {
    const now = clock.now();
    const isTaken = hold.takenCents > 0;
    const refundCents = isTaken ? hold.takenCents : hold.takeCents;
    const wanted = isTaken ? { refundGoalCents: refundCents } : ({ goal: 'release' } as const);
    await store.want(tx, hold.id, { ...wanted, nextAt: now, attempts: 0 }, now);
    const set = { state: 'resolved', refundCents, resolvedAt: now } as const;
    await tell(tx, (await store.moveDispute(tx, dispute.id, ['open'], set)) ?? dispute);
  }

  return {
    /** Closes what a passenger objects to in their favour by so much. */
    async close(
      tx: Db,
      bookingId: string,
      set: { refundCents: number; decision: string; resolvedById: string | null },
    ): Promise<void> {
      for (const { id } of await store.disputesOf(tx, [bookingId])) {
        const row = await store.moveDispute(tx, id, ['open', 'answered'], {
          ...set,
          state: 'resolved',
          resolvedAt: clock.now(),
        });
        if (row !== null) await tell(tx, row);
      }
    },

    /** An objection that the app opens for the passenger, because two people say different things of what is held. */
    async openFor(tx: Db, { id: holdId, bookingId, passengerId, driverId }: store.HoldRow, text: string) {
      const row = { id: randomUUID(), bookingId, holdId, passengerId, driverId, text, openedAt: clock.now() };
      await tell(tx, await store.insertDispute(tx, { ...row, state: 'open' }));
    },

    async open(passengerId: string, bookingId: string, text: string): Promise<Dispute> {
      const row = await transact(async (tx) => {
        const hold = await store.currentHold(tx, bookingId, true);
        if (hold === null || hold.passengerId !== passengerId)
          throw notFound('booking.notFound', 'This could not be found.');
        const now = clock.now();
        const until = disputableUntil(hold, terms.shown.disputeHours);
        if (until === null || now > until)
          throw movedOn('dispute.tooLate', 'There is nothing to object to, or the time for it is over.');
        const { id: holdId, driverId } = hold;
        try {
          const dispute = await tx.transaction((inner) =>
            store.insertDispute(inner, {
              id: randomUUID(),
              bookingId,
              holdId,
              passengerId,
              driverId,
              state: 'open',
              text,
              openedAt: now,
            }),
          );
          if (hold.kind === 'noShow' && (await store.isWeakNoShow(tx, bookingId))) {
            // The driver's words alone say that they were there: against the passenger's they take nothing.
            await giveUp(tx, hold, dispute);
            return dispute;
          }
          if (hold.takenCents === 0) {
            // What is not taken yet waits for the decision, as long as the hold stands.
            const ends = hold.holdEndsAt === null ? null : later(hold.holdEndsAt, -takeBeforeEndMs);
            const isPartWay = hold.kind === 'partWay';
            const takeAt =
              ends !== null && ends > now
                ? ends
                : isPartWay
                  ? later(now, terms.shown.disputeHours * hourMs)
                  : now;
            await store.want(tx, holdId, { takeAt, nextAt: takeAt }, now);
          }
          await tell(tx, dispute);
          return dispute;
        } catch (error) {
          if (brokenConstraint(error) !== 'disputes_booking_id_unique') throw error;
          throw movedOn('dispute.exists', 'You have already objected. Please wait for the decision.');
        }
      });
      return viewDispute((await store.disputeById(db, row.id)) ?? row);
    },

    async answer(driverId: string, disputeId: string, text: string): Promise<Dispute> {
      const seen = await store.disputeById(db, disputeId);
      if (seen === null || seen.driverId !== driverId) throw missing();
      return transact(async (tx) => {
        const row = await store.moveDispute(tx, disputeId, ['open'], {
          state: 'answered',
          answer: text,
          answeredAt: clock.now(),
        });
        if (row === null) throw moved();
        await tell(tx, row);
        return viewDispute(row);
      });
    },

    /** An admin's decision; what goes back is at most what was taken, or will be. */
    async resolve(
      adminId: string,
      input: { disputeId: string; refundCents: number; decision: string },
    ): Promise<Dispute> {
      const { disputeId, refundCents, decision } = input;
      if (decision === '') throw refuseField('dispute.reasonMissing', 'decision', 'Please enter a reason.');
      return transact(async (tx) => {
        const seen = await store.disputeById(tx, disputeId);
        if (seen === null) throw missing();
        const hold = (await store.currentHold(tx, seen.bookingId, true))!;
        const owedCents = hold.takenCents > 0 ? hold.takenCents : hold.takeCents;
        if (refundCents > owedCents)
          throw refuseField(
            'dispute.amountTooHigh',
            'refundCents',
            `The maximum transaction amount allowed is $${owedCents / 100}.`,
            { amountCents: owedCents },
          );
        if (hold.isChargedBack && refundCents > 0)
          throw movedOn(
            'dispute.chargedBack',
            'The bank has taken this payment back: nothing can be given back on top of it.',
          );
        const now = clock.now();
        const row = await store.moveDispute(tx, disputeId, ['open', 'answered'], {
          state: 'resolved',
          decision,
          refundCents,
          resolvedAt: now,
          resolvedById: adminId,
        });
        if (row === null) throw moved();
        const rest = owedCents - refundCents;
        // Should it be taken whole at this very moment, what is too much goes back.
        const wanted =
          hold.takenCents > 0
            ? { refundGoalCents: refundCents, nextAt: now }
            : await wantedFor(tx, hold.id, { cents: rest, takeAt: now }, now);
        await store.want(tx, hold.id, { ...wanted, attempts: 0 }, now);
        await audit.note(tx, {
          adminId,
          action: 'dispute.resolved',
          personId: row.passengerId,
          thingId: disputeId,
          note: decision,
        });
        await tell(tx, row);
        return viewDispute(row);
      });
    },

    /** All disputes for the admins, those to be decided first. */
    async list(
      adminId: string,
      input: { state: store.DisputeRow['state'] | 'all'; offset: number },
    ): Promise<OutputOf<typeof listDisputes>> {
      const [{ rows, total }, latest] = await Promise.all([
        store.listDisputes(db, { ...input, size: pageSize }),
        store.latestReconciliation(db),
      ]);
      const personIds = rows.flatMap(({ dispute }) => [dispute.passengerId, dispute.driverId]);
      await audit.noteReading(adminId, 'disputes', personIds);
      const people = await identity.people(personIds);
      const now = clock.now();
      return {
        disputes: rows.map(({ dispute, hold }) => ({
          ...viewDispute(dispute),
          passenger: people.get(dispute.passengerId) ?? null,
          driver: people.get(dispute.driverId) ?? null,
          orderNumber: hold.orderNumber,
          from: hold.fromName,
          to: hold.toName,
          rideAt: hold.rideAt.toISOString(),
          timeZone: hold.timeZone,
          payment: viewPayment(hold, dispute, { side: 'driver', now, terms, reminder: undefined }),
        })),
        total,
        reconciliation: latest && {
          at: latest.at.toISOString(),
          checked: latest.checked,
          differences: latest.differences,
        },
      };
    },
  };
}
