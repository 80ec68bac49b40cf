import { useTranslation } from 'react-i18next';

const known = [
  'ask',
  'invite',
  'offer',
  'reject',
  'declineInvitation',
  'withdraw',
  'withdrawInvitation',
  'expire',
  'accept',
  'joinAtOnce',
  'acceptInvitation',
  'cancel',
  'cancelByDriver',
  'reach',
  'board',
  'boardLate',
  'noShow',
  'reportDriver',
  'dropOff',
  'gather',
  'reachStart',
  'depart',
  'arrive',
  'cancelRide',
  'breakOff',
  'expireRide',
] as const;

/** Words for what moved in a ride while people talk; a move that a newer server made up becomes a plain hint. */
export function useSystemWords(): (system: { move: string; name: string }) => string {
  const { t } = useTranslation('chat');
  return ({ move, name }) => {
    const word = known.find((each) => each === move);
    return word === undefined ? t('system.other') : t(`system.${word}`, { name });
  };
}
