import { sql } from 'drizzle-orm';
import type { RoomLine } from '#contract/chat/room-lines.ts';
import { findsRow } from '../../../platform/database/finds-row.ts';
import type { StatementPart } from '../../../platform/database/statement-parts.ts';
import { loggingRows } from '../../../platform/events/event-log.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { nameOfPerson } from '../../identity/queries.ts';
import { messageOfBooking } from '../../orders/bookings/queries.ts';

/** What a move of a ride or a booking means for one room. */
export interface RoomMove {
  room: { id: string; rideId: string; bookingId: string | null };
  /** The same for the same move: its line is written once. */
  clientId: string;
  move: RoomLine;
  /** Whom the line names. */
  personId: string;
  at: Date;
  /** People who enter; the room is opened for them. */
  enters: readonly string[];
  leaves: string | null;
  closes: 'ended' | 'joined' | 'over' | null;
  /** Nothing happens in the room unless this person is in it. */
  onlyWith: string | null;
}

/** Moves that may come with a message of the person who makes them. */
const asking: readonly RoomLine[] = ['ask', 'invite'];

/** A move, and what those before it in the batch have done in its room. */
interface PlacedMove extends RoomMove {
  opens: boolean;
  /** Whether `onlyWith` is in the room before this move; null where moves before it say nothing of them. */
  isWith: boolean | null;
  /** People who have entered and not left again, up to this move. */
  entered: readonly string[];
  left: readonly string[];
}

/** What becomes of a person in a room after all moves of a batch. */
interface Membership {
  roomId: string;
  userId: string;
  /** They enter, and may leave again; otherwise they only leave. */
  enters: boolean;
  at: Date;
  leftAt: Date | null;
  /** The last of the moves that say so, from 1. */
  n: number;
}

/**
 * Applies moves to the rooms they concern and writes their lines: once each, in the order given. Rooms are
 * locked before their members, in the order of their ids, as by all who change both. Each line that is
 * written becomes a signal `room.line`, which tells it to the members at that moment.
 */
export function writingRoomMoves(moves: readonly RoomMove[], now: Date): StatementPart[] {
  const { placed, memberships } = placeMoves(moves);
  return [
    { name: 'room_move', query: givenMoves, values: valuesOfMoves(placed) },
    { name: 'chat_room', query: movedRoomsLocked },
    { name: 'locked_rooms', query: lockedRooms },
    { name: 'fresh_move', query: freshMoves },
    { name: 'moved_room', query: movedRooms },
    { name: 'room_line', query: roomLines },
    { name: 'added_line', query: addedLines },
    { name: 'membership', query: givenMemberships, values: valuesOfMemberships(memberships) },
    { name: 'entered_member', query: enteredMembers },
    { name: 'left_member', query: leftMembers },
    tellingLines(now),
  ];
}

/** Notes for each move what those before it in the batch have done in its room. */
function placeMoves(moves: readonly RoomMove[]): { placed: PlacedMove[]; memberships: Membership[] } {
  const rooms = new Map<string, { opens: boolean; entered: Set<string>; left: Set<string> }>();
  const memberships = new Map<string, Membership>();
  const placed = moves.map((move, index): PlacedMove => {
    const { room, enters, leaves, onlyWith, at } = move;
    const state = rooms.get(room.id) ?? { opens: false, entered: new Set(), left: new Set() };
    rooms.set(room.id, state);
    if (enters.length > 0) state.opens = true;
    const isWith = onlyWith === null ? null : isIn(state, onlyWith);
    const n = index + 1;
    for (const userId of enters) {
      state.entered.add(userId);
      state.left.delete(userId);
      const key = `${room.id} ${userId}`;
      memberships.set(key, { roomId: room.id, userId, enters: true, at, leftAt: null, n });
    }
    if (leaves !== null) {
      state.entered.delete(leaves);
      state.left.add(leaves);
      const key = `${room.id} ${leaves}`;
      const before = memberships.get(key);
      const own = { roomId: room.id, userId: leaves, enters: before?.enters ?? false, at: before?.at ?? at };
      memberships.set(key, { ...own, leftAt: at, n });
    }
    return { ...move, isWith, opens: state.opens, entered: [...state.entered], left: [...state.left] };
  });
  return { placed, memberships: [...memberships.values()] };
}

/** Whether a person is in a room as far as the moves of a batch say so. */
const isIn = ({ entered, left }: { entered: Set<string>; left: Set<string> }, userId: string) =>
  entered.has(userId) ? true : left.has(userId) ? false : null;

const moved = (name: string) => sql.placeholder(`move.${name}`);

const givenMoves = sql`
  select * from unnest(
    ${moved('roomIds')}::uuid[], ${moved('rideIds')}::uuid[], ${moved('bookingIds')}::uuid[],
    ${moved('clientIds')}::uuid[], ${moved('moves')}::text[], ${moved('personIds')}::uuid[],
    ${moved('ats')}::text[], ${moved('onlyWith')}::uuid[], ${moved('areWith')}::boolean[], ${moved('opens')}::boolean[], ${moved('closes')}::text[],
    ${moved('areChanges')}::boolean[], ${moved('leaves')}::uuid[], ${moved('entered')}::jsonb[],
    ${moved('left')}::jsonb[]
  ) with ordinality as line (room_id, ride_id, booking_id, client_id, move, person_id, at, only_with, is_with, opens,
    closes, is_change, leaves, entered, has_left, n)`;

const valuesOfMoves = (moves: readonly PlacedMove[]): StatementPart['values'] => ({
  'move.roomIds': moves.map(({ room }) => room.id),
  'move.rideIds': moves.map(({ room }) => room.rideId),
  'move.bookingIds': moves.map(({ room }) => room.bookingId),
  'move.clientIds': moves.map(({ clientId }) => clientId),
  'move.moves': moves.map(({ move }) => move),
  'move.personIds': moves.map(({ personId }) => personId),
  'move.ats': moves.map(({ at }) => at.toISOString()),
  'move.onlyWith': moves.map(({ onlyWith }) => onlyWith),
  'move.areWith': moves.map(({ isWith }) => isWith),
  'move.opens': moves.map(({ opens }) => opens),
  'move.closes': moves.map(({ closes }) => closes),
  'move.areChanges': moves.map(({ enters, leaves }) => enters.length > 0 || leaves !== null),
  'move.leaves': moves.map(({ leaves }) => leaves),
  'move.entered': moves.map(({ entered }) => JSON.stringify(entered)),
  'move.left': moves.map(({ left }) => JSON.stringify(left)),
});

const movedRoomsLocked = sql`
  select id from chat_rooms where id = any(${moved('roomIds')}::uuid[]) order by id for no key update`;
const lockedRooms = sql`select count(*) from chat_room`;

/** A person is in a room: by what this batch has done before the move, else from before the batch. */
const isWith = sql`coalesce(given.is_with, ${findsRow(
  sql`from chat_members m where m.room_id = given.room_id and m.user_id = given.only_with and m.left_at is null`,
)})`;

/** Moves whose line is not written yet, in rooms that exist or are opened. */
const freshMoves = sql`
  select given.*, (row_number() over (partition by given.room_id order by given.n))::int as nth,
    (count(*) over (partition by given.room_id))::int as total
  from locked_rooms, room_move given
  where not exists (
      select from chat_messages c where c.room_id = given.room_id and c.client_id = given.client_id)
    and (given.opens or given.room_id in (select id from chat_room))
    and (given.only_with is null or ${isWith})`;

const movedRooms = sql`
  insert into chat_rooms as room (id, ride_id, booking_id, last_seq, members_version, closed_at, closed_because, created_at)
  select room_id, ride_id, booking_id, count(*), count(*) filter (where is_change or closes is not null),
    (array_agg(at::timestamptz order by n) filter (where closes is not null))[1],
    (array_agg(closes order by n) filter (where closes is not null))[1], min(at::timestamptz)
  from fresh_move group by room_id, ride_id, booking_id order by room_id
  on conflict (id) do update set last_seq = room.last_seq + excluded.last_seq,
    members_version = room.members_version + excluded.members_version,
    closed_because = case when room.closed_at is null then excluded.closed_because else room.closed_because end,
    closed_at = coalesce(room.closed_at, excluded.closed_at)
  returning id, last_seq, said`;

const roomLines = sql`
  select fresh.*, room.last_seq - fresh.total + fresh.nth as seq, room.said,
    jsonb_build_object('move', fresh.move, 'name', coalesce(${nameOfPerson(sql`fresh.person_id`)}, ''))
      || case when said.words <> '' then jsonb_build_object('words', said.words) else '{}' end as system
  from fresh_move fresh join moved_room room on room.id = fresh.room_id
  left join lateral (${messageOfBooking(sql`fresh.room_id`)}) said (words) on fresh.move in ${sqlWords(asking)}`;

const addedLines = sql`
  insert into chat_messages (room_id, seq, said, client_id, kind, system, at)
  select room_id, seq, said, client_id, 'system', system, at::timestamptz from room_line`;

const changed = (name: string) => sql.placeholder(`membership.${name}`);

const givenMemberships = sql`
  select change.* from unnest(
    ${changed('roomIds')}::uuid[], ${changed('userIds')}::uuid[], ${changed('enters')}::boolean[],
    ${changed('ats')}::timestamptz[], ${changed('leftAts')}::timestamptz[], ${changed('ns')}::int[]
  ) as change (room_id, user_id, enters, at, left_at, n)
  where change.n = any(array(select n from fresh_move))`;

const valuesOfMemberships = (memberships: readonly Membership[]): StatementPart['values'] => ({
  'membership.roomIds': memberships.map(({ roomId }) => roomId),
  'membership.userIds': memberships.map(({ userId }) => userId),
  'membership.enters': memberships.map(({ enters }) => enters),
  'membership.ats': memberships.map(({ at }) => at.toISOString()),
  'membership.leftAts': memberships.map(({ leftAt }) => leftAt?.toISOString() ?? null),
  'membership.ns': memberships.map(({ n }) => n),
});

const enteredMembers = sql`
  insert into chat_members (room_id, user_id, joined_at, left_at)
  select room_id, user_id, at, left_at from membership where enters order by room_id, user_id
  on conflict (room_id, user_id) do update set left_at = excluded.left_at`;

const leftMembers = sql`
  update chat_members m set left_at = gone.left_at from membership gone
  where not gone.enters and m.room_id = gone.room_id and m.user_id = gone.user_id`;

const tellingLines = loggingRows(
  'told_line',
  sql`select 'room.line' as name, room_id::text as key, n, json_build_object(
    'roomId', room_id, 'seq', seq, 'leaves', leaves,
    'userIds', line.entered || to_jsonb(array(
      select m.user_id from chat_members m where m.room_id = line.room_id and m.left_at is null
        and not line.has_left ? m.user_id::text and not line.entered ? m.user_id::text
    ))) as payload
  from room_line line`,
);
