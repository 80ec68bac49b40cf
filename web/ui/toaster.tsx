import { useEffect } from 'react';
import { Toaster, toast as sonner } from 'sonner';
import 'sonner/dist/styles.css';
import { showToasts, type Toast } from './toast-queue.ts';

const kinds = { done: sonner.success, info: sonner, error: sonner.error };

/** The same words show once. */
function show({ kind, words, durationMs }: Toast): void {
  kinds[kind](words, { id: words, duration: durationMs, closeButton: durationMs === Infinity });
}

/** The toasts on the screen. */
export function ToastList({ label, closeLabel }: { label: string; closeLabel: string }) {
  // After the list below has begun to listen.
  useEffect(() => showToasts(show), []);
  return (
    <Toaster
      position="top-center"
      theme="dark"
      containerAriaLabel={label}
      offset={{ top: 'calc(env(safe-area-inset-top) + 12px)' }}
      mobileOffset={{ top: 'calc(env(safe-area-inset-top) + 12px)', left: 16, right: 16 }}
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
