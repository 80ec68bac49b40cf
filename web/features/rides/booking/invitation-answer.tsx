import { useTranslation } from 'react-i18next';
import { accept, reject } from '#contract/rides/endpoints.ts';
import { useAgreed } from '../../../domain/booking/use-agreed.ts';
import { useHoldsAtOnce } from '../../../domain/money/money-terms.ts';
import { useAmount } from '../../../domain/money/price-lines.tsx';
import { useRideAction } from '../../../domain/ride/use-ride-action.ts';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toasts.tsx';

/** A passenger's yes or no to the invitation of a driver; the yes says what is held. */
export function InvitationAnswer({
  bookingId,
  holdCents,
  departsAt,
  full = false,
}: {
  bookingId: string;
  /** What the card is held for; 0 where nothing is. */
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
  return (
    <div className="flex gap-2">
      <Button
        tone="quiet"
        small={!full}
        className="flex-1"
        busy={declining.busy}
        disabled={accepting.busy}
        onClick={() => declining.run({ bookingId })}
      >
        {t('ask.decline')}
      </Button>
      <Button
        small={!full}
        className={full ? 'flex-2' : 'flex-1'}
        busy={accepting.busy}
        disabled={declining.busy}
        onClick={() => accepting.run({ bookingId })}
      >
        {holdCents > 0
          ? t(holdsAtOnce(departsAt) ? 'next.accept' : 'next.acceptLater', { amount: amount(holdCents) })
          : t('ask.accept')}
      </Button>
    </div>
  );
}
