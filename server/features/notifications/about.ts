import type { App } from '../../app-type.ts';
import type { Db } from '../../platform/database/db.ts';
import { peopleByIds } from '../identity/service.ts';
import type { NewsFacts } from './rules/notification-texts.ts';
import type { NewsRow } from './store.ts';

/** A notification for one person. */
export interface About {
  /** Each source notifies a person once. */
  source: string;
  /** On a device, a notification replaces an earlier one about the same thing. */
  thing: string;
  otherId: string | null;
  facts: NewsFacts;
  path: string;
  /** When it becomes useless: it is sent during quiet hours rather than after this. */
  tooLateAt?: Date;
  /** After this nothing is sent, however late the server or the queue is: it is only shown in the app. */
  goodUntil?: Date;
  /** It is updated while unread, and sent to the device again. */
  grows?: boolean;
  /** It replaces its source's earlier notification: as new, or as read for the person who caused it. */
  replaces?: 'asNew' | 'asRead';
  /** How long an email waits that is sent regardless of choices. */
  emailsAfterMs?: number;
}

/** The names of the people whom notifications are about, by id. */
export async function namesOf(
  app: App,
  rows: readonly NewsRow[],
  db: Db = app.db,
): Promise<Map<string | null, string>> {
  const otherIds = new Set(rows.flatMap(({ otherId }) => otherId ?? []));
  const people = await peopleByIds(app, [...otherIds], db);
  return new Map([...people].map(([id, { name }]) => [id, name]));
}
