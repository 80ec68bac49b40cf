import type { PaymentAlarmKind } from '#contract/payments/views.ts';
import type { Email } from '../../../platform/messages/email.ts';

type Language = 'en' | 'zh';

const en: Record<PaymentAlarmKind, string> = {
  apiKey: 'The card provider refuses the secret key. No card can be charged until it is replaced.',
  permission: 'The card provider’s key may not do something that card payments need.',
  idempotency: 'The card provider has been asked twice with one key for different things.',
  refundRefused: 'The card provider refuses a refund that is due.',
  transferRefused: 'The card provider refuses a transfer that belongs to a chargeback.',
  chargeback: 'A bank has taken a payment back. Evidence can be sent in until the date that is shown.',
  fraudWarning: 'A bank warns that a payment may not have been meant by the card’s holder.',
  books: 'The ledger and the card provider’s balance differ.',
};

const zh: Record<PaymentAlarmKind, string> = {
  apiKey: '支付服务商拒绝了密钥。更换密钥之前无法刷卡收款。',
  permission: '支付服务商的密钥缺少刷卡收款所需的权限。',
  idempotency: '同一个幂等键被用于两个不同的请求，支付服务商已拒绝。',
  refundRefused: '支付服务商拒绝了一笔应退的款项。',
  transferRefused: '支付服务商拒绝了与拒付有关的一笔转账。',
  chargeback: '银行撤回了一笔付款。请在所示日期前提交证据。',
  fraudWarning: '银行提示一笔付款可能不是持卡人本人所为。',
  books: '账本与支付服务商的余额不一致。',
};

/** Tells an admin that something about money waits for them. */
export const alarmEmail = (
  language: Language,
  { kind, detail, page }: { kind: PaymentAlarmKind; detail: string; page: string },
): Omit<Email, 'to'> => {
  const [subject, what, where] =
    language === 'zh'
      ? ['顺路：付款需要处理', zh[kind], '请在此查看：']
      : ['Sameway: a payment needs an admin', en[kind], 'See to it here:'];
  return { subject, text: `${[what, ...(detail === '' ? [] : [detail]), where, page].join('\n\n')}\n` };
};
