import { useTranslation } from 'react-i18next';
import { accept, reject } from '#contract/rides/endpoints.ts';
import { AnswerBar } from './answer-bar.tsx';
import { useAgreed } from './use-agreed.ts';
import { useHoldsAtOnce } from '../money/money-terms.ts';
import { useAmount } from '../money/price-lines.tsx';
import { useRideAction } from '../ride/use-ride-action.ts';
import { toast } from '../../ui/toasts.tsx';

/** A passenger's yes or no to the invitation of a driver; the yes says what will be authorized. */
export function InvitationAnswer({
  bookingId,
  holdCents,
  departsAt,
  full = false,
}: {
  bookingId: string;
  /** The amount to authorize on the card; 0 where there is none. */
  holdCents: number;
  departsAt: string;
  /** As tall as the one action of a page. */
  full?: boolean;
}) {
  const { t } = useTranslation('rides');
  const amount = useAmount();
  const holdsAtOnce = useHoldsAtOnce();
  const tellAgreed = useAgreed('passenger');
  const accepting = useRideAction(accept, ({ booking }) => tellAgreed(booking));
  const declining = useRideAction(reject, () => toast.done(t('ask.declined')));
  const holdWords = holdsAtOnce(departsAt) ? 'next.accept' : 'next.acceptLater';
  return (
    <AnswerBar
      full={full}
      accept={{
        ...(holdCents > 0 ? { label: t(holdWords, { amount: amount(holdCents) }) } : {}),
        busy: accepting.busy,
        run: () => accepting.run({ bookingId }),
      }}
      decline={{ busy: declining.busy, run: () => declining.run({ bookingId }) }}
    />
  );
}
