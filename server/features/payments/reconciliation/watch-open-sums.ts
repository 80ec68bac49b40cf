import { money } from '#contract/formats/amounts.ts';
import type { App } from '../../../app-type.ts';
import { alarmIsOver, raiseAlarm } from '../alarms/raise-alarm.ts';
import { isToBeTold, openSumAfter, type OpenSum } from '../rules/open-sums.ts';
import type { BooksCompared } from '../state.ts';
import { lockOpenSums, saveOpenSums } from '../sums/store.ts';

/**
 * Notes since when payments and the provider's bookings differ, by account, and raises an alarm for an amount
 * that stays for longer than booking takes: once for each amount, so that one that an admin has handled is
 * not raised again. The alarm ends by itself where the two agree again.
 */
export async function watchOpenSums(app: App, openCents: BooksCompared['openCents']): Promise<void> {
  const now = app.clock.now();
  await app.transact(async (tx) => {
    const before = await lockOpenSums(tx, app.payments.provider.kind);
    const after: Record<string, OpenSum> = {};
    for (const [account, cents] of Object.entries(openCents)) {
      const alarm = { kind: 'openSum', about: account } as const;
      const open = openSumAfter(before[account], cents, now);
      if (open === null) await alarmIsOver(app, tx, alarm);
      else if (isToBeTold(open, now)) {
        const detail = `${account}: ${money(open.cents, 'en')}, ${open.since.slice(0, 10)}`;
        await raiseAlarm(app, tx, { ...alarm, detail });
        after[account] = { ...open, toldCents: open.cents };
      } else after[account] = open;
    }
    await saveOpenSums(tx, app.payments.provider.kind, after);
  });
}
