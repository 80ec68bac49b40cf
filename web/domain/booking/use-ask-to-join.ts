import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { askToJoin } from '#contract/rides/endpoints.ts';
import type { Candidate } from '#contract/rides/views.ts';
import { dropDraft } from '../../core/drafts.ts';
import { toast } from '../../ui/toasts.tsx';
import { useRideAction } from '../ride/use-ride-action.ts';

/** What a passenger writes to the driver before they ask. */
export const askDraft = ({ ride }: Pick<Candidate, 'ride'>): string => `ask.${ride.id}`;

/**
 * Asks for a seat, and says what came of it. Where the passenger is booked at once or has to pay first, their
 * request opens.
 */
export function useAskToJoin(): {
  busy: boolean;
  /** @returns what came of it; null if it failed. */
  ask: (
    candidate: Pick<Candidate, 'ride'>,
    requestId: string,
    message: string,
  ) => Promise<'toPay' | 'joined' | 'asked' | null>;
} {
  const { t } = useTranslation(['planning', 'common']);
  const navigate = useNavigate();
  const asking = useRideAction(askToJoin);
  return {
    busy: asking.busy,
    ask: async (candidate, requestId, message) => {
      const { ride } = candidate;
      const answer = await asking.ask({ rideId: ride.id, requestId, message });
      if (answer === null) return null;
      dropDraft(askDraft(candidate));
      const { bookings, state } = answer.order;
      const name = ride.driver.name || t('common:guest');
      const isToPay = bookings.some(({ rideId, awaits }) => rideId === ride.id && awaits === 'payment');
      if (!isToPay && state !== 'joined') {
        toast.done(t('planning:ask.asked', { name }));
        return 'asked';
      }
      if (isToPay) toast.info(t('planning:ask.toPay'));
      else toast.done(t('planning:ask.joined', { name }));
      void navigate({ to: '/pages/order/detail', search: { id: requestId } });
      return isToPay ? 'toPay' : 'joined';
    },
  };
}
