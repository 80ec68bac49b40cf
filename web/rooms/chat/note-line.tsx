import { useTranslation } from 'react-i18next';
import { useFormat } from '../../base/use-format.ts';
import type { Line } from './lines.ts';
import { useSystemWords } from './system-words.ts';

/** A day, the mark above what is new, or what happened to the ride. */
export function Note({
  line,
  timeZone,
}: {
  line: Exclude<Line, { kind: 'text' | 'outgoing' }>;
  timeZone: string;
}) {
  const { t } = useTranslation('chat');
  const format = useFormat();
  const systemWords = useSystemWords();
  if (line.kind === 'unread') {
    return (
      <p className="flex items-center gap-3 py-1 text-small font-semibold text-brand-ink before:h-px before:flex-1 before:bg-brand after:h-px after:flex-1 after:bg-brand">
        {t('unread')}
      </p>
    );
  }
  if (line.kind === 'day') {
    return (
      <p className="pt-3 pb-1 text-center text-small font-semibold text-ink-3">
        {format.day(line.at, timeZone)}
      </p>
    );
  }
  const { message } = line;
  return (
    <p className="mx-auto w-fit max-w-[90%] rounded-full bg-ink/6 px-3 py-1 text-center text-small text-ink-2">
      {message.system && systemWords(message.system)}
      <span className="figures pl-1.5">{format.timeOfDay(message.at, timeZone)}</span>
    </p>
  );
}
