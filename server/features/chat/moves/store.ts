import { sql } from 'drizzle-orm';
import type { RoomLine } from '#contract/chat/room-lines.ts';
import type { Db } from '../../../platform/database/db.ts';
import { sqlWords } from '../../../platform/database/sql-words.ts';
import { nameOfPerson } from '../../identity/queries.ts';
import { messageOfBooking } from '../../orders/bookings/queries.ts';
import type { Membership, MoveLine, RoomMove, RoomState } from '../rules/room-moves.ts';

/** Moves that may come with a message of the person who makes them. */
const asking: readonly RoomLine[] = ['ask', 'invite'];

/**
 * Opens the rooms that people enter, and locks the rooms of moves in the order of their ids until the
 * transaction ends, before their members, as all who change both.
 */
export async function lockRooms(tx: Db, moves: readonly RoomMove[]): Promise<Map<string, RoomState>> {
  const opened = await openRooms(
    tx,
    moves.filter(({ enters }) => enters.length > 0),
  );
  const ids = sql.param([...new Set(moves.map(({ room }) => room.id))]);
  const { rows: rooms } = await tx.execute<{ id: string; lastSeq: number; said: number }>(sql`
    select id, last_seq as "lastSeq", said from chat_rooms where id = any(${ids}::uuid[])
    order by id for no key update`);
  const { rows: members } = await tx.execute<{ roomId: string; userId: string }>(sql`
    select room_id as "roomId", user_id as "userId" from chat_members
    where room_id = any(${ids}::uuid[]) and left_at is null`);
  const { rows: lines } = await tx.execute<{ roomId: string; clientId: string }>(sql`
    select room_id as "roomId", client_id as "clientId" from chat_messages
    where (room_id, client_id) in (select * from unnest(
      ${sql.param(moves.map(({ room }) => room.id))}::uuid[], ${sql.param(moves.map((move) => move.clientId))}::uuid[]))`);
  const ofRoom = Map.groupBy(members, ({ roomId }) => roomId);
  const linesOf = Map.groupBy(lines, ({ roomId }) => roomId);
  return new Map(
    rooms.map(({ id, lastSeq, said }) => [
      id,
      {
        isOpened: !opened.has(id),
        lastSeq,
        said,
        members: new Set(ofRoom.get(id)?.map(({ userId }) => userId)),
        lines: new Set(linesOf.get(id)?.map(({ clientId }) => clientId)),
      },
    ]),
  );
}

/** @returns the ids of the rooms that did not exist. */
async function openRooms(tx: Db, moves: readonly RoomMove[]): Promise<Set<string>> {
  if (moves.length === 0) return new Set();
  const { rows } = await tx.execute<{ id: string }>(sql`
    insert into chat_rooms (id, ride_id, booking_id, created_at)
    select distinct on (id) id, "rideId", "bookingId", at
    from jsonb_to_recordset(${JSON.stringify(moves.map(({ room, at }) => ({ ...room, at })))}::jsonb)
      as given (id uuid, "rideId" uuid, "bookingId" uuid, at timestamptz)
    order by id, at on conflict (id) do nothing returning id`);
  return new Set(rows.map(({ id }) => id));
}

/** Writes the lines of moves into rooms that are locked, and notes who has entered, left or closed them. */
export async function saveMoves(
  tx: Db,
  { lines, memberships }: { lines: readonly MoveLine[]; memberships: readonly Membership[] },
): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(lines.map(columnsOf))}::jsonb) as line (
    room_id uuid, seq int, said int, client_id uuid, move text, person_id uuid, at timestamptz, closes text,
    is_change boolean)`;
  await tx.execute(sql`
    insert into chat_messages (room_id, seq, said, client_id, kind, system, at)
    select room_id, seq, said, client_id, 'system',
      jsonb_build_object('move', move, 'name', coalesce(${nameOfPerson(sql`person_id`)}, ''))
        || case when message.words <> '' then jsonb_build_object('words', message.words) else '{}' end,
      at
    from ${given}
    left join lateral (${messageOfBooking(sql`room_id`)}) message (words) on move in ${sqlWords(asking)}`);
  if (memberships.length > 0)
    await tx.execute(sql`
    insert into chat_members (room_id, user_id, joined_at, left_at)
    select "roomId", "userId", "joinedAt", "leftAt"
    from jsonb_to_recordset(${JSON.stringify(memberships)}::jsonb)
      as given ("roomId" uuid, "userId" uuid, "joinedAt" timestamptz, "leftAt" timestamptz)
    on conflict (room_id, user_id) do update set left_at = excluded.left_at`);
  await tx.execute(sql`
    update chat_rooms as room set last_seq = moved.last_seq, members_version = room.members_version + moved.changes,
      closed_at = coalesce(room.closed_at, moved.closed_at),
      closed_because = coalesce(room.closed_because, moved.closed_because)
    from (
      select room_id, max(seq) as last_seq, count(*) filter (where is_change) as changes,
        (array_agg(at order by seq) filter (where closes is not null))[1] as closed_at,
        (array_agg(closes order by seq) filter (where closes is not null))[1] as closed_because
      from ${given} group by room_id
    ) moved where room.id = moved.room_id`);
}

const columnsOf = ({ room, seq, said, clientId, move, personId, at, enters, leaves, closes }: MoveLine) => ({
  room_id: room.id,
  seq,
  said,
  client_id: clientId,
  move,
  person_id: personId,
  at,
  closes,
  is_change: enters.length > 0 || leaves !== null || closes !== null,
});
