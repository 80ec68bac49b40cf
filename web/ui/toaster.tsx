import { useEffect, useState } from 'react';
import { Toaster, toast as sonner } from 'sonner';
import 'sonner/dist/styles.css';
import { showToasts, type Toast } from './toast-queue.ts';

const kinds = { done: sonner.success, info: sonner, error: sonner.error };

/** The same words show once. */
function show({ kind, words, durationMs }: Toast): void {
  kinds[kind](words, { id: words, duration: durationMs, closeButton: durationMs === Infinity });
}

const gapPx = 12;
/** A title bar that begins lower than this belongs to a dialog at the bottom of the screen. */
const highestBarPx = 160;

/** Where the title bars at the top of the screen end, in px; 0 where there is none. */
const endOfTitleBars = (): number =>
  Math.max(
    0,
    ...[...document.querySelectorAll('[data-title-bar]')]
      .map((bar) => bar.getBoundingClientRect())
      .filter(({ top }) => top < highestBarPx)
      .map(({ bottom }) => bottom),
  );

/** The toasts on the screen: below its title bar, which has the way back. */
export function ToastList({ label, closeLabel }: { label: string; closeLabel: string }) {
  const [barEnd, setBarEnd] = useState(0);
  // After the list below has begun to listen.
  useEffect(
    () =>
      showToasts((toast) => {
        setBarEnd(endOfTitleBars());
        show(toast);
      }),
    [],
  );
  const top = barEnd === 0 ? `calc(env(safe-area-inset-top) + ${gapPx}px)` : `${barEnd + gapPx}px`;
  return (
    <Toaster
      position="top-center"
      theme="dark"
      containerAriaLabel={label}
      offset={{ top }}
      mobileOffset={{ top, left: 16, right: 16 }}
      toastOptions={{
        closeButtonAriaLabel: closeLabel,
        style: {
          background: 'var(--color-ink)',
          color: 'var(--color-white)',
          border: 'none',
          borderRadius: 'var(--radius-control)',
          fontFamily: 'var(--font-sans)',
          fontSize: 'var(--text-body)',
          boxShadow: 'var(--shadow-sheet)',
        },
      }}
    />
  );
}
