import { useEffect, useState } from 'react';
import { readAlert, type Alert } from '#contract/alerts/endpoints.ts';
import { useAction } from '../../core/queries.ts';

/**
 * Tells the server that the hits shown have been seen, and still says which were new when this screen first
 * showed them.
 */
export function useReadAlerts(alerts: readonly Alert[]): (orderId: string) => boolean {
  const { ask } = useAction(readAlert, { invalidates: ['/alert/'], onRefused: () => true });
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const unread = alerts.flatMap(({ hits }) => hits.filter((hit) => hit.unread).map(({ order }) => order.id));
  const unreadIds = unread.join(' ');
  const alertIds = alerts
    .filter((alert) => alert.unread > 0)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (alertIds === '') return;
    setFresh((before) => new Set([...before, ...unreadIds.split(' ')]));
    void (async () => {
      for (const id of alertIds.split(' ')) await ask({ id });
    })();
    // `ask` is a new function at every drawing; what is to be read changes with the ids alone.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [alertIds, unreadIds]);
  return (orderId) => fresh.has(orderId) || unread.includes(orderId);
}
