import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Message, Room } from '#contract/chat/endpoints.ts';
import { now } from '../../core/clock.ts';
import { dayOf } from '#contract/formats/times.ts';
import { useFormat } from '../../core/use-format.ts';
import { classes } from '../../ui/classes.ts';
import { Avatar } from '../../ui/people.tsx';
import { rowVariants } from '../../ui/surfaces.tsx';
import { useSystemWords } from './system-words.ts';

/** Everyone in a room but me, by name. */
export const namesOf = (room: Room, ownId: string): string =>
  room.members
    .filter(({ id }) => id !== ownId)
    .map(({ name }) => name)
    .join(', ');

/** A room in the list: who, which ride, the last line, when, how many unread. */
export function RoomRow({ room, ownId }: { room: Room; ownId: string }) {
  const { t } = useTranslation(['chat', 'common']);
  const format = useFormat();
  const systemWords = useSystemWords();
  const { timeZone, from, to, departsAt } = room.title;
  const [first] = room.members.filter(({ id }) => id !== ownId);
  const last = room.lastMessage;
  const sender = room.members.find(({ id }) => id === last?.senderId);
  const saidWords = last === null ? '' : wordsOf(last);
  const lastWords =
    last === null
      ? ''
      : last.system
        ? systemWords(last.system)
        : last.senderId === ownId
          ? t('chat:byMe', { text: saidWords })
          : t('chat:byName', { name: sender?.name ?? '', text: saidWords });
  const at = last?.at ?? departsAt;
  const today = dayOf(at, timeZone) === dayOf(now(), timeZone);
  function wordsOf({ kind, text, place }: Message): string {
    if (kind === 'picture') return t('chat:picture');
    return kind === 'place' ? (place?.name ?? t('chat:place')) : text;
  }

  return (
    <li>
      <Link to="/pages/chat/message" search={{ roomid: room.roomid }} className={rowVariants}>
        <Avatar
          name={first?.name ?? '?'}
          src={first?.avatar ?? ''}
          seed={first?.id ?? room.roomid}
          size={48}
        />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline gap-2">
            <span
              className={classes('min-w-0 flex-1 truncate text-lead', room.unread > 0 && 'font-semibold')}
            >
              {namesOf(room, ownId) || t('chat:alone')}
            </span>
            <time dateTime={at} className="figures shrink-0 text-small text-ink-3">
              {today ? format.timeOfDay(at, timeZone) : format.day(at, timeZone)}
            </time>
          </span>
          <span className="block truncate text-small text-ink-3">
            {room.bookingId !== null && `${t('chat:threadShort')} · `}
            {from} → {to} · {format.when(departsAt, timeZone)}
          </span>
          <span className="flex items-center gap-2">
            <span
              className={classes(
                'min-w-0 flex-1 truncate text-body',
                room.unread > 0 ? 'font-semibold text-ink' : 'text-ink-2',
              )}
            >
              {lastWords}
            </span>
            {room.unread > 0 && (
              <span className="figures grid min-h-5.5 min-w-5.5 shrink-0 place-items-center rounded-full bg-brand px-1.5 text-small font-semibold text-ink">
                <span aria-hidden>{room.unread > 99 ? '99+' : room.unread}</span>
                <span className="sr-only">{t('common:unread', { count: room.unread })}</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
}
