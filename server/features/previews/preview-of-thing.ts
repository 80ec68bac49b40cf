import { pageAt, pages, type PagePath } from '#contract/app/pages.ts';
import type { Language } from '#contract/formats/intl.ts';
import { minuteSeconds } from '#contract/define.ts';
import type { EventDetail } from '#contract/events/endpoints.ts';
import { dateAndTime } from '#contract/formats/times.ts';
import { price as priceOf } from '#contract/formats/amounts.ts';
import type { LinkedOrder } from '#contract/rides/share-links.ts';
import type { App } from '../../app-type.ts';
import type { PageAnswer, PageAsk } from '../../platform/http/pages.ts';
import { translate } from '../../platform/messages/translate.ts';
import { Refusal } from '../../platform/refusal.ts';
import { eventBehindLink, pathBehindShortCode as pathOfEvent } from '../events/service.ts';
import { viewPublicOrder, viewLinkedOrder, pathBehindShortCode as pathOfOrder } from '../orders/service.ts';
import type { Picture } from './picture/picture-desk.ts';
import {
  generalPreview,
  invitationPreview,
  missingPreview,
  previewOfPage,
  sharedTripPreview,
  headOf,
  type Preview,
  withQuery,
  drawingOf,
} from './preview.ts';

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

/**
 * The things that an address may name: an event, a ride or request of everyone by its id, or one behind a
 * link.
 */
export type Thing =
  | { kind: 'event'; id: string; token: string }
  | { kind: 'order'; id: string }
  | { kind: 'link'; code: string };

/** Limit of reads by one network, for pages, pictures and short links each. */
const lookUps = { per: 'network', most: 120, withinSeconds: minuteSeconds } as const;

/** Counts what has something looked up for it. Refuses `rate.limited`. */
function countLookUp(app: App, of: 'page' | 'picture' | 'short link', address: string): void {
  app.previews.limits.countInProcess({ path: `preview ${of}`, limits: [lookUps], userId: null, address });
}

/** A thing's description for strangers; null where there is none, or none for them. */
async function previewOfThing(app: App, thing: Thing, language: Language): Promise<Preview | null> {
  if (thing.kind === 'event') {
    const event = await eventBehindLink(app, thing.id, thing.token);
    return event === null
      ? null
      : previewOfEvent(event, { language, now: app.clock.now(), publicUrl: app.env.publicUrl });
  }
  if (thing.kind === 'order') {
    const { id } = thing;
    const order = await viewPublicOrder(app, id);
    const at = { path: withQuery('/pages/order/detail', { id }), picturePath: `/preview/order/${id}.png` };
    return order === null ? null : previewOfOrder(order, at, language);
  }
  const { code } = thing;
  const order = await unlessMissing(viewLinkedOrder(app, code));
  const at = { path: withQuery('/pages/order/linked', { code }), picturePath: `/preview/link/${code}.png` };
  return order === null ? null : previewOfOrder(order, at, language);
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Refusal && error.code === 404) return null;
    throw error;
  }
}

/** An event as its page shows it to a guest, without its organizer. */
function previewOfEvent(
  event: EventDetail,
  { language, now, publicUrl }: { language: Language; now: Date; publicUrl: string },
): Preview {
  const t = translate(language);
  const { id, token, name, place, startsAt, timeZone, visibility, canceled } = event;
  const when = dateAndTime(startsAt, timeZone, { language, zone: null });
  const where = place.detail === '' ? place.name : `${place.name}, ${place.detail}`;
  const isOver = canceled || new Date(event.endsAt) <= now;
  const seats = ({ seatsOffered, seatsNeeded }: EventDetail['back']) => ({
    offered: t('previews:event.offered', { count: seatsOffered }),
    needed: t('previews:event.needed', { count: seatsNeeded }),
  });
  const path = withQuery('/pages/events/events', token === '' ? { id } : { id, token });
  return {
    title: name,
    text: t(isOver ? 'previews:event.over' : 'previews:event.text', { when, place: where }),
    lines: [
      ...(event.description === '' ? [] : [event.description]),
      ...(isOver
        ? []
        : [t('previews:event.there', seats(event)), t('previews:event.back', seats(event.back))]),
    ],
    path,
    isIndexed: visibility === 'public' && !isOver,
    picture: {
      path: `/preview/event/${id}.png${token === '' ? '' : `?${new URLSearchParams({ token }).toString()}`}`,
      drawing: {
        label: t('previews:event.label'),
        ends: null,
        title: name,
        facts: [when, where, ...(isOver ? [] : [seats(event).offered])],
      },
    },
    ...(visibility === 'public' ? { data: eventData(event, publicUrl + path) } : {}),
  };
}

/** https://schema.org/Event */
const eventData = (event: EventDetail, url: string): Record<string, unknown> => ({
  '@type': 'Event',
  name: event.name,
  ...(event.description === '' ? {} : { description: event.description }),
  startDate: event.startsAt,
  endDate: event.endsAt,
  eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
  eventStatus: `https://schema.org/${event.canceled ? 'EventCancelled' : 'EventScheduled'}`,
  location: {
    '@type': 'Place',
    name: event.place.name,
    address: event.place.detail === '' ? event.place.name : event.place.detail,
    geo: { '@type': 'GeoCoordinates', longitude: event.place.lon, latitude: event.place.lat },
  },
  ...(event.picture === '' ? {} : { image: new URL(event.picture, url).href }),
  url,
});

/** Where a short link leads: of an event (`e`) or of a ride or request (`r`); null for none. */
export async function pathBehindShortLink(
  app: App,
  kind: 'e' | 'r',
  code: string,
  network: string,
): Promise<string | null> {
  countLookUp(app, 'short link', network);
  return kind === 'e' ? pathOfEvent(app, code) : pathOfOrder(app, code);
}

/**
 * The picture of a thing as a stranger sees it, and the general one of what is private or not there. Refuses
 * `rate.limited`.
 */
export async function previewPicture(
  app: App,
  thing: Thing | null,
  { language, network }: { language: Language; network: string },
): Promise<Picture> {
  countLookUp(app, 'picture', network);
  const preview: Preview | null = thing === null ? null : await previewOfThing(app, thing, language);
  return app.previews.pictures(drawingOf(preview ?? generalPreview(language), language));
}

/** The words for a ride or request in one line each, without the person. */
interface OrderWords {
  title: string;
  when: string;
  seats: string;
  price: string;
}

function orderWords(order: LinkedOrder, language: Language): OrderWords {
  const t = translate(language);
  const { role, from, to, timeZone, earliestAt, seats, price } = order;
  const cents = price.cents;
  return {
    title: t(role === 'driver' ? 'previews:order.ride' : 'previews:order.request', {
      from: from.name,
      to: to.name,
    }),
    when: dateAndTime(earliestAt, timeZone, { language, zone: null }),
    seats:
      role === 'passenger'
        ? t('previews:order.seatsNeeded', { count: seats })
        : seats === 0
          ? t('previews:order.full')
          : t('previews:order.seatsFree', { count: seats }),
    price:
      cents === null
        ? t('previews:order.openOffer')
        : cents === 0
          ? t('previews:order.free')
          : t(`previews:order.${price.kind}`, { price: priceOf(cents, language) }),
  };
}

/**
 * A ride or request as a stranger sees it: neighborhoods, and no person. No search engine keeps it, because
 * it is over in hours and its page asks a reader to sign in.
 */
function previewOfOrder(
  order: LinkedOrder,
  { path, picturePath }: { path: string; picturePath: string },
  language: Language,
): Preview {
  const t = translate(language);
  const words = orderWords(order, language);
  return {
    title: words.title,
    text: t('previews:order.text', { when: words.when, seats: words.seats, price: words.price }),
    lines: [
      t('previews:order.ends', { from: areaName(order.from), to: areaName(order.to) }),
      t('previews:order.approximate'),
    ],
    path,
    isIndexed: false,
    picture: {
      path: picturePath,
      drawing: {
        label: t(order.role === 'driver' ? 'previews:order.rideLabel' : 'previews:order.requestLabel'),
        ends: [order.from.name, order.to.name],
        title: '',
        facts: [words.when, words.price, words.seats],
      },
    },
    data: tripData(order, words.title),
  };
}

const areaName = ({ name, detail }: LinkedOrder['from']): string =>
  detail === '' ? name : `${name}, ${detail}`;

/** https://schema.org/Trip, with what a seat costs where that is known. */
const tripData = (order: LinkedOrder, name: string): Record<string, unknown> => ({
  '@type': 'Trip',
  name,
  departureTime: order.earliestAt,
  tripOrigin: { '@type': 'Place', name: areaName(order.from) },
  itinerary: [order.from, order.to].map((place) => ({ '@type': 'Place', name: areaName(place) })),
  ...(order.role === 'driver' && order.price.cents !== null && order.price.kind === 'perPerson'
    ? {
        offers: {
          '@type': 'Offer',
          price: (order.price.cents / 100).toFixed(2),
          priceCurrency: 'USD',
          availability: `https://schema.org/${order.seats > 0 ? 'InStock' : 'SoldOut'}`,
        },
      }
    : {}),
});
