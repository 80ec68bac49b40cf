import { useTranslation } from 'react-i18next';
import type { NewsAnswer as Answer, NewsLine } from '#contract/notifications/endpoints.ts';
import { accept, reject } from '#contract/rides/endpoints.ts';
import { useHoldsAtOnce } from '../../../domain/money/money-terms.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { AskAnswer } from './ask-card.tsx';
import { ChangeAnswer } from '../change/change-card.tsx';
import { useAmount } from '../../../domain/money/price-lines.tsx';
import { shortName } from '../../../domain/person/short-name.ts';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';

/**
 * The answer to an ask, an invitation or a proposed change, in the line of news that tells of it; afterwards
 * what was answered.
 */
export function NewsAnswer({ line: { answer, departsAt } }: { line: NewsLine }) {
  const { t } = useTranslation('rides');
  if (answer === null) return null;
  if (answer.state !== 'open')
    return <p className="text-small font-semibold text-ink-2">{t(`newsAnswer.${answer.state}`)}</p>;
  if (answer.to === 'ask') return <AskAnswer bookingId={answer.id} name={shortName(answer.name)} />;
  if (answer.to === 'change') return <ChangeAnswer changeId={answer.id} />;
  return <InvitationAnswer answer={answer} departsAt={departsAt ?? ''} />;
}

function InvitationAnswer({ answer, departsAt }: { answer: Answer; departsAt: string }) {
  const { t } = useTranslation('rides');
  const amount = useAmount();
  const holdsAtOnce = useHoldsAtOnce();
  const accepting = useRideAction(accept, ({ booking }) =>
    booking.awaits === 'payment' ? toast.info(t('ask.toPay')) : toast.done(t('ask.joined')),
  );
  const declining = useRideAction(reject, () => toast.done(t('ask.declined')));
  const bookingId = answer.id;
  return (
    <div className="flex gap-2">
      <Button
        tone="quiet"
        small
        className="flex-1"
        busy={declining.busy}
        disabled={accepting.busy}
        onClick={() => declining.run({ bookingId })}
      >
        {t('ask.decline')}
      </Button>
      <Button
        small
        className="flex-1"
        busy={accepting.busy}
        disabled={declining.busy}
        onClick={() => accepting.run({ bookingId })}
      >
        {answer.holdCents > 0
          ? t(holdsAtOnce(departsAt) ? 'next.accept' : 'next.acceptLater', {
              amount: amount(answer.holdCents),
            })
          : t('ask.accept')}
      </Button>
    </div>
  );
}
