/** A page that has not come by then lets the rest begin without it. */
const longestMs = 6000;
/** A busy device begins by then. */
const busyMs = 2000;

let noteShown = () => {};
const shown = new Promise<void>((resolve) => {
  noteShown = resolve;
});
setTimeout(noteShown, longestMs);

const holds = new Set<symbol>();
let noteFree = () => {};

/** Reports that a part of the first page is still loading. Returns a function that reports its arrival. */
export function holdFirstScreen(): () => void {
  const hold = Symbol('hold');
  holds.add(hold);
  return () => {
    holds.delete(hold);
    if (holds.size === 0) noteFree();
  };
}

/** Resolves when no part of the page is loading. */
export async function partsShown(): Promise<void> {
  while (holds.size > 0)
    await new Promise<void>((resolve) => {
      noteFree = resolve;
    });
}

/** Reports that the first page and its reads have loaded. */
export const firstScreenShown = (): void => noteShown();

const isIdle: Promise<void> = shown.then(
  () =>
    new Promise((resolve) => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: busyMs });
      else setTimeout(resolve, 200);
    }),
);

let isThere = false;
void isIdle.then(() => {
  isThere = true;
});

let lastTurn = isIdle;

/**
 * Resolves when the first page is there and the device has nothing else to do. Every caller gets a task of
 * its own, in the order of the calls: all of the later work in one task would hold up a tap.
 */
export function afterFirstScreen(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setTimeout(resolve)));
  return lastTurn;
}

/** Whether the first page has loaded: later lists are drawn at once. */
export const isFirstScreenThere = (): boolean => isThere;
