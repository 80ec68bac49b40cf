import { z } from 'zod';

/** Whole US cents. */
export const cents = z.number().int();
/** Whole metres. */
export const metres = z.number().int().min(0);
export const seconds = z.number().int().min(0);
/** A UTC instant as ISO 8601, for example `2026-11-24T15:15:00.000Z`. */
export const instant = z.iso.datetime({ error: 'Please select a date and time.' });
export const id = z.uuid('This id is not valid.');

export const maxSeats = 8;
/** A passenger’s offer is above this many cents a person. */
export const minimumOfferCents = 5_00;
/** The least that card providers take, and so the least price of a ride that is not free. */
export const minimumPriceCents = 50;
export const isOfferTooLow = (offerCents: number): boolean => offerCents <= minimumOfferCents;
/** Zero is a price: the ride is free. */
export const isPriceTooLow = (costCents: number): boolean => costCents > 0 && costCents < minimumPriceCents;
export const maxOpenOrders = 20;
export const planAheadDays = 90;
export const noteLength = 500;
export const reasonLength = 500;
export const messageLength = 2000;
export const feedbackLength = 4000;

/** Letters, digits, signs or emoji: words of nothing but invisible characters cannot be told apart. */
export const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Text as it is kept: one way of writing each letter, no control characters, nothing that turns the direction
 * of the text around it, no invisible spaces, and no towers of accents. Joiners stay: Persian words and emoji
 * need them.
 */
export const tidyText = (typed: string): string =>
  typed
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .normalize('NFC')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u2060\uFEFF\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll(/(\p{M}{8})\p{M}+/gu, '$1')
    .trim();

/** Words of any script, over several lines, possibly none. */
export const words = (most: number) =>
  z.string().overwrite(tidyText).max(most, `Please enter at most ${most} characters.`);

/**
 * Words that can be seen.
 * @param missing the sentence where they cannot, such as "Please enter a message."
 */
export const someWords = (most: number, missing: string) => words(most).regex(visible, missing);

/** One line of any script, possibly empty. */
export const oneLine = (most: number) =>
  z
    .string()
    .overwrite((typed) => tidyText(typed).replaceAll(/\s+/g, ' '))
    .max(most, `Please enter at most ${most} characters.`);

/** One line that can be seen. @param missing the sentence where it cannot, such as "Please enter a name." */
export const nameLine = (most: number, missing: string) => oneLine(most).regex(visible, missing);

export const seatCount = z
  .number()
  .int('Please enter a whole number of seats.')
  .min(1, 'Please enter at least 1 seat.')
  .max(maxSeats, `Please enter at most ${maxSeats} seats.`);

/**
 * An address or named place as a person chose it. The server snaps it to a road and refuses what it cannot
 * reach.
 */
export const place = z.object({
  name: oneLine(200).min(1, 'Please select a place.'),
  /** Street, town: what tells two places of one name apart. */
  detail: oneLine(200).default(''),
  lon: z.number().min(-180).max(180),
  lat: z.number().min(-90).max(90),
});
export type Place = z.output<typeof place>;

/**
 * A place as another person sees it: `approximate` until they ride together (street or neighborhood only).
 */
export const shownPlace = place.extend({ approximate: z.boolean() });
export type ShownPlace = z.output<typeof shownPlace>;

/**
 * Where a place is for everyone who does not ride along: three decimals, a square of about 100 metres. Every
 * time, detour and distance that such a person is told is computed from this point, so that no question about
 * them finds the door.
 */
export const roundedPoint = ({ lon, lat }: { lon: number; lat: number }): { lon: number; lat: number } => ({
  lon: Math.round(lon * 1000) / 1000,
  lat: Math.round(lat * 1000) / 1000,
});

/** An address that contains the word airport, in English or Chinese, is an airport address. */
export function isAirport(at: { name: string; detail: string }): boolean {
  return /airport|机场|機場/i.test(`${at.name} ${at.detail}`);
}

/** Longitude, latitude pairs in the order of travel. */
export const line = z.array(z.tuple([z.number(), z.number()]));

/** How fast people walk to a car: 4.8 km/h. */
export const walkingMetresPerMinute = 80;
