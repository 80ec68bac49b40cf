import { randomUUID } from 'node:crypto';
import type { Message } from '#contract/chat/endpoints.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import { movedOn, refuseField } from '../../platform/refusal.ts';
import type { ChatContext } from './context.ts';
import { memberIds, ownRoom } from './rooms.ts';
import * as store from './store.ts';
import { viewMessages } from './view-messages.ts';

/** A message's content: exactly one of text, picture (the id of an upload) and place. */
export interface Said {
  clientId: string;
  text?: string | undefined;
  picture?: string | undefined;
  place?: store.MessageRow['place'] | undefined;
}

const closedWords = {
  ended: ['room.closed', 'The ride has ended, no more messages can be sent.'],
  joined: ['room.joined', 'You’re riding together. Keep chatting in the ride’s chat.'],
  over: ['room.over', 'You’re not riding together, so this chat is closed.'],
} as const;

/**
 * Sends a message; stores the same `clientId` once. Refuses `room.notFound`, and in a closed room
 * `room.closed`, `room.joined` or `room.over`; `upload.gone` for a picture that does not exist or is not the
 * sender's.
 */
export async function sendMessage(
  context: ChatContext,
  roomId: string,
  senderId: string,
  { clientId, text, picture, place }: Said,
): Promise<Message> {
  const { clock } = context.platform;
  const line = {
    id: randomUUID(),
    roomId,
    clientId,
    senderId,
    kind: picture !== undefined ? 'picture' : place !== undefined ? 'place' : 'text',
    text: text ?? '',
    system: null,
    pictureId: picture ?? null,
    place: place ?? null,
    at: clock.now(),
  } as const;
  try {
    const added = await addLine(context, line);
    if (added === null) return await saidBefore(context, line);
    const [message] = await viewMessages(context, [{ ...line, seq: added.seq }]);
    context.platform.realtime.tell(added.memberIds, 'message', message!);
    return message!;
  } catch (error) {
    if (brokenConstraint(error) === 'chat_messages_room_client') return saidBefore(context, line);
    // The picture was removed after its upload, or its id was made up.
    if (brokenConstraint(error)?.startsWith('chat_messages_picture_id'))
      throw refuseField('upload.gone', 'picture', 'We no longer have this photo. Please choose it again.');
    throw error;
  }
}

type Line = Parameters<typeof store.addLine>[1];

/**
 * Adds a line, and adds its sender to the room where they have the right to enter. Null where they may not
 * write.
 */
async function addLine({ platform, pictures }: ChatContext, line: Line) {
  const { db, transact } = platform;
  const { pictureId, senderId: ownerId } = line;
  // One statement is a transaction of its own, and `clientId` prevents a second insert.
  const add = () =>
    pictureId === null
      ? store.addLine(db, line)
      : transact(async (tx) => {
          const shown = await store.addLine(tx, line);
          const which = { ownerId, purpose: 'chat', ids: [pictureId], field: 'picture' } as const;
          if (shown !== null) await pictures.take(tx, which);
          return shown;
        });
  const added = await add();
  if (added !== null) return added;
  return (await store.openByRight(db, line.roomId, ownerId, line.at)) ? add() : null;
}

/** Why a line could not be added: it exists already (returned), or the person may not write here. */
async function saidBefore(context: ChatContext, { roomId, senderId, clientId }: Line): Promise<Message> {
  const { db, realtime } = context.platform;
  const room = await ownRoom(context, roomId, senderId);
  const earlier = await store.earlierLine(db, roomId, clientId);
  if (earlier === null) {
    const [reason, info] = closedWords[room.closedBecause ?? 'ended'];
    throw movedOn(reason, info);
  }
  if (earlier.senderId !== senderId)
    throw refuseField('message.taken', 'clientId', 'This id belongs to another message.');
  const [message] = await viewMessages(context, [earlier]);
  // The process that stored the line may have died before it notified the members; a page that has it shows
  // it once.
  realtime.tell(await memberIds(context, roomId), 'message', message!);
  return message!;
}
