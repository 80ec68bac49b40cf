import { pages } from '#contract/app/pages.ts';
import type { App } from '../../app-type.ts';
import { escaped } from '../../platform/http/page-html.ts';
import { listPublicIds } from '../events/service.ts';

/** Sitemaps may name 50,000 addresses; smaller ones are read in one go. */
const eventsPerPage = 1000;

const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

export const robotsText = (publicUrl: string): string =>
  `User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}/sitemap.xml\n`;

/** The list of sitemaps: one of the app's pages, and those of the events to come. */
export async function sitemapIndex(app: App): Promise<string> {
  const { total } = await listPublicIds(app, { offset: 0, limit: 1 });
  const names = [
    'pages',
    ...Array.from({ length: Math.ceil(total / eventsPerPage) }, (_, page) => `events-${page + 1}`),
  ];
  const { publicUrl } = app.env;
  const lines = names.map((name) => `  <sitemap><loc>${publicUrl}/sitemap/${name}.xml</loc></sitemap>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${namespace}>\n${lines.join('\n')}\n</sitemapindex>\n`;
}

/** The addresses of one sitemap; null where there is none of this name. */
export async function sitemap(app: App, name: string): Promise<string | null> {
  const { publicUrl } = app.env;
  if (name === 'pages.xml')
    return urlSet(
      Object.keys(pages).filter((path) => pages[path as keyof typeof pages] === 'public'),
      publicUrl,
    );
  const page = Number(/^events-([1-9]\d{0,4})\.xml$/.exec(name)?.[1] ?? 0);
  if (page === 0) return null;
  const { ids } = await listPublicIds(app, { offset: (page - 1) * eventsPerPage, limit: eventsPerPage });
  return ids.length === 0
    ? null
    : urlSet(
        ids.map((id) => `/pages/events/events?id=${id}`),
        publicUrl,
      );
}

function urlSet(paths: readonly string[], publicUrl: string): string {
  const lines = paths.map((path) => `  <url><loc>${escaped(publicUrl + path)}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespace}>\n${lines.join('\n')}\n</urlset>\n`;
}
