import { Flag } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ReportedLine } from '#contract/tickets/endpoints.ts';
import { useFormat } from '../../../core/use-format.ts';
import { StateChip } from '../../../ui/chips.tsx';
import { classes } from '../../../ui/classes.ts';
import { Section } from '../../../ui/surfaces.tsx';

/** The reported chat message, marked, between those that were written around it. */
export function ReportedLines({ lines, timeZone }: { lines: readonly ReportedLine[]; timeZone: string }) {
  const { t } = useTranslation('admin');
  return (
    <Section title={t('tickets.lines.title')}>
      <p className="text-small text-ink-3">{t('tickets.lines.text')}</p>
      <ol
        aria-label={t('tickets.lines.title')}
        className="divide-y divide-line overflow-hidden rounded-control bg-surface shadow-card"
      >
        {lines.map((line) => (
          <Line key={line.seq} line={line} timeZone={timeZone} />
        ))}
      </ol>
    </Section>
  );
}

function Line({ line, timeZone }: { line: ReportedLine; timeZone: string }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { sender, kind, text, picture, at, isReported } = line;
  const name = sender?.name ?? t('gone');
  return (
    <li
      {...(isReported ? { 'aria-current': true } : {})}
      className={classes('flex flex-col gap-1 px-4 py-2.5', isReported && 'bg-danger-soft')}
    >
      <p className="flex flex-wrap items-center gap-x-2 text-small text-ink-3">
        <span className="font-semibold text-ink-2">{name}</span>
        <time dateTime={at}>{format.when(at, timeZone)}</time>
        {isReported && (
          <StateChip tone="danger" icon={<Flag aria-hidden />}>
            {t('tickets.lines.reported')}
          </StateChip>
        )}
      </p>
      {kind === 'picture' ? (
        picture === null ? (
          <p className="text-body text-ink-3">{t('tickets.lines.noPicture')}</p>
        ) : (
          <img
            src={picture.url}
            width={picture.width}
            height={picture.height}
            alt={t('tickets.lines.picture', { name })}
            className="max-h-72 w-auto self-start rounded-small object-contain"
          />
        )
      ) : (
        <p className="text-body break-words whitespace-pre-wrap">
          {kind === 'place' ? t('tickets.lines.place', { place: text }) : text}
        </p>
      )}
    </li>
  );
}
