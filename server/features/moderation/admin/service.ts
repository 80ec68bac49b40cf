import type { z } from 'zod';
import type * as calls from '#contract/admin/endpoints.ts';
import type {
  FeedbackMessage,
  ManagedUser,
  Period,
  PersonReport,
  Statistics,
} from '#contract/admin/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { Platform } from '../../../platform/platform.ts';
import { dayMs, later } from '../../../platform/clock.ts';
import { movedOn, notFound, refuseField, Refusal } from '../../../platform/refusal.ts';
import { countReportsAbout, findReport, reportPage, type ReportRow } from '../../contacts/queries.ts';
import type { ContactsService } from '../../contacts/service.ts';
import { accountPage, emailsOf, findAccount, type UserRow } from '../../identity/queries.ts';
import type { IdentityService } from '../../identity/service.ts';
import { openOrdersOf } from '../../orders/queries.ts';
import type { BookingsService } from '../../orders/service.ts';
import { appealPurpose } from '../feedback/service.ts';
import { answerEmail, suspendedEmail, unsuspendedEmail } from './rules/emails.ts';
import { rowsOf } from './rules/rows.ts';
import * as store from './store.ts';
import { viewAction, viewFeedback, viewReading, viewReport, viewUser } from './view.ts';

type InputTo<E extends { input: z.ZodType }> = z.output<E['input']>;

/** So long somebody who was suspended can say that it is wrong. */
const appealWithinMs = 90 * dayMs;

const periodsShown: Record<Period, number> = { day: 30, week: 26, month: 12 };

/** Why a person is not suspended by the rules: an admin, who is so already, or gone. */
const keptAsTheyAre = ['admin.notAdmins', 'admin.movedOn', 'admin.userNotFound'];

export type AdminService = ReturnType<typeof createAdmin>;

/** What the people who run the installation see and do. Every deed is logged in its own transaction. */
export function createAdmin(
  { db, transact, longRead, clock, outbox, realtime, env, signedTokens, log, audit }: Platform,
  features: { identity: IdentityService; bookings: BookingsService; contacts: ContactsService },
  timeZone: string,
) {
  const { identity, bookings, contacts } = features;
  const known = (ids: readonly (string | null)[]) =>
    identity.people([...new Set(ids.filter((id) => id !== null))]);

  async function userView(row: UserRow): Promise<ManagedUser> {
    const person = (await known([row.id])).get(row.id);
    if (person === undefined) throw userNotFound();
    return viewUser(row, person);
  }

  async function feedbackViews(rows: readonly store.FeedbackRow[]): Promise<FeedbackMessage[]> {
    const authorIds = rows.map(({ authorId }) => authorId).filter((id) => id !== null);
    const [people, emails] = await Promise.all([known(authorIds), emailsOf(db, authorIds)]);
    return rows.map((row) => viewFeedback(row, people, emails));
  }

  async function reportViews(rows: readonly ReportRow[]): Promise<PersonReport[]> {
    const subjectIds = rows.map(({ subjectId }) => subjectId);
    const [people, about] = await Promise.all([
      known([...subjectIds, ...rows.flatMap(({ reporterId }) => reporterId ?? [])]),
      countReportsAbout(db, subjectIds),
    ]);
    return rows.map((row) => viewReport(row, people, about));
  }

  async function suspend(adminId: string | null, id: string, reason: string): Promise<UserRow> {
    if (reason === '') throw refuseField('admin.reasonMissing', 'reason', 'Please enter a reason.');
    return transact(async (tx, afterCommit) => {
      const row = await identity.suspend(tx, id, clock.now(), reason);
      if (row === null) throw await whyNotSuspended(id);
      // Told first: the app asks again, learns why, and signs out by itself.
      afterCommit(() => realtime.tell([id], 'changed', { topic: 'profile', id, news: 'user.suspended' }));
      await identity.endAllSessions(tx, id, afterCommit);
      await audit.note(tx, { adminId, action: 'user.suspended', personId: id, note: reason });
      await outbox.emit(tx, 'user.suspended', { userId: id }, id);
      const code = await signedTokens.sign(appealPurpose, [id], later(clock.now(), appealWithinMs));
      const appealAt = `${env.publicUrl}/pages/feedback/appeal?code=${code}`;
      await outbox.post(tx, { to: row.email, ...suspendedEmail(row.language, { reason, appealAt }) });
      return row;
    });
  }

  async function unsuspend(adminId: string, id: string, reason: string): Promise<UserRow> {
    return transact(async (tx) => {
      const row = await identity.unsuspend(tx, id);
      if (row === null) throw (await findAccount(db, id)) === null ? userNotFound() : alreadySo();
      await audit.note(tx, { adminId, action: 'user.unsuspended', personId: id, note: reason });
      await outbox.post(tx, { to: row.email, ...unsuspendedEmail(row.language) });
      return row;
    });
  }

  async function whyNotSuspended(id: string): Promise<Refusal> {
    const row = await findAccount(db, id);
    if (row === null) return userNotFound();
    if (row.isAdmin)
      return new Refusal('admin.notAdmins', 'Admins cannot be suspended. Take the admin rights away first.');
    return alreadySo();
  }

  return {
    /** Figures by day, week or month of the region, and how things stand now. */
    async statistics(by: Period): Promise<Statistics> {
      return longRead(async (tx) => {
        const periods = await store.periodStarts(tx, {
          by,
          periods: periodsShown[by],
          timeZone,
          now: clock.now(),
        });
        const now = await store.standing(tx);
        const figures = await store.figures(tx, { by, from: periods[0] ?? '', timeZone });
        return { timeZone, now, rows: rowsOf(periods, figures) };
      });
    },

    /** People by name, e-mail or phone. */
    async users(
      adminId: string,
      input: InputTo<typeof calls.listUsers>,
    ): Promise<OutputOf<typeof calls.listUsers>> {
      const { rows, total } = await longRead((tx) => accountPage(tx, input));
      await audit.noteReading(
        adminId,
        'users',
        rows.map(({ id }) => id),
      );
      const people = await known(rows.map(({ id }) => id));
      const views = rows.flatMap((row) => {
        const person = people.get(row.id);
        return person === undefined ? [] : [viewUser(row, person)];
      });
      return { users: views, total };
    },

    /**
     * Suspends a person or lets them in again. Refuses `admin.reasonMissing`, `admin.userNotFound`,
     * `admin.notAdmins`, and `admin.movedOn` when another admin was faster.
     */
    async setSuspended(
      adminId: string,
      { id, suspended, reason }: InputTo<typeof calls.suspendUser>,
    ): Promise<ManagedUser> {
      return userView(await (suspended ? suspend(adminId, id, reason) : unsuspend(adminId, id, reason)));
    },

    /** Suspends a person by the rules alone; admins, and whoever is suspended already, stay as they are. */
    async suspendByHouse(id: string, reason: string): Promise<void> {
      try {
        await suspend(null, id, reason);
      } catch (error) {
        if (!(error instanceof Refusal) || !keptAsTheyAre.includes(error.reason)) throw error;
        log.info({ userId: id, reason: error.reason }, 'nobody is suspended by the rules');
      }
    },

    /** Takes back what a suspended person had planned, at no cost for them; what is under way goes on. */
    async takeBackOrders(userId: string): Promise<void> {
      if ((await findAccount(db, userId))?.suspendedAt === null) return;
      for (const { id: orderId } of await openOrdersOf(db, userId)) {
        try {
          await bookings.takeBack(userId, orderId, 'This trip cannot take place.');
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          log.warn({ userId, orderId, reason: error.reason }, 'an order of a suspended person stays');
        }
      }
    },

    async feedback(
      adminId: string,
      input: InputTo<typeof calls.listFeedback>,
    ): Promise<OutputOf<typeof calls.listFeedback>> {
      const { rows, total, open } = await store.feedbackPage(db, input);
      await audit.noteReading(
        adminId,
        'feedback',
        rows.map(({ authorId }) => authorId),
      );
      return { messages: await feedbackViews(rows), total, open };
    },

    /** Marks a message as read; one that is read stays so. Refuses `admin.feedbackNotFound`. */
    async readFeedback(adminId: string, id: string): Promise<FeedbackMessage> {
      const row = await transact(async (tx) => {
        const marked = await store.markRead(tx, id, clock.now());
        if (marked === null) return store.findFeedback(tx, id);
        const { authorId } = marked;
        await audit.note(tx, { adminId, action: 'feedback.read', personId: authorId, thingId: id });
        return marked;
      });
      return only(await feedbackViews(row === null ? [] : [row]), feedbackNotFound);
    },

    /** Answers a message by mail. Refuses `admin.feedbackNotFound`, `admin.noAuthor`, `admin.movedOn` when it has an answer. */
    async answerFeedback(adminId: string, id: string, answer: string): Promise<FeedbackMessage> {
      const row = await transact(async (tx) => {
        const answered = await store.keepAnswer(tx, id, answer, clock.now());
        if (answered === null)
          throw (await store.findFeedback(db, id)) === null ? feedbackNotFound() : alreadySo();
        const { authorId } = answered;
        const details =
          authorId === null ? undefined : (await identity.contactDetails([authorId])).get(authorId);
        if (details === undefined)
          throw new Refusal('admin.noAuthor', 'The author’s account is gone, so nobody can be answered.');
        await audit.note(tx, {
          adminId,
          action: 'feedback.answered',
          personId: authorId,
          thingId: id,
          note: answer,
        });
        await outbox.post(tx, { to: details.email, ...answerEmail(details.language, answered) });
        return answered;
      });
      return only(await feedbackViews([row]), feedbackNotFound);
    },

    async reports(
      adminId: string,
      input: InputTo<typeof calls.listReports>,
    ): Promise<OutputOf<typeof calls.listReports>> {
      const { rows, total, open } = await reportPage(db, input);
      await audit.noteReading(
        adminId,
        'reports',
        rows.flatMap(({ subjectId, reporterId }) => [subjectId, reporterId]),
      );
      return { reports: await reportViews(rows), total, open };
    },

    /** Closes a report. Refuses `admin.reportNotFound`, and `admin.movedOn` when another admin has closed it. */
    async handleReport(adminId: string, id: string, outcome: string): Promise<PersonReport> {
      const row = await transact(async (tx) => {
        const handled = { handledAt: clock.now(), handledById: adminId, outcome };
        const closed = await contacts.closeReport(tx, id, handled);
        if (closed === null) throw (await findReport(db, id)) === null ? reportNotFound() : alreadySo();
        const { subjectId } = closed;
        await audit.note(tx, {
          adminId,
          action: 'report.handled',
          personId: subjectId,
          thingId: id,
          note: outcome,
        });
        return closed;
      });
      return only(await reportViews([row]), reportNotFound);
    },

    /** Who did what, the newest first. */
    async audit(page: { offset: number; size: number }): Promise<OutputOf<typeof calls.listAudit>> {
      const { rows, total } = await audit.page(page);
      const people = await known(rows.flatMap(({ adminId, personId }) => [adminId, personId]));
      return { entries: rows.map((row) => viewAction(row, people)), total };
    },

    /** Who has read of whom, the newest first. */
    async readings(page: { offset: number; size: number }): Promise<OutputOf<typeof calls.listReadings>> {
      const { rows, total } = await audit.readings(page);
      const people = await known(rows.flatMap(({ adminId, personIds }) => [adminId, ...personIds]));
      return { entries: rows.map((row) => viewReading(row, people)), total };
    },

    securityFigures: audit.securityFigures,
  };
}

function only<T>([first]: readonly T[], missing: () => Refusal): T {
  if (first === undefined) throw missing();
  return first;
}

const userNotFound = () => notFound('admin.userNotFound', 'This person could not be found.');
const feedbackNotFound = () => notFound('admin.feedbackNotFound', 'This message could not be found.');
const reportNotFound = () => notFound('admin.reportNotFound', 'This report could not be found.');
const alreadySo = () => movedOn('admin.movedOn', 'Another admin has done this already.');
