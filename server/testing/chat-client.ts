import { setTimeout as sleep } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { msgList, roomDetail, sendMessage, unreadCount, type Message } from '#contract/chat/endpoints.ts';
import type { Envelope } from '#contract/envelope.ts';
import { realtimePath, type RealtimeFromClient, type RealtimeFromServer } from '#contract/realtime.ts';
import { readEnvelope } from './envelopes.ts';

export type LiveClient = Socket<RealtimeFromServer, RealtimeFromClient>;

/** How long one call may take before it is tried elsewhere. */
const patienceMs = 5000;
const pauseMs = 150;
const mostAtOnce = 200;
/** A line that arrives before its predecessor waits this long for it. */
const overtakenWithinMs = 500;
/** Shortest interval between two read marks of a person. */
const marksEveryMs = 2000;

/**
 * Opens a live connection as the app does.
 * @param localAddress the address of this machine that it comes from; the server limits the sockets of one.
 */
export function openLive(url: string, token: string, localAddress?: string): LiveClient {
  const options = {
    path: realtimePath,
    transports: ['websocket'],
    auth: { token },
    reconnection: false,
    forceNew: true,
    // Passed on to the socket, though the library's types do not name it.
    localAddress,
  };
  return io(url, options);
}

/**
 * A person with the app open in one room, as the app behaves: typed text waits in a queue and is sent in
 * order over the live connection, again and again with the same id until the server has it; lines that arrive
 * are shown by their position, each once, and a gap that remains is read; a line on the screen counts as
 * read, and its mark is sent; unread lines and the read marks of all come from arriving events, and are read
 * once for each connection; a lost connection is opened again at the next address.
 */
export class ChatClient {
  /** The lines on this person's screen, by position. */
  readonly shown: Message[] = [];
  /** Ids of this person's messages that the server has acknowledged, in the order they were typed. */
  readonly acknowledged: string[] = [];
  /** Messages that came over the socket in another order than that of their positions, or again. */
  arrivedOutOfOrder = 0;
  arrivedAgain = 0;
  /** Pages of the room that were read: one at each connection, more where a gap stayed. */
  pagesRead = 0;
  /** Unread lines in all rooms, and how far each member of the room has read. */
  unread = 0;
  readonly readSeqs = new Map<string, number>();
  readonly #userId: string;
  readonly #urls: readonly string[];
  readonly #token: string;
  readonly #roomid: string;
  readonly #localAddress: string | undefined;
  readonly #onShown: (message: Message) => void;
  #at: number;
  #socket: LiveClient | null = null;
  #stopped = false;
  #reading = false;
  #readAgain = false;
  /** Lines that arrived before their predecessors, by position. */
  readonly #early = new Map<number, Message>();
  #waiting: NodeJS.Timeout | null = null;
  #highestArrived = 0;
  #toldSeq = 0;
  #telling: NodeJS.Timeout | null = null;

  /**
   * @param of.first the address of `urls` to begin with.
   * @param of.localAddress the address of this machine that its socket comes from.
   */
  constructor(of: {
    urls: readonly string[];
    first: number;
    userId: string;
    token: string;
    roomid: string;
    localAddress?: string;
    onShown?: (message: Message) => void;
  }) {
    this.#urls = of.urls;
    this.#at = of.first;
    this.#userId = of.userId;
    this.#token = of.token;
    this.#roomid = of.roomid;
    this.#localAddress = of.localAddress;
    this.#onShown = of.onShown ?? (() => {});
  }

  get connected(): boolean {
    return this.#socket?.connected === true;
  }

  /** The address of the process that this person is at. */
  get at(): string {
    return this.#url();
  }

  /** Goes online and stays it until `stop`. Resolves with the first connection. */
  async start(): Promise<void> {
    this.#open();
    while (!this.connected && !this.#stopped) await sleep(20);
  }

  #open(): void {
    if (this.#stopped) return;
    const url = this.#url();
    const socket = openLive(url, this.#token, this.#localAddress);
    this.#socket = socket;
    const again = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      socket.disconnect();
      this.#leave(url);
      setTimeout(() => this.#open(), pauseMs * (1 + Math.random()));
    };
    const readAll = () => {
      void this.catchUp();
      void this.#readRoom();
    };
    socket.on('connect', readAll);
    socket.on('missed', readAll);
    socket.on('changed', ({ topic }) => {
      if (topic === 'room') void this.#readRoom();
    });
    socket.on('read', ({ roomid, userId, seq, unread }) => {
      if (roomid !== this.#roomid) return;
      this.readSeqs.set(userId, seq);
      if (userId === this.#userId) this.unread = unread;
    });
    socket.on('message', (message) => this.#take(message));
    socket.on('disconnect', again);
    socket.on('connect_error', again);
  }

  #url(): string {
    return this.#urls[this.#at % this.#urls.length]!;
  }

  /**
   * The process behind an address is gone: the next one is asked, unless an earlier call has noticed already.
   */
  #leave(url: string): void {
    if (url === this.#url()) this.#at += 1;
  }

  #take(message: Message): void {
    if (message.roomid !== this.#roomid) return;
    if (message.seq < this.#highestArrived) this.arrivedOutOfOrder += 1;
    else if (message.seq === this.#highestArrived) this.arrivedAgain += 1;
    if (message.seq > this.#highestArrived && message.senderId !== this.#userId) this.unread += 1;
    this.#highestArrived = Math.max(this.#highestArrived, message.seq);
    this.#telling ??= setTimeout(() => this.#tellMark(), marksEveryMs);
    if (message.seq <= this.#lastSeq() + 1) {
      this.#show([message]);
      return;
    }
    this.#early.set(message.seq, message);
    if (this.#waiting === null) this.#waitForOvertaken();
  }

  /** Each gap has its own time to be filled. */
  #waitForOvertaken(): void {
    clearTimeout(this.#waiting ?? undefined);
    this.#waiting =
      this.#early.size === 0
        ? null
        : setTimeout(() => {
            this.#waiting = null;
            void this.catchUp();
          }, overtakenWithinMs);
  }

  #tellMark(): void {
    this.#telling = null;
    const seq = this.#lastSeq();
    if (seq <= this.#toldSeq || this.#stopped) return;
    this.#toldSeq = seq;
    this.#socket?.emit('read', { roomid: this.#roomid, seq }, () => {});
  }

  /** The app's reads of a room at a new connection, and when its members have changed. */
  async #readRoom(): Promise<void> {
    const [counted, room] = await Promise.all([
      this.#call(unreadCount.path, {}),
      this.#call(`${roomDetail.path}?roomid=${this.#roomid}`, {}),
    ]);
    if (counted !== null) this.unread = unreadCount.output.parse(counted).unread;
    if (room !== null)
      for (const { id, readSeq } of roomDetail.output.parse(room).members) this.readSeqs.set(id, readSeq);
  }

  #lastSeq(): number {
    return this.shown.at(-1)?.seq ?? 0;
  }

  #show(messages: readonly Message[]): void {
    const before = this.#lastSeq();
    for (const message of messages) this.#showNext(message);
    if (this.#early.size === 0) return;
    for (const seq of [...this.#early.keys()].toSorted((a, b) => a - b)) {
      this.#showNext(this.#early.get(seq)!);
      if (seq <= this.#lastSeq()) this.#early.delete(seq);
    }
    if (this.#lastSeq() > before) this.#waitForOvertaken();
  }

  #showNext(message: Message): void {
    if (message.seq !== this.#lastSeq() + 1) return;
    this.shown.push(message);
    this.#onShown(message);
  }

  /** Reads everything after the last position shown. */
  async catchUp(): Promise<void> {
    this.#readAgain = true;
    if (this.#reading) return;
    this.#reading = true;
    while (this.#readAgain && !this.#stopped) {
      this.#readAgain = false;
      const query = new URLSearchParams({
        roomid: this.#roomid,
        offset: '0',
        size: String(mostAtOnce),
        after: String(this.#lastSeq()),
      });
      this.pagesRead += 1;
      const answer = await this.#call(`${msgList.path}?${query.toString()}`, {});
      if (answer === null) {
        this.#readAgain = true;
        await sleep(pauseMs);
        continue;
      }
      const { messages } = msgList.output.parse(answer);
      this.#show(messages);
      if (messages.length === mostAtOnce) this.#readAgain = true;
    }
    this.#reading = false;
  }

  /**
   * Sends one message, until the server has taken it; wait for it before the next, as the app's queue does.
   */
  async say(text: string): Promise<void> {
    const clientId = crypto.randomUUID();
    const line = { roomid: this.#roomid, clientId, text };
    for (;;) {
      const taken =
        (await this.#sayLive(line)) ??
        ((await this.#call(sendMessage.path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(line),
        })) as Message | null);
      if (taken !== null) {
        this.acknowledged.push(clientId);
        return;
      }
      await sleep(pauseMs * (1 + Math.random()));
    }
  }

  async #sayLive(line: { roomid: string; clientId: string; text: string }): Promise<Message | null> {
    const socket = this.#socket;
    if (socket?.connected !== true) return null;
    const answer: Envelope<Message> | null = await socket
      .timeout(patienceMs)
      .emitWithAck('send', line)
      .catch(() => null);
    if (answer !== null && answer.code !== 200 && answer.code !== 429)
      throw new Refused(`${sendMessage.path}: ${answer.code} ${answer.info}`);
    return answer?.data ?? null;
  }

  /** The answer's data; null when it did not come and the call is worth trying again. */
  async #call(
    path: string,
    init: { method?: string; body?: string; headers?: Record<string, string> },
  ): Promise<unknown> {
    const url = this.#url();
    try {
      const response = await fetch(url + path, {
        ...init,
        headers: { ...init.headers, accept: 'application/json', authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(patienceMs),
      });
      const envelope = readEnvelope(await response.json());
      if (envelope.code === 200) return envelope.data;
      if (envelope.code !== 429) throw new Refused(`${path}: ${envelope.code} ${envelope.info}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      this.#leave(url);
    }
    return null;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#telling ?? undefined);
    clearTimeout(this.#waiting ?? undefined);
    this.#socket?.disconnect();
  }
}

class Refused extends Error {}
