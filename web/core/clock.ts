import { useEffect, useState } from 'react';

// The server's clock is the product's clock: a demo can move it, and a phone's own clock can be wrong.
let offset = 0;
const listeners = new Set<() => void>();

/** Takes the server's time as the truth from here on. */
export function setServerNow(iso: string): void {
  const next = Date.parse(iso) - Date.now();
  // Below a second it is only the network's delay, and shown times would tremble.
  if (Number.isNaN(next) || Math.abs(next - offset) < 1000) return;
  offset = next;
  for (const listener of listeners) listener();
}

/** Milliseconds since 1970 by the server's clock. */
export const now = (): number => Date.now() + offset;

/** The server's time, fresh every `everyMs` and at once when the clock is moved. */
export function useNow(everyMs = 30_000): number {
  const [at, setAt] = useState(now);
  useEffect(() => {
    const tick = () => setAt(now());
    tick();
    const timer = setInterval(tick, everyMs);
    listeners.add(tick);
    return () => {
      clearInterval(timer);
      listeners.delete(tick);
    };
  }, [everyMs]);
  return at;
}
