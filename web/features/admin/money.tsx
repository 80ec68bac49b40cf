import { BellRing, Landmark } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '#contract/define.ts';
import { answerChargeback, clearChargeback, endAlarm, listMoney } from '#contract/payments/endpoints.ts';
import type { Chargeback, FraudWarning, PaymentAlarm } from '#contract/payments/views.ts';
import { feedbackLength, reasonLength } from '#contract/units.ts';
import { errorWords } from '../../core/errors.ts';
import { PaginatedList } from '../../core/paginated-list.tsx';
import { useAction, usePaginatedCall } from '../../core/queries.ts';
import { useFormat } from '../../core/use-format.ts';
import { Button } from '../../ui/button.tsx';
import { StateChip } from '../../ui/chips.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/inputs.tsx';
import { Banner, Card, EmptyState, Section } from '../../ui/surfaces.tsx';
import { toast } from '../../ui/toasts.tsx';

/** What an admin writes before something is done about a payment. */
interface Writing {
  what: 'answer' | 'clear';
  id: string;
  start: string;
}

/**
 * What about money waits for an admin: alarms, chargebacks with what speaks for the ride, warnings, and
 * whether the books agree.
 */
export function Money({ timeZone }: { timeZone: string }) {
  const { t } = useTranslation('admin');
  const [writing, setWriting] = useState<Writing | null>(null);
  const pages = usePaginatedCall(
    listMoney,
    {},
    { items: (page) => page.chargebacks, total: ({ total }) => total },
  );
  const { alarms = [], warnings = [], books = null } = pages.first ?? {};
  return (
    <div className="flex flex-col gap-5">
      {books !== null && <Books books={books} />}
      {alarms.length > 0 && (
        <Section title={t('money.alarms')}>
          <ul className="flex flex-col gap-3">
            {alarms.map((alarm) => (
              <li key={alarm.id}>
                <AlarmCard alarm={alarm} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {warnings.length > 0 && (
        <Section title={t('money.warnings')}>
          <ul className="flex flex-col gap-3">
            {warnings.map((warning) => (
              <li key={warning.id}>
                <WarningCard warning={warning} onClear={() => setWriting(clearing(warning.id))} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <PaginatedList
        pages={pages}
        empty={<EmptyState icon={<Landmark />} title={t('money.none')} text={t('money.noneText')} />}
      >
        {(chargebacks) => (
          <ul className="flex flex-col gap-3">
            {chargebacks.map((chargeback) => (
              <li key={chargeback.id}>
                <ChargebackCard chargeback={chargeback} timeZone={timeZone} onWrite={setWriting} />
              </li>
            ))}
          </ul>
        )}
      </PaginatedList>
      {writing !== null && <WriteDialog key={writing.id} of={writing} onClose={() => setWriting(null)} />}
    </div>
  );
}

/** Whether the ledger agrees with the provider's balance, and what only one of the two has booked. */
function Books({ books }: { books: NonNullable<OutputOf<typeof listMoney>['books']> }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { ledgerCents, providerCents, openCents } = books;
  return (
    <>
      {ledgerCents === providerCents ? (
        <p className="text-small text-ink-3">
          {t('money.booksAgree', { amount: format.money(providerCents), when: format.relative(books.at) })}
        </p>
      ) : (
        <Banner kind="danger">
          {t('money.booksDiffer', {
            ledger: format.money(ledgerCents),
            provider: format.money(providerCents),
          })}
        </Banner>
      )}
      {Object.values(openCents).some((cents) => cents !== 0) && (
        <p className="text-small text-ink-3">
          {t('money.booksOpen', {
            cards: format.money(openCents.cards),
            drivers: format.money(openCents.drivers),
            disputes: format.money(openCents.disputes),
          })}
        </p>
      )}
    </>
  );
}

const clearing = (id: string): Writing => ({ what: 'clear', id, start: '' });

function AlarmCard({ alarm }: { alarm: PaymentAlarm }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const end = useAction(endAlarm, { invalidates: ['/admin/'] });
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <h3 className="flex items-start gap-2 text-lead">
          <BellRing aria-hidden className="mt-1 shrink-0 text-danger" />
          {t(`money.alarm.${alarm.kind}`)}
        </h3>
        <p className="text-body break-words text-ink-2">{alarm.detail}</p>
        <p className="text-small text-ink-3">
          {t('money.met', { count: alarm.times, when: format.relative(alarm.lastAt) })}
        </p>
        <div className="flex flex-wrap gap-3">
          {alarm.canRetry && (
            <Button small busy={end.busy} onClick={() => end.run({ id: alarm.id, again: true })}>
              {t('money.again')}
            </Button>
          )}
          <Button tone="quiet" small busy={end.busy} onClick={() => end.run({ id: alarm.id })}>
            {t('money.done')}
          </Button>
        </div>
      </article>
    </Card>
  );
}

function WarningCard({ warning, onClear }: { warning: FraudWarning; onClear: () => void }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <Card>
      <article className="flex flex-col gap-2">
        <h3 className="figures text-lead">{warning.orderNumber || warning.id}</h3>
        <p className="text-body text-ink-2">
          {[warning.passenger?.name ?? t('gone'), warning.fraudType].join(' · ')}
        </p>
        <p className="text-small text-ink-3">{format.relative(warning.at)}</p>
        <Button tone="quiet" small onClick={onClear}>
          {t('money.clear')}
        </Button>
      </article>
    </Card>
  );
}

const answerable: readonly Chargeback['state'][] = ['needs_response', 'warning_needs_response'];
const settled: readonly Chargeback['state'][] = ['won', 'warning_closed', 'prevented'];

function ChargebackCard({
  chargeback,
  timeZone,
  onWrite,
}: {
  chargeback: Chargeback;
  timeZone: string;
  onWrite: (writing: Writing) => void;
}) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { id, state, evidence, evidenceDueAt } = chargeback;
  const isAnswerable = answerable.includes(state);
  const lines = evidence === null ? [] : evidenceLines(evidence, (at) => format.when(at, timeZone));
  return (
    <Card>
      <article className="flex flex-col gap-3">
        <ChargebackHead chargeback={chargeback} />
        <p className="text-small text-ink-2">
          {t('money.amounts', {
            amount: format.money(chargeback.amountCents),
            fee: format.money(chargeback.feeCents),
            reason: chargeback.reason,
          })}
        </p>
        {isAnswerable && evidenceDueAt !== null && (
          <p className="text-small font-semibold">
            {t('money.evidenceDue', { when: format.whenInSentence(evidenceDueAt, timeZone) })}
          </p>
        )}
        <p className="text-small text-ink-3">
          {t(`money.transfer.${chargeback.transfer}`)}
          {chargeback.trouble !== null && ` (${chargeback.trouble})`}
        </p>
        {evidence !== null && (
          <details>
            <summary className="min-h-11 cursor-pointer py-2.5 text-body">{t('money.evidence')}</summary>
            <ul className="figures flex flex-col gap-1 text-small text-ink-2">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
        <div className="flex flex-wrap gap-3">
          {isAnswerable && (
            <Button small onClick={() => onWrite({ what: 'answer', id, start: lines.join('\n') })}>
              {t('money.answer')}
            </Button>
          )}
          {!settled.includes(state) && chargeback.clearedAt === null && (
            <Button tone="quiet" small onClick={() => onWrite(clearing(id))}>
              {t('money.clear')}
            </Button>
          )}
        </div>
      </article>
    </Card>
  );
}

/** The order that it is about, its two people, and its state. */
function ChargebackHead({
  chargeback: { id, orderNumber, state, passenger, driver },
}: {
  chargeback: Chargeback;
}) {
  const { t } = useTranslation('admin');
  return (
    <div className="flex flex-wrap items-start justify-between gap-2">
      <div className="min-w-0">
        <h3 className="figures text-lead">{orderNumber || id}</h3>
        <p className="text-body text-ink-2">
          {t('money.between', {
            passenger: passenger?.name ?? t('gone'),
            driver: driver?.name ?? t('gone'),
          })}
        </p>
      </div>
      <StateChip tone={settled.includes(state) ? 'neutral' : 'warn'} icon={<Landmark aria-hidden />}>
        {t(`money.state.${state}`)}
      </StateChip>
    </div>
  );
}

/**
 * What speaks for a payment, line by line, in the words of the bank's language: it is sent to the bank like
 * this.
 */
function evidenceLines(
  { timeline, boarding, chat }: NonNullable<Chargeback['evidence']>,
  when: (at: string) => string,
): string[] {
  return [
    ...timeline.map(({ at, move, actor, state }) => `${when(at)}: ${move} (${actor}) → ${state}`),
    ...(boarding === null ? [] : [`${when(boarding.at)}: got in, proved by ${boarding.by}`]),
    ...(chat === null ? [] : [`Chat ${chat.roomId}: ${chat.messages} messages of the two`]),
  ];
}

function WriteDialog({ of: { what, id, start }, onClose }: { of: Writing; onClose: () => void }) {
  const { t } = useTranslation(['admin', 'common']);
  const [text, setText] = useState(start);
  const terms = {
    invalidates: ['/admin/'],
    onDone: () => {
      onClose();
      toast.done(t(`admin:money.${what}Done`));
    },
  };
  const answer = useAction(answerChargeback, terms);
  const clear = useAction(clearChargeback, terms);
  const action = what === 'answer' ? answer : clear;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`admin:money.${what}`)}
      description={t(`admin:money.${what}Text`)}
      closeLabel={t('common:close')}
      action={
        <Button
          full
          busy={action.busy}
          onClick={() => (what === 'answer' ? answer.run({ id, text }) : clear.run({ id, note: text }))}
        >
          {t(`admin:money.${what}`)}
        </Button>
      }
    >
      <Field
        label={t(`admin:money.${what}Label`)}
        error={
          action.fields['text'] ??
          action.fields['note'] ??
          (action.error === null ? undefined : errorWords(action.error))
        }
      >
        <TextArea
          value={text}
          maxLength={what === 'answer' ? feedbackLength : reasonLength}
          onChange={({ target: { value } }) => setText(value)}
        />
      </Field>
    </Dialog>
  );
}
