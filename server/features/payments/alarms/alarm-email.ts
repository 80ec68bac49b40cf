import type { PaymentAlarmKind } from '#contract/payments/views.ts';
import { button, paragraph, type EmailContent } from '../../../platform/messages/email-blocks.ts';
import { translate, type Language } from '../../../platform/messages/translate.ts';

/** Tells an admin that something about money waits for them. */
export function alarmEmail(
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
