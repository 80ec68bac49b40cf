/** A page that has not come by then lets the rest begin without it. */
const longestMs = 10_000;
/** A busy device begins by then. */
const busyMs = 2000;

let noteShown = () => {};
const shown = new Promise<void>((resolve) => {
  noteShown = resolve;
});
setTimeout(noteShown, longestMs);

/** Says that the first page is there. */
export const firstScreenShown = (): void => noteShown();

/** Settles when the first page is there and the device has nothing else to do. */
export const afterFirstScreen: Promise<void> = shown.then(
  () =>
    new Promise((resolve) => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: busyMs });
      else setTimeout(resolve, 200);
    }),
);
