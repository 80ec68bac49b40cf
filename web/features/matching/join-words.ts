import { useTranslation } from 'react-i18next';
import type { Candidate } from '#contract/rides/views.ts';
import { useHoldsAtOnce, useHoldWords } from '../../domain/money/money-terms.ts';
import { useFormat } from '../../core/use-format.ts';

/**
 * What asking for a ride says before it is done: a driver is asked, or an instant ride is booked in that
 * moment.
 */
export function useJoinWords(): (candidate: Candidate) => {
  title: string;
  text: string;
  /** What becomes of the money; empty for a free ride. */
  hold: string;
  button: string;
} {
  const { t } = useTranslation(['planning', 'common']);
  const format = useFormat();
  const holdWords = useHoldWords();
  const holdsAtOnce = useHoldsAtOnce();
  return ({ ride, fareCents, pickup }) => {
    const name = ride.driver.name || t('common:guest');
    const figures = {
      name,
      time: format.whenInSentence(pickup.at, ride.timeZone),
      amount: format.money(fareCents),
    };
    const isPaid = fareCents > 0;
    if (!ride.instant)
      return {
        title: t('planning:ask.title', figures),
        text: t(isPaid ? 'planning:ask.text' : 'planning:ask.textFree', figures),
        hold: holdWords(fareCents, ride.departsAt, ride.timeZone),
        button: t('planning:ask.button'),
      };
    return {
      title: t('planning:ask.joinTitle', figures),
      text: t(isPaid ? 'planning:ask.joinText' : 'planning:ask.joinTextFree', figures),
      hold: holdWords(fareCents, ride.departsAt, ride.timeZone, 'atOnce'),
      button: t(
        isPaid && holdsAtOnce(ride.departsAt) ? 'planning:ask.joinNowHold' : 'planning:ask.joinNow',
        figures,
      ),
    };
  };
}
