import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import type { Namespace } from '#locales/en.ts';
import { afterFirstScreen } from './first-screen.ts';
import { loadWords } from './i18n.ts';

/** A component whose code and words are loaded when it is first drawn, side by side. */
export const lazyPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  words: readonly Namespace[],
): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => {
    const [part] = await Promise.all([load(), loadWords(words)]);
    return { default: part };
  });

/** One that is no part of the first screen: nothing of it is asked for before that is there. */
export const laterPart = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  words: readonly Namespace[],
): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => {
    await afterFirstScreen();
    const [part] = await Promise.all([load(), loadWords(words)]);
    return { default: part };
  });
