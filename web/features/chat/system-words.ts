import { useTranslation } from 'react-i18next';
import { roomLines } from '#contract/chat/room-lines.ts';

/**
 * Words for what moved in a ride while people talk; a move that a newer server made up becomes a plain hint.
 */
export function useSystemWords(): (system: { move: string; name: string }) => string {
  const { t } = useTranslation('chat');
  return ({ move, name }) => {
    const word = roomLines.find((each) => each === move);
    return word === undefined ? t('system.other') : t(`system.${word}`, { name });
  };
}
