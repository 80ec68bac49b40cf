import { useEffect } from 'react';

/** Keeps the screen on while the page is visible and `active`. */
export function useWakeLock(active: boolean): void {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return undefined;
    let lock: WakeLockSentinel | null = null;
    let here = true;
    const keepAwake = () => {
      if (document.visibilityState !== 'visible') return;
      navigator.wakeLock.request('screen').then(
        (got) => {
          if (here) lock = got;
          else void got.release();
        },
        // A low battery may refuse it; the ride goes on with a dark screen.
        () => undefined,
      );
    };
    keepAwake();
    document.addEventListener('visibilitychange', keepAwake);
    return () => {
      here = false;
      document.removeEventListener('visibilitychange', keepAwake);
      void lock?.release();
    };
  }, [active]);
}
