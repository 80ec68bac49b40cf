import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  mostCannedAnswers,
  type CannedAnswer,
  type saveCannedAnswer as saveCall,
} from '#contract/tickets/endpoints.ts';
import type { CommandPlatform } from '../../../platform/command-platform.ts';
import { notFound, Refusal } from '../../../platform/refusal.ts';
import * as store from './store.ts';

const answerNotFound = () => notFound('answer.notFound', 'We couldn’t find this answer.');

export const listCannedAnswers = async ({ db }: Pick<CommandPlatform, 'db'>): Promise<CannedAnswer[]> =>
  (await store.allAnswers(db)).map(viewAnswer);

/**
 * Keeps a new answer, or changes one. Refuses `answer.notFound` and, with a hundred, `answer.tooMany`.
 * @param writerId null for the command line
 */
export const saveCannedAnswer = (
  { transact, clock, audit }: Pick<CommandPlatform, 'transact' | 'clock' | 'audit'>,
  writerId: string | null,
  { id, ...words }: z.output<(typeof saveCall)['input']>,
): Promise<CannedAnswer> =>
  transact('save canned answer', async (tx) => {
    const row = { id: id ?? randomUUID(), ...words, writerId, updatedAt: clock.now() };
    if (id === null) {
      if ((await store.holdAnswers(tx)) >= mostCannedAnswers)
        throw new Refusal('answer.tooMany', `You can keep up to ${mostCannedAnswers} answers.`);
      await store.insertAnswer(tx, row);
    } else if (!(await store.updateAnswer(tx, row))) throw answerNotFound();
    const deed = { adminId: writerId, personId: null, thingId: row.id, note: row.title };
    await audit.note(tx, { ...deed, action: 'answer.saved' });
    return viewAnswer(row);
  });

/** Removes one. Refuses `answer.notFound`. */
export const removeCannedAnswer = (
  { transact, audit }: Pick<CommandPlatform, 'transact' | 'audit'>,
  adminId: string | null,
  id: string,
): Promise<void> =>
  transact('remove canned answer', async (tx) => {
    const row = await store.deleteAnswer(tx, id);
    if (row === null) throw answerNotFound();
    const deed = { adminId, personId: null, thingId: id, note: row.title };
    await audit.note(tx, { ...deed, action: 'answer.deleted' });
  });

const viewAnswer = ({ id, title, text, language, updatedAt }: store.CannedAnswerRow): CannedAnswer => ({
  id,
  title,
  text,
  language,
  updatedAt: updatedAt.toISOString(),
});
