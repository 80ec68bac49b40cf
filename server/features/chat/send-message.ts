import type { Message } from '#contract/chat/endpoints.ts';
import type { App } from '../../app-type.ts';
import { brokenConstraint } from '../../platform/database/db.ts';
import { movedOn, refuseField } from '../../platform/refusal.ts';
import { takePictures } from '../pictures/service.ts';
import { addLines, type AddedLine, type NewLine } from './lines/store.ts';
import { memberIds, ownRoom, viewMessages } from './rooms.ts';
import * as store from './store.ts';

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
  app: App,
  roomId: string,
  senderId: string,
  { clientId, text, picture, place }: Said,
): Promise<Message> {
  const { clock } = app;
  const line: NewLine = {
    roomId,
    clientId,
    senderId,
    kind: picture !== undefined ? 'picture' : place !== undefined ? 'place' : 'text',
    text: text ?? '',
    pictureId: picture ?? null,
    place: place ?? null,
    at: clock.now(),
  };
  try {
    const add = () =>
      picture === undefined ? app.chat.lines.add(line) : addPicture(app, { ...line, pictureId: picture });
    const added = (await add()) ?? ((await mayEnter(app, line)) ? await add() : null);
    return added ?? (await saidBefore(app, line));
  } catch (error) {
    if (brokenConstraint(error) === 'chat_messages_room_client') return saidBefore(app, line);
    // The picture was removed after its upload, or its id was made up.
    if (brokenConstraint(error)?.startsWith('chat_messages_picture_id'))
      throw refuseField('upload.gone', 'picture', 'We no longer have this photo. Please choose it again.');
    throw error;
  }
}

const mayEnter = (app: App, { roomId, senderId, at }: NewLine): Promise<boolean> =>
  store.openByRight(app.db, roomId, senderId, at);

/** Adds a line and takes its picture, both or neither. */
async function addPicture(app: App, line: NewLine & { pictureId: string }): Promise<Message | null> {
  const { pictureId, senderId: ownerId, roomId } = line;
  const added = await app.transact('add picture', async (tx) => {
    const [row] = (await tx.execute<AddedLine & Record<string, unknown>>(addLines([line]))).rows;
    if (row !== undefined)
      await takePictures(app, tx, { ownerId, purpose: 'chat', ids: [pictureId], field: 'picture' });
    return row ?? null;
  });
  if (added === null) return null;
  const { seq, said, membersVersion } = added;
  const [message] = await viewMessages(app, [{ ...line, seq, said, system: null }]);
  const rooms = await app.chat.members.at(new Map([[roomId, membersVersion]]));
  app.realtime.tell(rooms.get(roomId)?.ids ?? [], 'message', message!);
  return message!;
}

/** Why a line could not be added: it exists already (returned), or the person may not write here. */
async function saidBefore(app: App, { roomId, senderId, clientId }: NewLine): Promise<Message> {
  const { db, realtime } = app;
  const room = await ownRoom(app, roomId, senderId);
  const earlier = await store.earlierLine(db, roomId, clientId);
  if (earlier === null) {
    const [reason, info] = closedWords[room.closedBecause ?? 'ended'];
    throw movedOn(reason, info);
  }
  if (earlier.senderId !== senderId)
    throw refuseField('message.taken', 'clientId', 'This id belongs to another message.');
  const [message] = await viewMessages(app, [earlier]);
  // The process that stored the line may have died before it notified the members; a page that has it shows
  // it once.
  realtime.tell(await memberIds(app, roomId), 'message', message!);
  return message!;
}
