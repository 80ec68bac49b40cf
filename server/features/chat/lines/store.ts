import { sql, type SQL } from 'drizzle-orm';
import { isActive } from '../../identity/queries.ts';
import type { MessageRow } from '../store.ts';

/** A line as its sender said it: it has no position yet. */
export type NewLine = Omit<MessageRow, 'seq' | 'said' | 'system' | 'senderId'> & { senderId: string };

/** The outcome of one of the given lines; one that was not added has no row. */
export interface AddedLine {
  /** Which of the given lines, from 1. */
  n: number;
  seq: number;
  said: number;
  membersVersion: number;
}

/** All values of one column, as one parameter. */
const column = (lines: readonly NewLine[], of: (line: NewLine) => string | null): SQL =>
  sql`${sql.param(lines.map(of))}`;

/**
 * Adds members' lines at the ends of their open rooms, in one statement. Rooms are locked in the order of
 * their ids, so that two processes never wait for each other. Left out are lines of people who are no members
 * or are suspended, lines for a closed room, and lines that exist already; two that are said at the same
 * moment through two processes violate `chat_messages_room_client`.
 * @param lines no two of them with the same room and client id.
 */
export const addLines = (lines: readonly NewLine[]): SQL => sql`
  with given as (
    select * from unnest(
      ${column(lines, (line) => line.roomId)}::uuid[], ${column(lines, (line) => line.clientId)}::uuid[],
      ${column(lines, (line) => line.senderId)}::uuid[], ${column(lines, (line) => line.kind)}::text[],
      ${column(lines, (line) => line.text)}::text[], ${column(lines, (line) => line.pictureId)}::uuid[],
      ${column(lines, ({ place }) => (place === null ? null : JSON.stringify(place)))}::jsonb[],
      ${column(lines, (line) => line.at.toISOString())}::timestamptz[]
    ) with ordinality as line (room_id, client_id, sender_id, kind, text, picture_id, place, at, n)
  ), room as (
    select id from chat_rooms where id = any(${column(lines, (line) => line.roomId)}::uuid[])
    order by id for no key update
  ), locked as materialized (
    select count(*) from room
  ), fresh as (
    select given.*, (row_number() over (partition by given.room_id order by given.n))::int as nth,
      (count(*) over (partition by given.room_id))::int as total
    from given, locked
    where (select m.left_at is null from chat_members m where m.room_id = given.room_id and m.user_id = given.sender_id)
      and (select c.seq from chat_messages c where c.room_id = given.room_id and c.client_id = given.client_id) is null
      and ${isActive(sql`given.sender_id`)}
  ), moved as (
    update chat_rooms r set last_seq = r.last_seq + lines.total, said = r.said + lines.total
    from (select distinct room_id, total from fresh) lines where r.id = lines.room_id and r.closed_at is null
    returning r.id, r.last_seq - lines.total as last_seq, r.said - lines.total as said, r.members_version
  ), ends as materialized (
    -- Looked up by room: a join would hold each line against each room.
    select jsonb_object_agg(id, array[last_seq, said, members_version]) as of_rooms from moved
  ), placed as (
    select fresh.*, (room_end ->> 0)::int + nth as seq, (room_end ->> 1)::int + nth as said,
      (room_end ->> 2)::int as members_version
    from ends, fresh, lateral (select ends.of_rooms -> fresh.room_id::text as room_end offset 0) as looked_up
    where room_end is not null
  ), added as (
    insert into chat_messages (room_id, seq, said, client_id, sender_id, kind, text, picture_id, place, at)
    select room_id, seq, said, client_id, sender_id, kind, text, picture_id, place, at from placed
  ), mark as (
    -- Who writes has read what stands above, and does not count their own line as unread.
    update chat_members m set read_seq = greatest(m.read_seq, own.seq), read_said = greatest(m.read_said, own.said)
    from (select room_id, sender_id, max(seq) as seq, max(said) as said from placed group by room_id, sender_id) own
    where m.room_id = own.room_id and m.user_id = own.sender_id
  )
  select n::int as n, seq, said, members_version as "membersVersion" from placed`;
