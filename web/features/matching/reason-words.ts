import { useTranslation } from 'react-i18next';
import type { Reason } from '#contract/rides/views.ts';
import { useFormat } from '../../core/use-format.ts';

/** Words for why a candidate fits, for the viewer's side: "4 min detour", "3 min walk", "2 seats left". */
export function useReasonWords(): (reason: Reason, side: 'driver' | 'passenger') => string {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return (reason, side) => {
    switch (reason.kind) {
      case 'detour':
        return reason.seconds < 30
          ? t('why.noDetour')
          : t('why.detour', { time: format.duration(reason.seconds) });
      case 'walk':
        return t('why.walk', { time: format.walk(reason.metres) });
      case 'seatsLeft':
        return t('why.seatsLeft', { count: reason.seats });
      case 'free':
        return t('price.free');
      case 'belowOffer':
        return t(side === 'driver' ? 'why.belowTheirOffer' : 'why.belowOffer', {
          amount: format.money(reason.cents),
        });
      case 'contact':
        return t('why.contact');
      case 'contactsInCommon':
        return t('why.contactsInCommon', { count: reason.count });
      case 'accepts':
        return t('why.accepts');
      case 'prefers':
        return t(`why.prefers.${side}.${reason.what}`);
      case 'notQuiet':
        return t(reason.askedBy === side ? 'why.notQuiet' : 'why.theyLikeQuiet');
      case 'savedCo2':
        return t('why.savedCo2', { weight: format.weight(reason.grams) });
    }
  };
}
