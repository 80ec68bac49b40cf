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

/** Says that a part of the first page is still on its way. Returns what says that it has come. */
export function holdFirstScreen(): () => void {
  const hold = Symbol('hold');
  holds.add(hold);
  return () => {
    holds.delete(hold);
    if (holds.size === 0) noteFree();
  };
}

/** Settles when no part of the page is on its way. */
export async function partsShown(): Promise<void> {
  while (holds.size > 0)
    await new Promise<void>((resolve) => {
      noteFree = resolve;
    });
}

/** Says that the first page is there, with what it reads. */
export const firstScreenShown = (): void => noteShown();

/** Settles when the first page is there and the device has nothing else to do. */
export const afterFirstScreen: Promise<void> = shown.then(
  () =>
    new Promise((resolve) => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: busyMs });
      else setTimeout(resolve, 200);
    }),
);

let isThere = false;
void afterFirstScreen.then(() => {
  isThere = true;
});

/** Whether the first page is there: what is drawn from then on need not come in steps. */
export const isFirstScreenThere = (): boolean => isThere;
