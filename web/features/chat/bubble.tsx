import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Message } from '#contract/chat/endpoints.ts';
import type { Person } from '#contract/user/endpoints.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { useFormat } from '../../core/use-format.ts';
import { TextButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Avatar } from '../../ui/people.tsx';
import { forget, sayAgain, sendWaiting, type Outgoing } from './outbox.ts';
import { MessageContent, Waiting } from './message-content.tsx';

const look = (mine: boolean, isPicture: boolean) =>
  classes(
    'max-w-[78%] rounded-sheet text-left text-body select-text',
    isPicture ? 'p-1.5' : 'px-3.5 py-2',
    mine ? 'rounded-br-[6px] bg-ink text-white' : 'rounded-bl-[6px] bg-surface shadow-card',
  );

function At({ at, mine, timeZone }: { at: string; mine: boolean; timeZone: string }) {
  const format = useFormat();
  return (
    <time
      dateTime={at}
      className={classes(
        'figures block px-0.5 text-right text-[0.6875rem] leading-4',
        mine ? 'text-white/75' : 'text-ink-3',
      )}
    >
      {format.timeOfDay(at, timeZone)}
    </time>
  );
}

/**
 * A message that everyone has. Touching it opens what one can do with it. Drawn again only when something of
 * it changes.
 */
export const SaidLine = memo(function SaidLine({
  message,
  sender,
  mine,
  leads,
  timeZone,
  foot,
  onOpen,
  onStale,
}: {
  message: Message;
  sender: Person | undefined;
  mine: boolean;
  /** The first of a run: shows who speaks. */
  leads: boolean;
  timeZone: string;
  /** How far others have read, under my latest message. */
  foot?: ReactNode;
  onOpen: (message: Message) => void;
  onStale: (seq: number) => void;
}) {
  const { t } = useTranslation(['common', 'chat']);
  const name = sender?.name ?? t('common:guest');
  return (
    <div className={classes('flex flex-col gap-1', mine ? 'items-end' : 'items-start', leads && 'pt-2')}>
      {!mine && leads && <span className="pl-11 text-small font-semibold text-ink-2">{name}</span>}
      <div className={classes('flex w-full items-end gap-2', mine && 'justify-end')}>
        {!mine &&
          (leads ? (
            <Avatar name={name} src={sender?.avatar ?? ''} seed={sender?.id ?? name} size={36} />
          ) : (
            <span className="w-9 shrink-0" />
          ))}
        <button
          type="button"
          aria-haspopup="dialog"
          className={look(mine, message.kind === 'picture' && message.picture !== null)}
          onClick={() => onOpen(message)}
        >
          {!leads && !mine && <span className="sr-only">{name}: </span>}
          <MessageContent
            message={message}
            mine={mine}
            name={mine ? t('chat:me') : name}
            onStale={() => onStale(message.seq)}
          />
          <At at={message.at} mine={mine} timeZone={timeZone} />
        </button>
      </div>
      {foot}
    </div>
  );
});

/** How far my latest message has come. */
export function ReadMark({ readers, others }: { readers: readonly string[]; others: number }) {
  const { t } = useTranslation('chat');
  const all = readers.length > 0 && readers.length >= others;
  return (
    <span className="flex items-center gap-1 text-small text-ink-3">
      {readers.length > 0 ? (
        <CheckCheck aria-hidden className="size-4 text-brand-ink" />
      ) : (
        <Check aria-hidden className="size-4" />
      )}
      {all ? t('read') : readers.length > 0 ? t('readBy', { names: readers.join(', ') }) : t('sent')}
    </span>
  );
}

/** A message of mine that is still on its way, or that the server would not take. */
export function OutgoingLine({
  outgoing,
  stuck,
  last,
  timeZone,
}: {
  outgoing: Outgoing;
  stuck: boolean;
  /** The latest one offers to try all of them again. */
  last: boolean;
  timeZone: string;
}) {
  const { t } = useTranslation(['chat', 'common']);
  const { clientId, refused } = outgoing;
  return (
    <div className="flex flex-col items-end gap-1">
      <div className={look(true, outgoing.picture !== null)}>
        <Waiting outgoing={outgoing} />
        <At at={outgoing.at} mine timeZone={timeZone} />
      </div>
      {refused === null ? (
        <span className="flex flex-wrap items-center justify-end gap-x-2 text-small text-ink-3">
          <span className="flex items-center gap-1">
            <Clock aria-hidden className="size-4" />
            {t(stuck ? 'chat:waiting' : 'chat:sending')}
          </span>
          {stuck && last && <TextButton onClick={() => void sendWaiting()}>{t('common:retry')}</TextButton>}
        </span>
      ) : (
        <span className="flex flex-wrap items-center justify-end gap-x-2 text-small text-danger">
          <span className="flex items-center gap-1">
            <CircleAlert aria-hidden className="size-4 shrink-0" />
            {t('chat:notSent')} {errorWords(new Refused({ code: 409, info: '', reason: refused }))}
          </span>
          <TextButton onClick={() => sayAgain(clientId)}>{t('common:retry')}</TextButton>
          <TextButton tone="danger" onClick={() => forget(clientId)}>
            {t('common:delete')}
          </TextButton>
        </span>
      )}
    </div>
  );
}
