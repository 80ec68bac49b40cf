import { randomUUID } from 'node:crypto';
import type { App } from '../../../app-type.ts';
import { Refusal } from '../../../platform/refusal.ts';
import * as store from './store.ts';

/** Purpose of the signed tokens in emails to suspended people, who cannot sign in. */
export const appealPurpose = 'appeal';
/** Counted in the command, per person: only the code identifies them. */
const appealTries = { most: 3, withinSeconds: 86_400 };

/** Stores a message. */
export async function writeFeedback(
  { clock, transact }: App,
  authorId: string,
  message: { subject: string; message: string },
): Promise<{ id: string }> {
  const id = randomUUID();
  const row = { id, authorId, ...message, createdAt: clock.now() };
  await transact('write feedback', (tx) => store.insertFeedback(tx, row));
  return { id };
}

/**
 * Stores a suspended person's appeal. Refuses `feedback.appealOver` for an invalid or expired code, and
 * more than three a day.
 */
export async function writeAppeal(
  { signedTokens, tries, clock, transact }: App,
  { code, message }: { code: string; message: string },
): Promise<{ id: string }> {
  const authorId = (await signedTokens.verify(appealPurpose, code))?.[0];
  if (authorId === undefined) throw new Refusal('feedback.appealOver', 'This link no longer works.');
  await tries.count(`appeal:${authorId}`, appealTries);
  const id = randomUUID();
  const row = { id, authorId, subject: 'Appeal 申诉', message, createdAt: clock.now() };
  await transact('write appeal', (tx) => store.insertFeedback(tx, row));
  return { id };
}
