import { Scale } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listDisputes, type AdminDispute } from '#contract/payments/endpoints.ts';
import { disputeStates } from '#contract/payments/views.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button, TextButton } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/inputs.tsx';
import { Card, EmptyState } from '../../ui/surfaces.tsx';
import { DecideClaimDialog } from './decide-claim.tsx';
import { Reconciliation } from './reconciliation.tsx';

const filters = ['all', ...disputeStates] as const;
type Filter = (typeof filters)[number];

/**
 * Claims about payments: both sides, the money, and the decision; and whether our books agree with the
 * provider's.
 */
export function Claims({ onShowUser }: { onShowUser: (name: string) => void }) {
  const { t } = useTranslation('admin');
  const [state, setState] = useState<Filter>('all');
  const [deciding, setDeciding] = useState<AdminDispute | null>(null);
  const pages = usePaginatedCall(
    listDisputes,
    { state },
    { items: ({ disputes }) => disputes, total: ({ total }) => total },
  );
  return (
    <div className="flex flex-col gap-5">
      <Reconciliation of={pages.first?.reconciliation} />
      <Field label={t('disputes.filter')} className="lg:max-w-80">
        <Select
          value={state}
          options={filters.map((value) => ({ value, label: t(`disputes.${value}`) }))}
          onChange={({ target: { value } }) => setState(filters.find((each) => each === value) ?? 'all')}
        />
      </Field>
      <PaginatedList
        pages={pages}
        empty={<EmptyState icon={<Scale />} title={t('disputes.none')} text={t('disputes.noneText')} />}
      >
        {(disputes) => (
          <ul className="flex flex-col gap-3">
            {disputes.map((dispute) => (
              <li key={dispute.id}>
                <ClaimCard dispute={dispute} onShowUser={onShowUser} onDecide={() => setDeciding(dispute)} />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
      {deciding !== null && (
        <DecideClaimDialog key={deciding.id} dispute={deciding} onClose={() => setDeciding(null)} />
      )}
    </div>
  );
}

function ClaimCard({
  dispute,
  onShowUser,
  onDecide,
}: {
  dispute: AdminDispute;
  onShowUser: (name: string) => void;
  onDecide: () => void;
}) {
  const { t } = useTranslation(['admin', 'payments']);
  const format = useFormat();
  const { payment, passenger, driver, state, timeZone } = dispute;
  const amounts = [
    ['held', payment.authorizedCents],
    ['owed', payment.owedCents],
    ['taken', payment.capturedCents],
    ['refunded', payment.refundedCents],
  ] as const;
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="figures text-lead">{dispute.orderNumber}</h2>
          <p className="text-body text-ink-2">
            {dispute.from} → {dispute.to}
          </p>
          <p className="figures text-small text-ink-3">{format.when(dispute.rideAt, timeZone)}</p>
        </div>
        <StateChip tone={state === 'resolved' ? 'neutral' : 'warn'} icon={<Scale aria-hidden />}>
          {t(`admin:disputes.state.${state}`)}
        </StateChip>
      </div>
      <p className="text-small text-ink-2">
        {[
          t(`payments:kind.${payment.kind}`),
          t(`payments:state.${payment.state}`),
          ...amounts
            .filter(([, amountCents]) => amountCents > 0)
            .map(([word, amountCents]) => `${t(`admin:disputes.${word}`)} ${format.money(amountCents)}`),
        ].join(' · ')}
      </p>
      <BothSides dispute={dispute} />
      <div className="flex flex-wrap items-center gap-3">
        {state !== 'resolved' && (
          <Button small onClick={onDecide}>
            {t('admin:disputes.decide')}
          </Button>
        )}
        {[passenger, driver].map(
          (person) =>
            person !== null && (
              <TextButton key={person.id} onClick={() => onShowUser(person.name)}>
                {person.name}
              </TextButton>
            ),
        )}
      </div>
    </Card>
  );
}

/** What the passenger says, what the driver answers, and what was decided. */
function BothSides({ dispute }: { dispute: AdminDispute }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { passenger, driver, state } = dispute;
  return (
    <>
      <Said
        by={t('disputes.passengerSays', {
          name: passenger?.name ?? t('gone'),
          when: format.relative(dispute.openedAt),
        })}
        words={dispute.text}
      />
      {dispute.answeredAt === null ? (
        <p className="text-body text-ink-3">{t('disputes.noAnswer')}</p>
      ) : (
        <Said
          by={t('disputes.driverSays', {
            name: driver?.name ?? t('gone'),
            when: format.relative(dispute.answeredAt),
          })}
          words={dispute.answer}
        />
      )}
      {state === 'resolved' && (
        <Said
          by={t('disputes.decision', { amount: format.money(dispute.refundCents ?? 0) })}
          words={dispute.decision}
        />
      )}
    </>
  );
}

function Said({ by, words }: { by: string; words: string }) {
  return (
    <blockquote className="rounded-control bg-page px-4 py-3 text-body break-words whitespace-pre-wrap">
      <span className="block text-small text-ink-3">{by}</span>
      {words}
    </blockquote>
  );
}
