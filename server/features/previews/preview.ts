import type { PagePath } from '#contract/app/pages.ts';
import type { Language } from '#contract/formats/intl.ts';
import type { App } from '../../app-type.ts';
import type { PageHead } from '../../platform/http/page-html.ts';
import { translate } from '../../platform/messages/translate.ts';
import { pictureSize, type Drawing } from './picture/draw-picture.ts';

/** An address's description of itself, before it becomes the head of a page. */
export interface Preview {
  title: string;
  text: string;
  /** Further lines for a reader without scripts. */
  lines?: readonly string[];
  /** The path of the one address of what is shown, with its query. */
  path: string;
  isIndexed: boolean;
  /** The picture of a link: where it is, and what it shows. Left out, the general one. */
  picture?: { path: string; drawing: Omit<Drawing, 'product'> };
  data?: Record<string, unknown>;
}

/** The address of a page within the app. */
export const withQuery = (page: PagePath, query: Record<string, string>): string =>
  `${page}?${new URLSearchParams(query).toString()}`;

/** The head of a page. Each title contains the name of the product. */
export function headOf(
  { env }: App,
  language: Language,
  { title, text, lines = [], path, isIndexed, picture, data }: Preview,
): PageHead {
  const t = translate(language);
  const product = t('previews:product');
  return {
    language,
    siteName: product,
    title: title.includes(product) ? title : t('previews:named', { title }),
    description: text,
    address: env.publicUrl + path,
    isIndexed,
    picture: {
      address: `${env.publicUrl}${inLanguage(picture?.path ?? '/preview/general.png', language)}`,
      alt: picture === undefined ? t('previews:general') : t('previews:pictureAlt', { title }),
      ...pictureSize,
    },
    data: data === undefined ? null : { '@context': 'https://schema.org', ...data },
    lines: [text, ...lines],
  };
}

const inLanguage = (path: string, language: Language): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;

/** The picture of an address; the general one has the product's own words. */
export function drawingOf({ picture }: Preview, language: Language): Drawing {
  const t = translate(language);
  const general = { label: '', ends: null, title: t('previews:general'), facts: [] };
  return { product: t('previews:product'), ...(picture?.drawing ?? general) };
}

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
