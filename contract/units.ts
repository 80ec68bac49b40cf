import { z } from 'zod';

/** The most that a whole number of an input may be: what the database keeps in 32 bits. */
export const mostWhole = 2_147_483_647;
/** Whole US cents. */
export const cents = z.number().int();
/** Whole US cents as an app sends them. */
export const sentCents = cents.min(-mostWhole).max(mostWhole);
/** How many rows of a list are passed over. */
export const offset = z.coerce.number().int().min(0).max(1_000_000).default(0);
/** The most items on a page of a list. */
export const mostPerPage = 200;
/** The most things of one kind that belong to one ride, order or person at a time. */
export const mostOfOne = 1000;
/** Some of a fixed set of words, each up to once. */
export const someOf = <const W extends z.core.util.EnumLike>(each: z.ZodEnum<W>) =>
  z.array(each).max(each.options.length);
/** Whole meters. */
export const metres = z.number().int().min(0);
export const seconds = z.number().int().min(0);
/** A UTC instant as ISO 8601, for example `2026-11-24T15:15:00.000Z`. */
export const instant = z.iso.datetime({ error: 'Please select a date and time.' });
export const id = z.uuid('This id is not valid.');

export const maxSeats = 8;
/** The maximum of a driver's own stops. */
export const maxVia = 3;
export const maxOpenOrders = 20;
export const planAheadDays = 90;
export const noteLength = 500;
export const reasonLength = 500;
export const messageLength = 2000;
export const feedbackLength = 4000;

/** Letters, digits, signs or emoji: texts of invisible characters alone cannot be distinguished. */
export const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Normalizes text for storage: one form of each letter, no control characters, no direction overrides, no
 * invisible spaces, no stacked accents. Joiners stay: Persian words and emoji need them.
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

/** Text of any script, multiple lines, may be empty. */
export const words = (most: number) =>
  z.string().overwrite(tidyText).max(most, `Please enter up to ${most} characters.`);

/**
 * Text with at least one visible character.
 * @param missing the error message without one, such as "Please enter a message."
 */
export const someWords = (most: number, missing: string) => words(most).regex(visible, missing);

/** One line of any script, may be empty. */
export const oneLine = (most: number) =>
  z
    .string()
    .overwrite((typed) => tidyText(typed).replaceAll(/\s+/g, ' '))
    .max(most, `Please enter up to ${most} characters.`);

/**
 * One line with a visible character. @param missing the error message without one, such as "Please enter a
 * name."
 */
export const nameLine = (most: number, missing: string) => oneLine(most).regex(visible, missing);

export const seatCount = z
  .number()
  .int('Please enter a whole number of seats.')
  .min(1, 'Please enter at least 1 seat.')
  .max(maxSeats, `Please enter up to ${maxSeats} seats.`);

/**
 * An address or named place as a person chose it. The server snaps it to a road and refuses unreachable
 * places.
 */
export const place = z.object({
  name: oneLine(200).min(1, 'Please select a place.'),
  /** Street and town, to distinguish places of the same name. */
  detail: oneLine(200).default(''),
  lon: z.number().min(-180).max(180),
  lat: z.number().min(-90).max(90),
});
export type Place = z.output<typeof place>;

/**
 * A place as another person sees it: `approximate` (street or neighborhood only) until they ride together.
 */
export const shownPlace = place.extend({ approximate: z.boolean() });
export type ShownPlace = z.output<typeof shownPlace>;

/**
 * A place as shown to everyone who does not ride along: three decimals, a square of about 100 meters. Every
 * time, detour and distance shown to such a person is computed from this point, so that no series of queries
 * can locate the door.
 */
export const roundedPoint = ({ lon, lat }: { lon: number; lat: number }): { lon: number; lat: number } => ({
  lon: Math.round(lon * 1000) / 1000,
  lat: Math.round(lat * 1000) / 1000,
});

/** Longitude, latitude pairs in the order of travel: of the longest drive of all, every bend. */
export const line = z.array(z.tuple([z.number(), z.number()])).max(250_000);

/** Walking speed: 4.8 km/h. */
export const walkingMetresPerMinute = 80;
