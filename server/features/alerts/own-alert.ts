import type { Alert } from '#contract/alerts/endpoints.ts';
import type { App } from '../../app-type.ts';
import { notFound } from '../../platform/refusal.ts';
import type { AlertInput } from './check-alert.ts';
import { listAlerts } from './list-alerts.ts';
import { saveAlert } from './save-alert.ts';
import * as store from './store.ts';

const noAlert = () => notFound('alert.notFound', 'We couldn’t find this alert.');

/** Saves an alert. Refusals name the field under `alert.`; nothing is stored then. */
export async function createAlert(app: App, ownerId: string, input: AlertInput): Promise<Alert> {
  const { id } = await saveAlert(app, ownerId, input);
  const alert = (await listAlerts(app, ownerId)).alerts.find((each) => each.id === id);
  if (alert === undefined) throw noAlert();
  return alert;
}

/** Marks the hits of one's alert as seen. Refuses `alert.notFound`. */
export async function readAlert(
  { db, transact, clock, outbox }: App,
  id: string,
  ownerId: string,
): Promise<void> {
  const alert = await store.alertById(db, id);
  if (alert?.ownerId !== ownerId) throw noAlert();
  await transact('read alert', async (tx) => {
    await store.markRead(tx, id, clock.now());
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: null });
  });
}

/** Deletes one's alert and its hits. Refuses `alert.notFound`. */
export async function deleteAlert({ transact, outbox }: App, id: string, ownerId: string): Promise<void> {
  await transact('delete alert', async (tx) => {
    if (!(await store.deleteAlert(tx, id, ownerId))) throw noAlert();
    await outbox.emit(tx, 'alert.deleted', { alertId: id, ownerId }, id);
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: null });
  });
}
