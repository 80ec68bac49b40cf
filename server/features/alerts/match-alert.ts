import type { RequestRow, RideRow } from '../orders/service.ts';
import { fitsOfRequest, fitsOfRide } from './alert-fits.ts';
import type { AlertsContext } from './context.ts';
import { hitOf } from './hits.ts';
import * as store from './store.ts';

/** Stores the existing orders that a new alert fits. No email is sent: the owner sees them on the page. */
export async function matchAlert(context: AlertsContext, alertId: string): Promise<void> {
  const { db, transact, clock, outbox } = context.platform;
  const alert = await store.alertById(db, alertId);
  if (alert === null) return;
  const hits = await hitsOf(context, alert, clock.now());
  if (hits.length === 0) return;
  await transact(async (tx) => {
    if (!(await store.holdAlerts(tx, [alertId])).has(alertId)) return;
    // The soonest last: inserted last, it is listed first.
    const fresh = await store.keepHits(
      tx,
      hits.toSorted((a, b) => b.pickupAt.getTime() - a.pickupAt.getTime()),
    );
    const { id, ownerId, role } = alert;
    // The order's own signal finds this hit stored, and would notify no owner.
    const isNews = fresh.has(id) && hits.some((hit) => hit.emailedAt === null);
    if (isNews) await outbox.emit(tx, 'alert.hit', { alertId: id, ownerId, role }, ownerId);
    await outbox.tell(tx, [ownerId], { topic: 'alert', id, news: isNews ? 'alert.hit' : null });
  });
}

/** The open orders that fit an alert now. */
async function hitsOf(
  { platform: { db }, matching }: AlertsContext,
  alert: store.AlertRow,
  now: Date,
): Promise<store.NewHit[]> {
  const hits: store.NewHit[] = [];
  // An order published since the alert may get here before its own signal does: that one is news.
  const emailedAt = ({ createdAt }: RideRow | RequestRow) => (createdAt <= alert.createdAt ? now : null);
  const readAlerts = async () => new Map([[alert.id, alert]]);
  if (alert.role === 'passenger') {
    for (const pairs of byOrder(await store.ridesForAlert(db, alert.id, now))) {
      const ride = pairs[0]!.order;
      for (const fit of await fitsOfRide(matching, ride, pairs.map(windowOf), readAlerts))
        hits.push({ ...hitOf(fit, now), rideId: ride.id, emailedAt: emailedAt(ride) });
    }
    return hits;
  }
  for (const pairs of byOrder(await store.requestsForAlert(db, alert.id, now))) {
    const request = pairs[0]!.order;
    for (const fit of await fitsOfRequest(matching, request, pairs.map(windowOf), readAlerts))
      hits.push({ ...hitOf(fit, now), requestId: request.id, emailedAt: emailedAt(request) });
  }
  return hits;
}

const windowOf = ({ alert, earliestAt, latestAt }: store.Pair<unknown>) => ({
  ...alert,
  alertId: alert.id,
  earliestAt,
  latestAt,
});

function byOrder<O extends { id: string }>(pairs: readonly store.Pair<O>[]): store.Pair<O>[][] {
  return [...Map.groupBy(pairs, ({ order }) => order.id).values()];
}
