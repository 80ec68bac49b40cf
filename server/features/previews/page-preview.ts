import type { PagePath } from '#contract/app/pages.ts';
import type { Language } from '#contract/formats/intl.ts';
import { translate } from '../../platform/messages/translate.ts';
import type { Preview } from './preview.ts';

/** The names of the pages that are the same for all people. */
const namesOfPages = {
  '/': 'home',
  '/intro': 'intro',
  '/pages/about/about': 'about',
  '/pages/discover/discover': 'discover',
  '/pages/events/events': 'events',
  '/pages/legal/carpool': 'carpool',
  '/pages/legal/legal': 'legal',
  '/pages/legal/optin': 'optin',
  '/pages/legal/payment': 'payment',
  '/pages/legal/privacy': 'privacy',
  '/pages/legal/teams': 'terms',
  '/pages/passenger/passenger': 'passenger',
} as const satisfies Partial<Record<PagePath, string>>;

/** A public page, or null for a page that is a person's own. */
export function previewOfPage(page: PagePath, language: Language, publicUrl: string): Preview | null {
  if (!(page in namesOfPages)) return null;
  const name = namesOfPages[page as keyof typeof namesOfPages];
  const t = translate(language);
  const text = t(`previews:pages.${name}.text`);
  return {
    title: t(`previews:pages.${name}.title`),
    text,
    path: page,
    isIndexed: true,
    ...(page === '/'
      ? { data: { '@type': 'WebSite', name: t('previews:product'), description: text, url: `${publicUrl}/` } }
      : {}),
  };
}

/** The description of every page that is not for strangers. */
export function generalPreview(language: Language): Preview {
  const t = translate(language);
  return { title: t('previews:product'), text: t('previews:general'), path: '/', isIndexed: false };
}

/** The description of a page that is the same for all who may open its address. */
const fixedPreview =
  (name: 'missing' | 'invitation' | 'sharedTrip', path: PagePath) =>
  (language: Language): Preview => {
    const t = translate(language);
    return {
      title: t(`previews:${name}.title`),
      text: t(`previews:${name}.text`),
      path,
      isIndexed: false,
    };
  };

export const missingPreview = fixedPreview('missing', '/');
/** An invitation: its code names its sender to the server alone. */
export const invitationPreview = fixedPreview('invitation', '/intro');
export const sharedTripPreview = fixedPreview('sharedTrip', '/');
