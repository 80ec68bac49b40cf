import { useSyncExternalStore } from 'react';

const desktop = matchMedia('(min-width: 64rem)');

const subscribe = (listener: () => void) => {
  desktop.addEventListener('change', listener);
  return () => desktop.removeEventListener('change', listener);
};

/** Whether there is room for a rail, a pane and a map side by side (1024 px). */
export function useDesktop(): boolean {
  return useSyncExternalStore(subscribe, () => desktop.matches);
}
