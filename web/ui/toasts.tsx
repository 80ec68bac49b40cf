import { Toaster, toast as sonner } from 'sonner';

/** A message with more words than this cannot be read in two seconds. */
const mostShortWords = 8;
/** Nor can one long word, such as an address. */
const mostShortCharacters = 60;

/** Whether a message has to stay until its person has read it. */
export function staysUntilRead(words: string): boolean {
  // Knows the words of languages that write none between spaces, too.
  const parts = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(words);
  const count = [...parts].filter(({ isWordLike }) => isWordLike === true).length;
  return count > mostShortWords || words.length > mostShortCharacters;
}

/**
 * How a message is shown: for its time when it is short, else until it is closed. The same words show once.
 */
const lasting = (words: string, duration: number) =>
  staysUntilRead(words)
    ? { id: words, duration: Infinity, closeButton: true }
    : { id: words, duration, closeButton: false };

/**
 * Messages: short ones go by themselves, after 2 s for news, 3 s for a refusal, 8 s for server trouble; long
 * ones stay.
 */
export const toast = {
  done: (words: string): void => {
    sonner.success(words, lasting(words, 2000));
  },
  info: (words: string): void => {
    sonner(words, lasting(words, 2000));
  },
  error: (words: string): void => {
    sonner.error(words, lasting(words, 3000));
  },
  trouble: (words: string): void => {
    sonner.error(words, lasting(words, 8000));
  },
};

/**
 * Where toasts appear; stands once in the shell. `label` names the region for screen readers, which announce
 * each.
 */
export function Toasts({ label, closeLabel }: { label: string; closeLabel: string }) {
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
