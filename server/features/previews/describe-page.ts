import { minuteMs } from '../../platform/clock.ts';
import { pageAt, pages, type PagePath } from '#contract/app/pages.ts';
import type { RateLimit } from '#contract/define.ts';
import type { PageAnswer, PageAsk } from '../../platform/http/pages.ts';
import { Refusal } from '../../platform/refusal.ts';
import { headOf, withQuery, type Preview, type PreviewContext } from './context.ts';
import { previewOfEvent } from './event-preview.ts';
import { previewOfOrder } from './order-preview.ts';
import {
  generalPreview,
  invitationPreview,
  missingPreview,
  previewOfPage,
  sharedTripPreview,
} from './page-preview.ts';

/** What one network may have looked up; what it opens beyond has the general head. */
const lookUpLimits: RateLimit[] = [{ per: 'network', most: 120, withinSeconds: minuteMs / 1000 }];

/**
 * What an address says of itself to strangers. 404 for no page, and for a page that opens without an account
 * and whose thing is not there or not for strangers: the two cannot be told apart.
 */
export async function describePage(context: PreviewContext, ask: PageAsk): Promise<PageAnswer> {
  const { language } = ask;
  const page = pageAt(ask.path);
  const preview = page === null ? null : await previewAt(context, page, ask);
  return preview === null
    ? { status: 404, head: headOf(context.platform, language, missingPreview(language)) }
    : { status: 200, head: headOf(context.platform, language, preview) };
}

async function previewAt(context: PreviewContext, page: PagePath, ask: PageAsk): Promise<Preview | null> {
  const { query, language } = ask;
  const { env, log } = context.platform;
  if (namesThing(page, query)) {
    try {
      countLookUp(context, ask.network);
      return await previewOfThing(context, page, ask);
    } catch (error) {
      if (error instanceof Refusal && error.code === 404) return null;
      // A page opens also while nothing can be looked up, and asks for itself what it shows.
      if (!(error instanceof Refusal)) log.warn({ err: error }, 'an address could not be described');
      return generalPreview(language);
    }
  }
  if (query.has('inviter') && pages[page] === 'public') return invitationPreview(language);
  if (page === '/pages/order/shared') return sharedTripPreview(language);
  return previewOfPage(page, language, env.publicUrl) ?? generalPreview(language);
}

function countLookUp({ limits }: PreviewContext, address: string): void {
  limits.countInProcess({ path: 'page', limits: lookUpLimits, userId: null, address });
}

/** Whether the address names one event, ride or request. */
function namesThing(page: PagePath, query: URLSearchParams): boolean {
  if (page === '/pages/order/linked') return query.has('code');
  return (
    (page === '/pages/events/events' || page === '/pages/events/poster' || page === '/pages/order/detail') &&
    (query.get('id') ?? '') !== ''
  );
}

/**
 * The event, ride or request that the address names; null, or a refusal, where there is none for strangers.
 */
async function previewOfThing(
  { calendar, links, platform: { env, clock } }: PreviewContext,
  page: PagePath,
  { query, language }: PageAsk,
): Promise<Preview | null> {
  const id = query.get('id') ?? '';
  if (page === '/pages/order/linked') {
    const code = query.get('code') ?? '';
    return previewOfOrder(await links.look(code), withQuery(page, { code }), language);
  }
  if (page === '/pages/order/detail') {
    const order = await links.lookPublic(id);
    // Whether a ride of others exists is not said: its own people open this address as well.
    if (order === null) return generalPreview(language);
    return previewOfOrder(order, withQuery(page, { id }), language);
  }
  const event = await calendar.shown(id, query.get('token') ?? '');
  if (event === null) return null;
  const preview = previewOfEvent(event, { language, now: clock.now(), publicUrl: env.publicUrl });
  return page === '/pages/events/poster' ? { ...preview, isIndexed: false } : preview;
}
