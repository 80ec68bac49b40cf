import type { App } from '../../app-type.ts';
import { MovableClock } from '../../platform/clock.ts';
import { refuseField } from '../../platform/refusal.ts';
import * as store from './store.ts';

/**
 * Moves the clock forward to an instant, or back to the real time (null); the offset survives a restart, and
 * all open pages are notified. Refuses `clock.backwards`.
 */
export async function moveClock(
  { clock, transact, realtime }: App,
  to: Date | null,
): Promise<{ now: string }> {
  if (!(clock instanceof MovableClock)) throw new Error('The demo runs on a movable clock.');
  if (to !== null && to < clock.now())
    throw refuseField('clock.backwards', 'to', 'Demo time only moves forward.');
  await transact('move clock', (tx) =>
    store.keepClockOffset(tx, to === null ? 0 : to.getTime() - Date.now()),
  );
  clock.moveTo(to);
  const now = clock.now().toISOString();
  realtime.tellEveryone('clock', { now });
  return { now };
}
