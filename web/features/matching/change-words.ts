import { useTranslation } from 'react-i18next';
import type { NearMiss } from '#contract/rides/views.ts';
import { useFormat } from '../../core/use-format.ts';

/** The one sentence of a near miss: "Leave 20 minutes later", "Fits if Mia offers $1.50 more". */
export function useChangeWords(): (miss: NearMiss, of: { name: string; seats: number }) => string {
  const { t } = useTranslation('planning');
  const format = useFormat();
  return ({ change, by }, { name, seats }) => {
    const whose = by === 'me' ? 'mine' : 'theirs';
    switch (change.kind) {
      case 'offerMore':
        return t(`almost.${whose}.offerMore`, { count: seats, amount: format.money(change.cents), name });
      case 'fewerSeats':
        return t(`almost.${whose}.fewerSeats`, { count: change.seats, name });
      case 'walkMore':
        return t(`almost.${whose}.walkMore`, { time: format.walk(change.metres), name });
      case 'leaveLater':
      case 'leaveEarlier':
      case 'moreDetour':
        return t(`almost.${whose}.${change.kind}`, { count: change.minutes, name });
    }
  };
}
