import { strToU8, zipSync } from 'fflate';
import type { OutputOf } from '#contract/define.ts';
import {
  deletionDays,
  type exportData,
  type PrivacyChoices,
  type readPrivacy,
} from '#contract/privacy/endpoints.ts';
import { appVersion } from '#contract/app/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { movedOn, noSession, refuseField, Refusal } from '../../platform/refusal.ts';
import { inRepeatableSteps } from '../../platform/database/transact.ts';
import type { ChatService } from '../chat/service.ts';
import type { IdentityService } from '../identity/service.ts';
import type { OrdersService } from '../orders/service.ts';
import type { PaymentsService } from '../payments/service.ts';
import type { PicturesService } from '../pictures/service.ts';
import { createErasePerson, type TableOwners } from './erase-person.ts';
import { deletedEmail, deletionAskedEmail, deletionUndoneEmail, leavingReason } from './rules/emails.ts';
import { exportReadme } from './rules/readme.ts';
import { privacyOf } from '../identity/queries.ts';
import { openOrdersOf } from '../orders/queries.ts';
import * as store from './store.ts';

const deletionAfterMs = deletionDays * dayMs;
/** A ride that is under way when the day has come ends first. */
const tryAgainMs = dayMs / 24;

export type PrivacyService = ReturnType<typeof createPrivacy>;

/** What a person decides about what is known of them: who may find them, a copy of everything, and going away. */
export function createPrivacy(
  { db, transact, longRead, clock, outbox, log }: Platform,
  features: {
    identity: IdentityService;
    orders: OrdersService;
    pictures: PicturesService;
    payments: PaymentsService;
    chat: ChatService;
  },
  owners: TableOwners,
) {
  const { identity, orders, pictures, payments } = features;
  const erasePerson = createErasePerson(features, owners);

  /**
   * Cancels everything a person has open, each by the rules of its state.
   * @returns how many were canceled; whether something is under way that cannot be; and whether a fee is due for one,
   * which is left standing: no one pays what they were not shown.
   */
  async function cancelOrders(
    userId: string,
  ): Promise<{ cancelled: number; underWay: boolean; feeDue: boolean }> {
    let cancelled = 0;
    let underWay = false;
    let feeDue = false;
    for (const { id } of await openOrdersOf(db, userId)) {
      try {
        await orders.bookings.cancel(userId, { id, reason: leavingReason });
        cancelled += 1;
      } catch (error) {
        // Somebody is on board, or the state moved at this moment: the day of deletion looks again.
        if (!(error instanceof Refusal)) throw error;
        if (error.reason === 'order.feeChanged') feeDue = true;
        else underWay = true;
      }
    }
    return { cancelled, underWay, feeDue };
  }

  return {
    async read(userId: string): Promise<OutputOf<typeof readPrivacy>> {
      const row = await privacyOf(db, userId);
      if (row === null) throw noSession();
      const { passwordHash, deletionDueAt, ...choices } = row;
      const consents = await identity.consents(userId);
      return {
        ...choices,
        consents: consents.map(({ document, version, given, at }) => ({
          document,
          version,
          given,
          at: at.toISOString(),
        })),
        deletionDueAt: deletionDueAt?.toISOString() ?? null,
        hasPassword: passwordHash !== '',
      };
    },

    async save(userId: string, choices: PrivacyChoices): Promise<PrivacyChoices> {
      await transact(async (tx) => {
        await identity.deletion.savePrivacy(tx, userId, choices);
        await outbox.emit(tx, 'profile.changed', { userId }, userId);
      });
      return choices;
    },

    /** Everything about a person as one archive. */
    async export(userId: string): Promise<OutputOf<typeof exportData>> {
      const { tables, people } = await longRead(async (tx) => ({
        tables: await store.everythingOf(tx, userId),
        people: await store.namesAround(tx, userId),
      }));
      const images = await pictures.exportOf(userId);
      const at = clock.now().toISOString();
      const data = { product: 'Sameway', version: appVersion, exportedAt: at, people, ...tables };
      const zip = zipSync({
        'README.txt': strToU8(exportReadme(at)),
        'data.json': strToU8(JSON.stringify(data, null, 2)),
        // Pictures are packed already; packing them again only takes time.
        pictures: Object.fromEntries(
          images.map(({ name, bytes }): [string, [Uint8Array, { level: 0 }]] => [
            name,
            [new Uint8Array(bytes), { level: 0 }],
          ]),
        ),
      });
      return {
        fileName: `sameway-${at.slice(0, 10)}.zip`,
        zipBase64: Buffer.from(zip).toString('base64'),
        bytes: zip.length,
      };
    },

    /**
     * Cancels what is open and marks the account; it goes after 14 days unless the person changes their mind.
     * Refuses `privacy.passwordWrong`, `privacy.rideUnderWay` while a person is on board, and `privacy.feeDue` where
     * canceling a place costs something.
     */
    async askDeletion(
      userId: string,
      password: string,
    ): Promise<{ deletionDueAt: string; cancelledOrders: number }> {
      if (!(await identity.confirmsPassword(userId, password)))
        throw refuseField('privacy.passwordWrong', 'password', 'This password is wrong.');
      // One transaction an order: what a cut leaves undone, the next try does.
      const { cancelled, underWay, feeDue } = await inRepeatableSteps(() => cancelOrders(userId));
      if (underWay)
        throw movedOn(
          'privacy.rideUnderWay',
          'A ride of yours is under way. Please ask again when it has ended.',
        );
      if (feeDue)
        throw movedOn(
          'privacy.feeDue',
          'Cancelling a ride that you have joined costs something now. Please cancel it yourself first: the amount is shown there.',
        );
      const now = clock.now();
      const asked = await transact(async (tx) => {
        const marked = await identity.deletion.ask(tx, userId, now, later(now, deletionAfterMs));
        if (marked?.isNew === true)
          await outbox.post(tx, { to: marked.email, ...deletionAskedEmail(marked.language, marked.dueAt) });
        await outbox.emit(tx, 'profile.changed', { userId }, userId);
        return marked;
      });
      if (asked === null) throw noSession();
      return { deletionDueAt: asked.dueAt.toISOString(), cancelledOrders: cancelled };
    },

    /** Keeps the account after all; what was canceled stays so. Fine when no deletion is under way. */
    async undoDeletion(userId: string): Promise<void> {
      await transact(async (tx) => {
        if (!(await identity.deletion.undo(tx, userId))) return;
        const details = (await identity.contactDetails([userId])).get(userId);
        if (details !== undefined)
          await outbox.post(tx, { to: details.email, ...deletionUndoneEmail(details.language) });
        await outbox.emit(tx, 'profile.changed', { userId }, userId);
      });
    },

    /** Carries out the deletions whose day has come. */
    async deleteDue(): Promise<void> {
      for (const userId of await identity.deletion.due(db, clock.now())) {
        try {
          const { underWay: isUnderWay, feeDue } = await cancelOrders(userId);
          const underWay = isUnderWay || feeDue;
          if (!underWay) await payments.forgetCustomer(userId);
          await transact(async (tx, afterCommit) => {
            const details = (await identity.contactDetails([userId])).get(userId);
            if (underWay) return identity.deletion.postpone(tx, userId, later(clock.now(), tryAgainMs));
            await identity.endAllSessions(tx, userId, afterCommit);
            await pictures.removeAllOf(tx, userId);
            await erasePerson(tx, userId, clock.now());
            if (details !== undefined)
              await outbox.post(tx, { to: details.email, ...deletedEmail(details.language) });
            await outbox.tell(tx, [userId], { topic: 'profile', id: userId, news: null });
          });
        } catch (error) {
          log.error({ err: error, userId }, 'a deletion failed');
        }
      }
    },
  };
}
