import { Toaster, toast as sonner } from 'sonner';

/** Short words that go by themselves: 2 s for news, 3 s for a refusal, 8 s for server trouble. The same words show once. */
export const toast = {
  done: (words: string): void => {
    sonner.success(words, { id: words, duration: 2000 });
  },
  info: (words: string): void => {
    sonner(words, { id: words, duration: 2000 });
  },
  error: (words: string): void => {
    sonner.error(words, { id: words, duration: 3000 });
  },
  trouble: (words: string): void => {
    sonner.error(words, { id: words, duration: 8000 });
  },
};

/** Where toasts appear; stands once in the shell. `label` names the region for screen readers. */
export function Toasts({ label }: { label: string }) {
  return (
    <Toaster
      position="top-center"
      theme="dark"
      containerAriaLabel={label}
      offset={{ top: 'calc(env(safe-area-inset-top) + 12px)' }}
      mobileOffset={{ top: 'calc(env(safe-area-inset-top) + 12px)', left: 16, right: 16 }}
      toastOptions={{
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
