import { useTranslation } from 'react-i18next';
import { useFormat } from '../../core/use-format.ts';
import type { Line } from './lines.ts';
import { useSystemWords } from './system-words.ts';

/** A day, the mark above what is new, or what happened to the ride. */
export function Note({
  line,
  timeZone,
}: {
  line: Exclude<Line, { kind: 'said' | 'outgoing' }>;
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
    <div className="flex flex-col items-center gap-1">
      <p className="w-fit max-w-[90%] rounded-full bg-ink/6 px-3 py-1 text-center text-small text-ink-2">
        {message.system && systemWords(message.system)}
        <span className="figures pl-1.5">{format.timeOfDay(message.at, timeZone)}</span>
      </p>
      {message.system?.words !== undefined && (
        <blockquote className="max-w-[85%] rounded-control bg-surface px-3.5 py-2 text-body break-words whitespace-pre-line shadow-card">
          {message.system.words}
        </blockquote>
      )}
    </div>
  );
}
