import type { z } from 'zod';
import type { FeedbackMessage, listFeedback as listCall } from '#contract/admin/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import type { App } from '../../../app-type.ts';
import { notFound, Refusal } from '../../../platform/refusal.ts';
import { emailsOf } from '../../identity/queries.ts';
import { contactDetailsOf } from '../../identity/service.ts';
import { markRead, type FeedbackRow } from '../feedback/store.ts';
import { alreadySo, only, peopleOf, viewFeedback } from './view.ts';
import { answerEmail, ticketAt } from './rules/emails.ts';
import * as store from './store.ts';

const feedbackNotFound = () => notFound('admin.feedbackNotFound', 'We couldn’t find this message.');

/** Messages to the operator. Logs that the admin read them. */
export async function listFeedback(
  app: App,
  adminId: string,
  input: z.output<typeof listCall.input>,
): Promise<OutputOf<typeof listCall>> {
  const { db, audit } = app;
  const { rows, total, open } = await store.feedbackPage(db, input);
  await audit.noteReading(
    adminId,
    'feedback',
    rows.map(({ authorId }) => authorId),
  );
  return { messages: await viewMessages(app, rows), total, open };
}

/** Marks a message as read, if it is not yet. Refuses `admin.feedbackNotFound`. */
export async function readFeedback(app: App, adminId: string, id: string): Promise<FeedbackMessage> {
  const { transact, audit, clock } = app;
  const row = await transact('read feedback', async (tx) => {
    const marked = await markRead(tx, id, clock.now());
    if (marked === null) return store.findFeedback(tx, id);
    const { authorId } = marked;
    await audit.note(tx, { adminId, action: 'feedback.read', personId: authorId, thingId: id });
    return marked;
  });
  return only(await viewMessages(app, row === null ? [] : [row]), feedbackNotFound);
}

/**
 * Answers a message by email. Refuses `admin.feedbackNotFound`, `admin.noAuthor`, `admin.movedOn` when it has
 * an answer.
 */
export async function answerFeedback(
  app: App,
  adminId: string,
  id: string,
  answer: string,
): Promise<FeedbackMessage> {
  const { transact, audit, outbox, clock, env } = app;
  const row = await transact('answer feedback', async (tx) => {
    const answered = await store.keepAnswer(tx, id, answer, clock.now());
    if (answered === null)
      throw (await store.findFeedback(tx, id)) === null ? feedbackNotFound() : alreadySo();
    const { authorId } = answered;
    const details =
      authorId === null ? undefined : (await contactDetailsOf(app, [authorId], tx)).get(authorId);
    if (details === undefined)
      throw new Refusal('admin.noAuthor', 'The author deleted their account, so you can’t answer.');
    await audit.note(tx, {
      adminId,
      action: 'feedback.answered',
      personId: authorId,
      thingId: id,
      note: answer,
    });
    await outbox.post(tx, {
      to: details.email,
      ...answerEmail(details.language, { ...answered, link: ticketAt(env.publicUrl, id) }),
    });
    return answered;
  });
  return only(await viewMessages(app, [row]), feedbackNotFound);
}

async function viewMessages(app: App, rows: readonly FeedbackRow[]): Promise<FeedbackMessage[]> {
  const authorIds = rows.map(({ authorId }) => authorId).filter((id) => id !== null);
  const [people, emails] = await Promise.all([peopleOf(app, authorIds), emailsOf(app.db, authorIds)]);
  return rows.map((row) => viewFeedback(row, people, emails));
}
