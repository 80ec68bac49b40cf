import { useTranslation } from 'react-i18next';
import { Chip, ChipRow } from '../../ui/chips.tsx';

const before = ['yesGladly', 'whereExactly', 'littleLuggage', 'thanks'] as const;
const onTheDay = ['onMyWay', 'atTheCorner', 'fiveMinutes', 'here', 'thanks'] as const;

/** What people at a curb say most, one touch each. */
export function QuickReplies({ thread, onSay }: { thread: boolean; onSay: (text: string) => void }) {
  const { t } = useTranslation('chat');
  return (
    <ChipRow label={t('quick.label')}>
      {(thread ? before : onTheDay).map((word) => (
        <Chip key={word} onClick={() => onSay(t(`quick.${word}`))}>
          {t(`quick.${word}`)}
        </Chip>
      ))}
    </ChipRow>
  );
}
