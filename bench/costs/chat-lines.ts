import { randomUUID } from 'node:crypto';
import { roomList } from '#contract/chat/endpoints.ts';
import { readEnvelope } from '../../server/testing/envelopes.ts';
import { openLive, type LiveClient } from '../../server/testing/chat-client.ts';
import type { TestPerson } from '../../server/testing/people.ts';

const linesEach = 10;
/** The server's limit of sockets for one network; Linux has as many loopback addresses as are wanted. */
const peoplePerAddress = 200;

interface Seat {
  socket: LiveClient;
  roomid: string;
}

/** People who talk over open connections, each in the room of their ride. */
export class ChatLines {
  readonly #seats: readonly Seat[];

  private constructor(seats: readonly Seat[]) {
    this.#seats = seats;
  }

  static async open(url: string, people: readonly TestPerson[]): Promise<ChatLines> {
    const seats: Seat[] = [];
    for (const [index, { token }] of people.entries()) {
      const answer = await fetch(`${url}${roomList.path}`, { headers: { authorization: `Bearer ${token}` } });
      const { rooms } = roomList.output.parse(readEnvelope(await answer.json()).data);
      const socket = openLive(url, token, `127.0.0.${2 + Math.floor(index / peoplePerAddress)}`);
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('connect_error', reject);
      });
      seats.push({ socket, roomid: rooms[0]!.roomid });
    }
    return new ChatLines(seats);
  }

  get count(): number {
    return this.#seats.length * linesEach;
  }

  /** Each person says their lines one after another, all people side by side. */
  async say(): Promise<void> {
    await Promise.all(
      this.#seats.map(async ({ socket, roomid }) => {
        for (let line = 0; line < linesEach; line++) {
          const said = { roomid, clientId: randomUUID(), text: `See you at the corner, ${line}` };
          const answer = await socket.emitWithAck('send', said);
          if (answer?.code !== 200) throw new Error(`A line was refused: ${answer?.info}`);
        }
      }),
    );
  }

  close(): void {
    for (const { socket } of this.#seats) socket.disconnect();
  }
}
