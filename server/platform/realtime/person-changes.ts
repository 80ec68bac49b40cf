import type { Pool } from 'pg';
import { keepConnection, type Heartbeat, type KeptConnection } from '../database/db.ts';
import type { Log } from '../observability/log.ts';

const channel = 'person_changed';
const tryAgainMs = 1000;

/**
 * Hears of people whose account or sessions have changed, in whatever process (a trigger notifies,
 * `notify_person_changed`).
 * @param onChange called with null when changes may have been missed, for any person.
 * @returns what ends it
 */
export function listenForChangedPeople(
  pool: Pool,
  { log, heartbeat }: { log: Log; heartbeat?: Heartbeat | undefined },
  onChange: (userId: string | null) => void,
): () => void {
  let listener: KeptConnection | null = null;
  let hasStopped = false;

  async function listen(): Promise<void> {
    if (hasStopped) return;
    let opened: KeptConnection | null = null;
    try {
      const onBroken = () => {
        if (listener === null) return;
        listener = null;
        again();
      };
      opened = await keepConnection(pool, 'sameway changes', onBroken, heartbeat);
      opened.client.on('notification', ({ payload }) => {
        if (payload !== undefined) onChange(payload);
      });
      await opened.client.query(`listen ${channel}`);
      if (hasStopped) opened.end();
      else listener = opened;
      onChange(null);
    } catch (error) {
      opened?.end();
      log.warn({ err: error }, 'changes of people cannot be heard');
      again();
    }
  }
  const again = () => setTimeout(() => void listen(), tryAgainMs).unref();
  void listen();

  return () => {
    hasStopped = true;
    listener?.client.removeAllListeners('notification');
    listener?.end();
    listener = null;
  };
}
