import type { App } from '../../app-type.ts';
import { postAlertEmails } from './alert-emails.ts';
import * as store from './store.ts';

/** Scheduled: sends emails that have waited for the hour to pass, and deletes alerts that are over. */
export async function catchUp(app: App): Promise<void> {
  const { db, transact, clock, outbox } = app;
  await postAlertEmails(app, await store.dueEmails(db, clock.now()));
  await transact('remove ended alerts', async (tx) => {
    const owners = await store.removeEnded(tx, clock.now());
    await outbox.tell(tx, [...new Set(owners)], { topic: 'alert', id: '', news: null });
  });
}
