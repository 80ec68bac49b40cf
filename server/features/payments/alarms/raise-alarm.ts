import { randomUUID } from 'node:crypto';
import type { PaymentAlarmKind } from '#contract/payments/views.ts';
import type { App } from '../../../app-type.ts';
import type { Db } from '../../../platform/database/db.ts';
import { button, paragraph, type EmailContent } from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';
import { staffWith } from '../../identity/queries.ts';
import type { Alarm } from './store.ts';
import * as store from './store.ts';

const adminPage = '/pages/admin/admin?view=money';

/**
 * Raises an alarm about money that an admin must handle, in the caller's transaction: the admin area shows it
 * until it is over, and admins get one email.
 */
export async function raiseAlarm({ clock, outbox, env, log }: App, tx: Db, alarm: Alarm): Promise<void> {
  const isNew = await store.raise(tx, { ...alarm, id: randomUUID(), firstAt: clock.now() });
  log.error({ alarm: alarm.kind, about: alarm.about }, 'money needs an admin');
  if (!isNew) return;
  const letter = { kind: alarm.kind, detail: alarm.detail, page: `${env.publicUrl}${adminPage}` };
  for (const { email, language } of await staffWith(tx, 'money.settle'))
    await outbox.post(tx, { to: email, ...alarmEmail(language, letter) });
}

/** Writes the alarms that were noted. */
export async function writeNotedAlarms(app: App): Promise<void> {
  const { noted } = app.payments;
  const alarms = [...noted.values()];
  noted.clear();
  for (const alarm of alarms) await app.transact('write noted alarms', (tx) => raiseAlarm(app, tx, alarm));
}

/** Ends the alarms about what is over by itself, in the caller's transaction. */
export const alarmIsOver = ({ clock }: App, tx: Db, of: Pick<Alarm, 'kind' | 'about'>): Promise<void> =>
  store.endOf(tx, of, clock.now());

/** An admin ends an alarm, in the caller's transaction; null where it is over already. */
export const endAlarmById = ({ clock }: App, tx: Db, id: string, adminId: string) =>
  store.end(tx, id, { endedAt: clock.now(), endedById: adminId });

/** Tells an admin that something about money waits for them. */
function alarmEmail(
  language: Language,
  { kind, detail, page }: { kind: PaymentAlarmKind; detail: string; page: string },
): EmailContent {
  const t = translate(language);
  const what = t(`paymentAlarm.what.${kind}`);
  return {
    language,
    subject: t('paymentAlarm.subject'),
    preview: what,
    blocks: [
      paragraph(what),
      ...(detail === '' ? [] : [paragraph(detail)]),
      paragraph(t('paymentAlarm.where')),
      button(t('paymentAlarm.button'), page),
    ],
  };
}
