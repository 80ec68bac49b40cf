import type { RealtimeSocket } from './socket-sessions.ts';

/** How the library writes what waits for a connection, which its types hide. */
interface Writing {
  readonly writeBuffer: readonly unknown[];
  flush(): void;
}

/**
 * Writes what is said to a socket in one turn of the event loop in one call of the system: the lines of a
 * batch and the answers to its own. The library makes a call for each packet, which costs the server more
 * than the packet itself, and wakes the app for each.
 * @returns what is called with each socket that opens.
 */
export function createGatheredWrites(): (socket: RealtimeSocket) => void {
  let due: (() => void)[] = [];
  const writeDue = () => {
    const writes = due;
    due = [];
    for (const write of writes) write();
  };
  return ({ conn }) => {
    const writing = conn as unknown as Writing;
    const flush = writing.flush.bind(conn);
    const { socket: stream } = conn.request;
    let isDue = false;
    const write = () => {
      isDue = false;
      stream.cork();
      flush();
      stream.uncork();
    };
    writing.flush = () => {
      if (isDue || writing.writeBuffer.length === 0) return;
      isDue = true;
      if (due.push(write) === 1) setImmediate(writeDue);
    };
  };
}
