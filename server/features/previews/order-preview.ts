import { price as priceOf } from '#contract/formats/amounts.ts';
import type { Language } from '#contract/formats/intl.ts';
import { dateAndTime } from '#contract/formats/times.ts';
import type { LinkedOrder } from '#contract/rides/share-links.ts';
import { translate } from '../../platform/messages/translate.ts';
import type { Preview } from './preview.ts';

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
export function previewOfOrder(
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
