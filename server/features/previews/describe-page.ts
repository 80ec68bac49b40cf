import { pageAt, pages, type PagePath } from '#contract/app/pages.ts';
import type { App } from '../../app-type.ts';
import type { PageAnswer, PageAsk } from '../../platform/http/pages.ts';
import { Refusal } from '../../platform/refusal.ts';
import {
  generalPreview,
  invitationPreview,
  missingPreview,
  previewOfPage,
  sharedTripPreview,
} from './page-preview.ts';
import { countLookUp, previewOfThing, type Thing } from './preview-of-thing.ts';
import { headOf, type Preview } from './preview.ts';

/**
 * The description of an address for strangers. 404 for no page, and for a page that opens without an account
 * and whose thing does not exist or is not for strangers: the two cannot be distinguished.
 */
export async function describePage(app: App, ask: PageAsk): Promise<PageAnswer> {
  const { language } = ask;
  const page = pageAt(ask.path);
  const preview = page === null ? null : await previewAt(app, page, ask);
  return preview === null
    ? { status: 404, head: headOf(app, language, missingPreview(language)) }
    : { status: 200, head: headOf(app, language, preview) };
}

async function previewAt(app: App, page: PagePath, ask: PageAsk): Promise<Preview | null> {
  const { query, language, network } = ask;
  const thing = thingAt(page, query);
  if (thing !== null) {
    const preview = await lookUp(app, thing, { language, network });
    // Whether a ride of others exists is not said: its own people open this address as well.
    if (preview === null) return thing.kind === 'order' ? generalPreview(language) : null;
    return pages[page] === 'public' ? preview : { ...preview, isIndexed: false };
  }
  if (query.has('inviter') && pages[page] === 'public') return invitationPreview(language);
  if (page === '/pages/order/shared') return sharedTripPreview(language);
  return previewOfPage(page, language, app.env.publicUrl) ?? generalPreview(language);
}

/** The one event, ride or request that an address names. */
function thingAt(page: PagePath, query: URLSearchParams): Thing | null {
  const id = query.get('id') ?? '';
  if (page === '/pages/order/linked')
    return query.has('code') ? { kind: 'link', code: query.get('code') ?? '' } : null;
  if (id === '') return null;
  if (page === '/pages/order/detail') return { kind: 'order', id };
  return page === '/pages/events/events' || page === '/pages/events/poster'
    ? { kind: 'event', id, token: query.get('token') ?? '' }
    : null;
}

/** A page opens also while nothing can be looked up for it: it asks for itself what it shows. */
async function lookUp(
  app: App,
  thing: Thing,
  { language, network }: Pick<PageAsk, 'language' | 'network'>,
): Promise<Preview | null> {
  try {
    countLookUp(app, 'page', network);
    return await previewOfThing(app, thing, language);
  } catch (error) {
    if (!(error instanceof Refusal)) app.log.warn({ err: error }, 'an address is not described');
    return generalPreview(language);
  }
}
