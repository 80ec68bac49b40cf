import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { reportedLinesAround, type reportMessage as call } from '#contract/tickets/endpoints.ts';
import type { App } from '../../app-type.ts';
import { movedOn, notFound } from '../../platform/refusal.ts';
import type { ReportedLine } from '../contacts/queries.ts';
import { keepReport } from '../contacts/service.ts';
import { ownRoom } from './rooms.ts';
import * as store from './store.ts';

/**
 * Reports a message to the team, with what people wrote around it. Refuses `room.notFound`,
 * `message.notFound` also for one's own and for one whose writer is gone, and `message.reported` where this
 * person has reported it before.
 */
export async function reportMessage(
  app: App,
  reporterId: string,
  { roomid, seq, reason, words }: z.output<typeof call.input>,
): Promise<void> {
  const { db, transact, clock } = app;
  const room = await ownRoom(app, roomid, reporterId);
  const around = await store.saidAround(db, room.id, seq, reportedLinesAround);
  const subjectId = around.find((line) => line.seq === seq)?.senderId ?? null;
  if (subjectId === null || subjectId === reporterId)
    throw notFound('message.notFound', 'We couldn’t find this message.');
  await transact('report message', async (tx) => {
    const isNew = await keepReport(app, tx, {
      id: randomUUID(),
      reporterId,
      subjectId,
      reason,
      words,
      roomId: room.id,
      messageSeq: seq,
      lines: around.map((line) => keptLine(line, seq)),
      createdAt: clock.now(),
    });
    if (!isNew) throw movedOn('message.reported', 'You already reported this message.');
  });
}

/** A line as the report keeps it: of a place what it is called, not where it is on the map. */
const keptLine = (
  { seq, senderId, kind, text, place, pictureId, at }: store.SaidRow,
  reportedSeq: number,
): ReportedLine => ({
  seq,
  isReported: seq === reportedSeq,
  senderId,
  kind,
  text: place === null ? text : [place.name, place.detail].filter(Boolean).join(', '),
  pictureId,
  at,
});
