import type { z } from 'zod';
import type { FeedbackMessage, listFeedback as listCall } from '#contract/admin/endpoints.ts';
import type { OutputOf } from '#contract/define.ts';
import { notFound, Refusal } from '../../../platform/refusal.ts';
import { markRead, type FeedbackRow } from '../feedback/store.ts';
import { alreadySo, only, peopleOf, type AdminContext } from './context.ts';
import { answerEmail, ticketAt } from './rules/emails.ts';
import * as store from './store.ts';
import { viewFeedback } from './view.ts';
import { emailsOf } from '../../identity/queries.ts';
import { contactDetailsOf } from '../../identity/service.ts';

const feedbackNotFound = () => notFound('admin.feedbackNotFound', 'We couldn’t find this message.');

/** Messages to the operator. Logs that the admin read them. */
export async function listFeedback(
  context: AdminContext,
  adminId: string,
  input: z.output<typeof listCall.input>,
): Promise<OutputOf<typeof listCall>> {
  const { db, audit } = context.platform;
  const { rows, total, open } = await store.feedbackPage(db, input);
  await audit.noteReading(
    adminId,
    'feedback',
    rows.map(({ authorId }) => authorId),
  );
  return { messages: await viewMessages(context, rows), total, open };
}

/** Marks a message as read, if it is not yet. Refuses `admin.feedbackNotFound`. */
export async function readFeedback(
  context: AdminContext,
  adminId: string,
  id: string,
): Promise<FeedbackMessage> {
  const { transact, audit, clock } = context.platform;
  const row = await transact(async (tx) => {
    const marked = await markRead(tx, id, clock.now());
    if (marked === null) return store.findFeedback(tx, id);
    const { authorId } = marked;
    await audit.note(tx, { adminId, action: 'feedback.read', personId: authorId, thingId: id });
    return marked;
  });
  return only(await viewMessages(context, row === null ? [] : [row]), feedbackNotFound);
}

/**
 * Answers a message by email. Refuses `admin.feedbackNotFound`, `admin.noAuthor`, `admin.movedOn` when it has
 * an answer.
 */
export async function answerFeedback(
  context: AdminContext,
  adminId: string,
  id: string,
  answer: string,
): Promise<FeedbackMessage> {
  const { platform } = context;
  const { db, transact, audit, outbox, clock, env } = platform;
  const row = await transact(async (tx) => {
    const answered = await store.keepAnswer(tx, id, answer, clock.now());
    if (answered === null)
      throw (await store.findFeedback(db, id)) === null ? feedbackNotFound() : alreadySo();
    const { authorId } = answered;
    const details =
      authorId === null ? undefined : (await contactDetailsOf(platform, [authorId])).get(authorId);
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
  return only(await viewMessages(context, [row]), feedbackNotFound);
}

async function viewMessages(context: AdminContext, rows: readonly FeedbackRow[]): Promise<FeedbackMessage[]> {
  const authorIds = rows.map(({ authorId }) => authorId).filter((id) => id !== null);
  const [people, emails] = await Promise.all([
    peopleOf(context, authorIds),
    emailsOf(context.platform.db, authorIds),
  ]);
  return rows.map((row) => viewFeedback(row, people, emails));
}
