import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { MapView } from './map-view.tsx';
import type { MapViewProps } from './shapes.ts';
import { useDesktop } from '../ui/media.ts';

type Shown = Pick<MapViewProps, 'routes' | 'pins' | 'fit' | 'own' | 'onPin'>;

let shown: Shown = {};
const listeners = new Set<() => void>();
const show = (next: Shown) => {
  shown = next;
  for (const listener of listeners) listener();
};

/** The map next to a page on a desktop. */
export function BackdropMap() {
  const { t } = useTranslation();
  const what = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return <MapView label={t('map.label')} {...what} />;
}

/**
 * Puts routes and pins on the map next to the page while this page is shown on a desktop; true if there is
 * one, so that a page can leave out its own small map. Pass a memoized object.
 */
export function useBackdrop(what: Shown): boolean {
  const desktop = useDesktop();
  useEffect(() => {
    show(what);
    return () => show({});
  }, [what]);
  return desktop;
}
