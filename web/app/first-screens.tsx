import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { config } from '#contract/app/endpoints.ts';
import { loadWords, setLanguage, startWords } from '../core/i18n.ts';
import type { Language } from '../core/preferred-language.ts';
import { keyOf } from '../core/queries.ts';
import { queryClient } from '../core/query-client.ts';
import { Introduction } from '../features/access/introduction.tsx';
import { wordsOfEveryPage, wordsOfPages } from './page-words.ts';
import { appRouter } from './router.tsx';

/** The pages that guests open first. */
export const firstPages = ['/', '/pages/passenger/passenger', '/intro'] as const;

/** What a page looks like to a guest before anything of it has been read. */
export interface FirstScreenAsk {
  address: (typeof firstPages)[number];
  language: Language;
  /** The bar of a demo is above the page. */
  isDemo: boolean;
  /** Tells the ids of one rendering from those of another in the same document. */
  idPrefix: string;
}

/** The app at an address, as HTML. The build calls it, with a stand-in for a browser. */
export async function firstScreen({ address, language, isDemo, idPrefix }: FirstScreenAsk): Promise<string> {
  await startIn(language, address);
  queryClient.clear();
  // Of the configuration only this moves a page; the rest is read.
  if (isDemo) queryClient.setQueryData(keyOf(config, {}), { demo: true, region: { packs: [] } });
  const router = appRouter();
  router.update({
    ...router.options,
    isServer: true,
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  await router.load();
  return renderToString(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
    { identifierPrefix: idPrefix },
  );
}

/** The introduction that lies over home at a first visit. */
export async function greeting(language: Language): Promise<string> {
  await startIn(language, '/intro');
  return renderToString(<Introduction onLeave={() => {}} />, { identifierPrefix: 'greeting' });
}

let isStarted = false;

async function startIn(language: Language, address: (typeof firstPages)[number]): Promise<void> {
  if (!isStarted) await startWords(wordsOfEveryPage);
  isStarted = true;
  await setLanguage(language);
  await loadWords([...wordsOfEveryPage, ...wordsOfPages[address]], language);
}
