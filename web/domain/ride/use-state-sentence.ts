import { useTranslation } from 'react-i18next';
import type { Order } from '#contract/rides/views.ts';
import { useFormat } from '../../core/use-format.ts';
import { stateSentence, type StateSentence } from './state-sentence.ts';

/** What they tell may be due on another day than the ride. */
const deadlines: readonly StateSentence['key'][] = ['asked', 'invited', 'wantsToRide'];

/** What the state of an order means for the viewer, in one sentence, with times in the order's zone. */
export function useStateSentence(): (order: Order) => string | null {
  const { t } = useTranslation('rides');
  const format = useFormat();
  return (order) => {
    const sentence = stateSentence(order);
    if (sentence === null) return null;
    const { key, at, name = '', place = '', count = 0, free = 0 } = sentence;
    const named = name === '' ? t('sentence.driver') : name;
    const time =
      at == null
        ? ''
        : deadlines.includes(key)
          ? format.whenInSentence(at, order.timeZone)
          : format.timeOfDay(at, order.timeZone);
    return t(`sentence.${key}`, {
      name: named,
      place,
      time,
      count,
      free: t('why.seatsLeft', { count: free }),
    });
  };
}
