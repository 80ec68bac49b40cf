import { useSyncExternalStore } from 'react';

// The server's clock is the product's clock: a demo can move it, and a phone's own clock can be wrong.
let offset = 0;

/**
 * One timer for everything that redraws at an interval, in step with the clock: each minute on the minute.
 */
interface Ticker {
  at: number;
  listeners: Set<() => void>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const tickers = new Map<number, Ticker>();

/** Takes the server's time as the truth from here on. */
export function setServerNow(iso: string): void {
  const next = Date.parse(iso) - Date.now();
  // Below a second it is only the network's delay, and shown times would tremble.
  if (Number.isNaN(next) || Math.abs(next - offset) < 1000) return;
  offset = next;
  for (const [everyMs, ticker] of tickers) tick(everyMs, ticker);
}

/** Milliseconds since 1970 by the server's clock. */
export const now = (): number => Date.now() + offset;

/** An instant of this device's clock by the server's clock, both in milliseconds since 1970. */
export const byServer = (deviceMs: number): number => deviceMs + offset;

function tickerOf(everyMs: number): Ticker {
  const known = tickers.get(everyMs);
  if (known !== undefined) return known;
  const made: Ticker = { at: now(), listeners: new Set(), timer: undefined };
  tickers.set(everyMs, made);
  return made;
}

/** Tells all listeners the new time, and comes back at the next full step of the clock. */
function tick(everyMs: number, ticker: Ticker): void {
  clearTimeout(ticker.timer);
  ticker.timer = undefined;
  ticker.at = now();
  if (ticker.listeners.size === 0) return;
  ticker.timer = setTimeout(() => tick(everyMs, ticker), everyMs - (ticker.at % everyMs));
  for (const listener of ticker.listeners) listener();
}

function subscribeTo(everyMs: number): (listener: () => void) => () => void {
  return (listener) => {
    const ticker = tickerOf(everyMs);
    ticker.listeners.add(listener);
    if (ticker.timer === undefined) tick(everyMs, ticker);
    return () => {
      ticker.listeners.delete(listener);
      if (ticker.listeners.size > 0) return;
      clearTimeout(ticker.timer);
      ticker.timer = undefined;
    };
  };
}

const subscriptions = new Map<number, ReturnType<typeof subscribeTo>>();

/** The time that a ticker showed last; the present one where it rested, since it may have for long. */
function readTicker(everyMs: number): number {
  const ticker = tickerOf(everyMs);
  if (ticker.timer === undefined && Math.abs(now() - ticker.at) >= everyMs) ticker.at = now();
  return ticker.at;
}

/**
 * The server's time, fresh every `everyMs` and at once when the clock is moved; one timer for all who ask.
 */
export function useNow(everyMs = 30_000): number {
  let subscribe = subscriptions.get(everyMs);
  if (subscribe === undefined) {
    subscribe = subscribeTo(everyMs);
    subscriptions.set(everyMs, subscribe);
  }
  return useSyncExternalStore(subscribe, () => readTicker(everyMs));
}
