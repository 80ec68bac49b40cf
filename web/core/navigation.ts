import { useCanGoBack, useMatches, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type common from '#locales/en/common.json';
import { parsePageSearch, type PagePath, type PageSearch } from './page-search.ts';
import { readSession } from './session.ts';

export type PageTitle = keyof typeof common.titles;

/**
 * The shell's layout of a page from 1024 px on: `column` one readable column (the default), `pane` next to
 * the map of what it shows, `map` full (a MapScreen), `wide` full without a map, `account` next to the
 * account's menu, `chat` next to the rooms.
 */
export type ShellLayout = 'column' | 'pane' | 'map' | 'wide' | 'account' | 'chat';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    title?: PageTitle;
    layout?: ShellLayout;
    /** One of the four tabs: shows the tab bar, and has no back button. */
    tab?: boolean;
  }
  interface HistoryState {
    /** The update panel lies over the page of this entry. */
    showsUpdate?: boolean;
  }
}

/**
 * The search parameters of the page shown: `const { id } = usePageSearch('/pages/order/detail')`. A component
 * of several pages names one of them: what it reads, they all take.
 */
export function usePageSearch<P extends PagePath>(path: P): PageSearch<P> {
  const given: Record<string, unknown> = useSearch({ strict: false });
  return useMemo(() => parsePageSearch(path, given), [path, given]);
}

/** The page's title in the person's language, as the browser's title shows it. */
export function usePageTitle(): string {
  const { t } = useTranslation();
  return t(`titles.${usePage().title ?? 'home'}`);
}

/** What the router knows of the page shown: its title, layout and whether it is a tab. */
export function usePage(): { title?: PageTitle; layout: ShellLayout; tab: boolean } {
  const page = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} });
  return { ...page, layout: page.layout ?? 'column', tab: page.tab ?? false };
}

/** Goes back one page; with no history, to the Carpool page. */
export function useGoBack(): () => void {
  const router = useRouter();
  const navigate = useNavigate();
  const canGoBack = useCanGoBack();
  return () => {
    if (canGoBack) router.history.back();
    else void navigate({ to: '/', replace: true });
  };
}

/** A path inside this app, or the Carpool page: a link in an email must not lead elsewhere. */
export function safeReturn(path: string | undefined): string {
  if (path === undefined || !path.startsWith('/')) return '/';
  const url = new URL(path, location.origin);
  const leadsToAuth = url.pathname.startsWith('/pages/auth/') || url.pathname.startsWith('/pages/login/');
  return url.origin === location.origin && !leadsToAuth ? url.pathname + url.search + url.hash : '/';
}

/**
 * Where to go once signed in: the profile page while it is missing, else where the person was going
 * (`returnTo`). Call it after `signIn(user)`, and again when the profile is complete.
 * @param kept where they were going, for a page whose address cannot carry it.
 */
export function useAfterSignIn(kept?: string): () => void {
  const router = useRouter();
  const { returnTo } = usePageSearch('/pages/auth/auth');
  return () => {
    const target = safeReturn(kept ?? returnTo);
    const query = new URLSearchParams({ returnTo: target });
    router.history.replace(readSession().profileMissing ? `/pages/auth/profile?${query}` : target);
  };
}
