import { randomUUID } from 'node:crypto';
import type { reportPerson as reportCall } from '#contract/contacts/endpoints.ts';
import type { InputOf } from '#contract/define.ts';
import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { peopleByIds } from '../identity/service.ts';
import { signalMove } from './apply-for-contact.ts';
import type { ReportedLine } from './queries.ts';
import { personUnknown, yourself } from './policy.ts';
import * as store from './store.ts';

type NewReport = Parameters<typeof store.insertReport>[1] & { lines?: readonly ReportedLine[] };

/**
 * Stores a person's report about another person for the admins. Refuses `contact.self`, `contact.notFound`.
 */
export async function reportPerson(
  app: App,
  reporterId: string,
  input: Required<InputOf<typeof reportCall>>,
): Promise<void> {
  const { transact, clock } = app;
  const { id: subjectId, reason, words } = input;
  if (reporterId === subjectId) throw yourself();
  if (!(await peopleByIds(app, [subjectId])).has(subjectId)) throw personUnknown();
  const row = { id: randomUUID(), reporterId, subjectId, reason, words, createdAt: clock.now() };
  await transact('report person', (tx) => keepReport(app, tx, row));
}

/**
 * Stores a report of a person for the admins, in the caller's transaction; false if this person already
 * reported the review or the message.
 * @param lines the reported chat message and those around it
 */
export async function keepReport(
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Db,
  { lines = [], ...row }: NewReport,
): Promise<boolean> {
  const isNew = await store.insertReport(tx, row, lines);
  if (isNew) await outbox.emit(tx, 'report.filed', { reportId: row.id }, row.id);
  return isNew;
}

/**
 * Hides two people from each other: deletes the contact, its tags and all applications; the signal closes
 * open asks. Rides that both have joined continue. Refuses `contact.self`, `contact.notFound`.
 */
export async function blockPerson(app: App, blockerId: string, blockedId: string): Promise<void> {
  if (blockerId === blockedId) throw yourself();
  if (!(await peopleByIds(app, [blockedId])).has(blockedId)) throw personUnknown();
  await app.transact('block person', async (tx) => {
    await store.holdPair(tx, blockerId, blockedId);
    await store.insertBlock(tx, blockerId, blockedId, app.clock.now());
    await store.deletePair(tx, blockerId, blockedId);
    await store.forgetApplications(tx, blockerId, blockedId);
    await signalMove(app, tx, 'blocked', { actorId: blockerId, otherId: blockedId });
  });
}

/** Removes a block; the contact, its tags and applications stay deleted. Refuses `contact.notFound`. */
export async function unblockPerson(app: App, blockerId: string, blockedId: string): Promise<void> {
  await app.transact('unblock person', async (tx) => {
    await store.holdPair(tx, blockerId, blockedId);
    if (!(await store.deleteBlock(tx, blockerId, blockedId))) throw personUnknown();
    await signalMove(app, tx, 'ended', { actorId: blockerId, otherId: blockedId });
  });
}
