import { useSyncExternalStore } from 'react';

const desktop = matchMedia('(min-width: 64rem)');
/** The variant `lying` of theme.css. */
const lying = matchMedia('(orientation: landscape) and (max-height: 520px) and (min-width: 560px)');

const following = (query: MediaQueryList) => (listener: () => void) => {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};
const onDesktop = following(desktop);
const onLying = following(lying);

/** Whether there is room for a rail, a pane and a map side by side (1024 px). */
export function useDesktop(): boolean {
  return useSyncExternalStore(onDesktop, () => desktop.matches);
}

/** Whether a phone lies on its side: the task is next to the map, the tabs at the left. */
export function useLying(): boolean {
  const isDesktop = useDesktop();
  const isLying = useSyncExternalStore(onLying, () => lying.matches);
  return isLying && !isDesktop;
}

/**
 * The height of the window in the person's own text size, under which a map leaves most of it to the task
 * over it.
 */
const fewRem = 36;
const onResize = (listener: () => void) => {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
};
const isShort = () => innerHeight < fewRem * parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Whether few lines of text fit above each other: a small phone, or large text. */
export function useFewLines(): boolean {
  return useSyncExternalStore(onResize, isShort);
}
