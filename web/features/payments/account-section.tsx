import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { paymentAccount } from '#contract/payments/endpoints.ts';
import { useCall } from '../../core/queries.ts';
import { QueryView } from '../../core/query-view.tsx';
import { useFormat } from '../../core/use-format.ts';
import { buttonVariants } from '../../ui/button.tsx';
import { Card, List, ListRow, Section } from '../../ui/surfaces.tsx';
import { AccountChip, Missing } from './account-words.tsx';
import { OnboardButton } from './onboard-button.tsx';

type Account = OutputOf<typeof paymentAccount>;

/** Whether I can be paid, what is missing, and what is on its way to my bank. */
export function AccountSection() {
  const { t } = useTranslation('payments');
  const account = useCall(paymentAccount, {}, { quiet: true });
  return (
    <QueryView query={account} failed={t('account.failed')} skeleton={{ kind: 'cards', rows: 1 }}>
      {(data) => <AccountState account={data} />}
    </QueryView>
  );
}

function AccountState({ account: data }: { account: Account }) {
  const { t } = useTranslation('payments');
  return (
    <>
      <Section title={t('account.title')}>
        <Card className="flex flex-col gap-3">
          <div>
            <AccountChip state={data.state} />
          </div>
          <p className="text-body text-ink-2">{t(`account.text.${data.state}`)}</p>
          <Missing missing={data.missing} />
          {data.state === 'rejected' ? (
            <Link to="/pages/feedback/feedback" className={buttonVariants({ tone: 'quiet', full: true })}>
              {t('account.support')}
            </Link>
          ) : (
            <OnboardButton
              label={t(`account.action.${data.state}`)}
              tone={data.state === 'verified' ? 'quiet' : 'primary'}
            />
          )}
        </Card>
      </Section>
      {(data.state === 'verified' || data.payouts.length > 0) && <Balance account={data} />}
    </>
  );
}

const payoutStates = ['paid', 'pending', 'in_transit', 'canceled', 'failed'] as const;

function Balance({ account }: { account: Account }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const { balance, payouts } = account;
  return (
    <>
      <Section title={t('account.balance')}>
        {balance === null ? (
          <p className="text-body text-ink-2">{t('account.balanceAway')}</p>
        ) : (
          <Card>
            <dl className="grid grid-cols-2 gap-4">
              {(
                [
                  ['available', balance.availableCents],
                  ['pending', balance.pendingCents],
                ] as const
              ).map(([word, amountCents]) => (
                <div key={word} className="flex flex-col-reverse justify-end">
                  <dt className="text-small text-ink-3">{t(`account.${word}`)}</dt>
                  <dd className="figures text-heading font-semibold">{format.money(amountCents)}</dd>
                </div>
              ))}
            </dl>
          </Card>
        )}
      </Section>
      <Section title={t('payouts.title')}>
        {payouts.length === 0 ? (
          <p className="text-body text-ink-2">{t('payouts.none')}</p>
        ) : (
          <List label={t('payouts.title')}>
            {payouts.map(({ id, amountCents, state, arrivesAt }) => (
              <ListRow
                key={id}
                title={<span className="figures">{format.money(amountCents)}</span>}
                detail={t('payouts.arrives', { when: format.mediumDate(arrivesAt) })}
                trailing={t(`payouts.state.${payoutStates.find((each) => each === state) ?? 'pending'}`)}
              />
            ))}
          </List>
        )}
      </Section>
    </>
  );
}
