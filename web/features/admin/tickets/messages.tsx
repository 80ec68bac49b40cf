import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Thread } from '#contract/tickets/endpoints.ts';
import { useFormat } from '../../../core/use-format.ts';
import { classes } from '../../../ui/classes.ts';
import { Section } from '../../../ui/surfaces.tsx';

/** All that was written, oldest first: by the author, by the team, and its notes. */
export function Messages({ thread }: { thread: Thread }) {
  const { t } = useTranslation('admin');
  const { author, reason, message, quote, openedAt, messages } = thread;
  const authorName = author?.name ?? t(reason === 'late cancellations' ? 'tickets.app' : 'gone');
  const nameOf = ({ kind, writer }: Thread['messages'][number]): string =>
    writer?.name ?? (kind === 'reply' ? authorName : t('tickets.team'));
  return (
    <Section title={t('tickets.thread')}>
      <ol aria-label={t('tickets.thread')} className="flex flex-col gap-3">
        <Said name={authorName} at={openedAt} kind="reply" text={message}>
          {quote !== '' && (
            <blockquote className="rounded-control bg-page px-4 py-3 text-body break-words whitespace-pre-wrap">
              <span className="block text-small text-ink-3">{t('tickets.review')}</span>
              {quote}
            </blockquote>
          )}
        </Said>
        {messages.map((each) => (
          <Said key={each.id} name={nameOf(each)} at={each.at} kind={each.kind} text={each.text} />
        ))}
      </ol>
    </Section>
  );
}

const looks = {
  reply: 'bg-surface shadow-card lg:mr-12',
  answer: 'bg-brand-soft lg:ml-12',
  note: 'bg-warn-soft lg:ml-12',
};

function Said({
  name,
  at,
  kind,
  text,
  children,
}: {
  name: string;
  at: string;
  kind: 'answer' | 'reply' | 'note';
  text: string;
  children?: React.ReactNode;
}) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  return (
    <li className={classes('flex flex-col gap-2 rounded-control p-4', looks[kind])}>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-ink-2">
        <span className="font-semibold break-words">{name}</span>
        <time dateTime={at}>{format.relative(at)}</time>
        {kind === 'note' && (
          <span className="flex items-center gap-1">
            <Lock aria-hidden className="size-4" />
            {t('tickets.noteMark')}
          </span>
        )}
      </p>
      {children}
      {text === '' ? (
        children === undefined && <p className="text-body text-ink-3">{t('tickets.noWords')}</p>
      ) : (
        <p className="text-body break-words whitespace-pre-wrap">{text}</p>
      )}
    </li>
  );
}
