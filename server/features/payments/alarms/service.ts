import { randomUUID } from 'node:crypto';
import type { PaymentAlarmKind } from '#contract/payments/views.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { Db } from '../../../platform/database/db.ts';
import { staffWith } from '../../identity/queries.ts';
import { alarmEmail } from './alarm-email.ts';
import * as store from './store.ts';

export type Alarms = ReturnType<typeof createAlarms>;

export interface Alarm {
  kind: PaymentAlarmKind;
  /** The authorization, chargeback or warning it is about; empty for the installation. */
  about: string;
  detail: string;
}

const adminPage = '/pages/admin/admin?view=money';

/**
 * What about money an admin must see to: it stands in the admin area until it is over, and is told by email
 * once.
 */
export function createAlarms({ db, transact, clock, outbox, env, log }: Platform) {
  /** Heard outside of a transaction; written with the next round of the clock. */
  const heard = new Map<string, Alarm>();

  async function raise(tx: Db, alarm: Alarm): Promise<void> {
    const isNew = await store.raise(tx, { ...alarm, id: randomUUID(), firstAt: clock.now() });
    log.error({ alarm: alarm.kind, about: alarm.about }, 'money needs an admin');
    if (!isNew) return;
    const letter = { kind: alarm.kind, detail: alarm.detail, page: `${env.publicUrl}${adminPage}` };
    for (const { email, language } of await staffWith(tx, 'money.settle'))
      await outbox.post(tx, { to: email, ...alarmEmail(language, letter) });
  }

  return {
    raise,

    /** Raises an alarm from where no transaction may begin; it is written within a second. */
    note(alarm: Alarm): void {
      heard.set(`${alarm.kind} ${alarm.about}`, alarm);
    },

    /** By the clock: writes what was noted. */
    async writeNoted(): Promise<void> {
      const noted = [...heard.values()];
      heard.clear();
      for (const alarm of noted) await transact((tx) => raise(tx, alarm));
    },

    /** What it was about is over by itself. */
    isOver: (tx: Db, of: Pick<Alarm, 'kind' | 'about'>): Promise<void> => store.endOf(tx, of, clock.now()),

    end: (tx: Db, id: string, adminId: string) =>
      store.end(tx, id, { endedAt: clock.now(), endedById: adminId }),
    open: () => store.open(db),
  };
}
