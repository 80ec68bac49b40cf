import { useEffect, useState, type ComponentType } from 'react';
import { addToast, whenToastsWait, type Toast } from './toast-queue.ts';

/** A message with more words than this cannot be read in two seconds. */
const mostShortWords = 8;
/** Nor can one long word, such as an address. */
const mostShortCharacters = 60;

/** By then the first screen is there. */
const quietMs = 4000;

/** Whether a message has to stay until its person has read it. */
export function staysUntilRead(words: string): boolean {
  // Knows the words of languages that write none between spaces, too.
  const parts = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(words);
  const count = [...parts].filter(({ isWordLike }) => isWordLike === true).length;
  return count > mostShortWords || words.length > mostShortCharacters;
}

function ask(kind: Toast['kind'], words: string, durationMs: number): void {
  addToast({ kind, words, durationMs: staysUntilRead(words) ? Infinity : durationMs });
}

/**
 * Messages: short ones go by themselves, after 2 s for a success, 3 s for a refusal, 8 s for server trouble;
 * long ones stay.
 */
export const toast = {
  done: (words: string): void => ask('done', words, 2000),
  info: (words: string): void => ask('info', words, 2000),
  error: (words: string): void => ask('error', words, 3000),
  trouble: (words: string): void => ask('error', words, 8000),
};

/**
 * Where toasts appear; once in the shell. Their component is loaded with the first message, or while nothing
 * else is done. `label` names the region for screen readers, which announce each.
 */
export function Toasts(words: { label: string; closeLabel: string }) {
  const [List, setList] = useState<ComponentType<typeof words> | null>(null);
  useEffect(() => {
    // What did not arrive is asked for again by the next message.
    const load = () =>
      void import('./toaster.tsx').then(
        ({ ToastList }) => setList(() => ToastList),
        () => {},
      );
    const stop = whenToastsWait(load);
    const timer = setTimeout(load, quietMs);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  return List && <List {...words} />;
}
