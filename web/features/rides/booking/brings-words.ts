import { useTranslation } from 'react-i18next';
import type { Booking } from '#contract/rides/views.ts';

/** What a passenger brings along and likes, for the driver: "Brings a pet". */
export function useBringsWords(): (booking: Booking) => string[] {
  const { t } = useTranslation('rides');
  return ({ preferences }) =>
    (['pets', 'luggage', 'quiet'] as const)
      .filter((name) => preferences[name])
      .map((name) => t(`facts.prefers.passenger.${name}`));
}
