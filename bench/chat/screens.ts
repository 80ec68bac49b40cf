import type { Message } from '#contract/chat/endpoints.ts';
import type { ChatClient } from '../../server/testing/chat-client.ts';

/** The messages on everyone's screens, compared with those sent. */
export interface Outcome {
  /** Messages that a person sent and the server took. */
  sent: number;
  /** Of those, on the screens of everyone in the room. */
  delivered: number;
  lost: number;
  /** Messages that stand twice on some screen. */
  duplicated: number;
  /**
   * Messages that stand on some screen in another order than they were typed, or than on another screen of
   * the room.
   */
  reordered: number;
}

/** The writer of a message, and its number among theirs. */
export interface Mark {
  writer: number;
  line: number;
}
export const textOf = ({ writer, line }: Mark): string =>
  `${writer}:${line} something that people say to each other`;
const markOf = (text: string): Mark => {
  const [writer = 0, line = 0] = text.split(/[: ]/, 2).map(Number);
  return { writer, line };
};

const texts = (shown: readonly Message[]): string[] =>
  shown.filter(({ kind }) => kind === 'text').map(({ text }) => text);

/**
 * @param rooms the people of each room.
 * @param sentLines how many lines each writer has sent, in all rooms.
 */
export function compareScreens(
  rooms: readonly (readonly ChatClient[])[],
  sentLines: ReadonlyMap<number, number>,
): Outcome {
  let [delivered, duplicated, reordered] = [0, 0, 0];
  for (const people of rooms) {
    const screens = people.map(({ shown }) => texts(shown));
    const onScreens = new Map<string, number>();
    for (const screen of screens) {
      for (const text of new Set(screen)) onScreens.set(text, (onScreens.get(text) ?? 0) + 1);
      duplicated += screen.length - new Set(screen).size;
      reordered += outOfTurn(screen) + screen.filter((text, at) => screens[0]![at] !== text).length;
    }
    delivered += [...onScreens.values()].filter((count) => count === people.length).length;
  }
  const sent = [...sentLines.values()].reduce((sum, lines) => sum + lines, 0);
  return { sent, delivered, lost: sent - delivered, duplicated, reordered };
}

/** Lines that come after a later one of the same writer. */
function outOfTurn(screen: readonly string[]): number {
  const last = new Map<number, number>();
  let wrong = 0;
  for (const text of screen) {
    const { writer, line } = markOf(text);
    if (line <= (last.get(writer) ?? -1)) wrong += 1;
    last.set(writer, line);
  }
  return wrong;
}
