// The demo community as data: its people, places, words, plans and memories, checked as they are loaded.
import { z } from 'zod';
import { staffRoles } from '#contract/admin/roles.ts';
import { reviewTags } from '#contract/reviews/endpoints.ts';
import { contactTypes, genders } from '#contract/user/endpoints.ts';
import { vehicleFields } from '#contract/vehicles/endpoints.ts';
import contactsData from './contacts.json' with { type: 'json' };
import pastData from './past.json' with { type: 'json' };
import peopleData from './people.json' with { type: 'json' };
import placesData from './place-roles.json' with { type: 'json' };
import drawing from './portrait.json' with { type: 'json' };
import textsData from './texts.json' with { type: 'json' };
import weekData from './week.json' with { type: 'json' };
import weeklyData from './weekly.json' with { type: 'json' };

const namesIn = <T extends object>(record: T) => z.enum(Object.keys(record) as (keyof T & string)[]);
const listOf = z.array(z.string());

/** 1 is Monday, 7 Sunday. */
const weekday = z.literal([1, 2, 3, 4, 5, 6, 7]);
export type Weekday = z.infer<typeof weekday>;
/** Local time of day, `08:05`. */
const timeOfDay = z.templateLiteral([z.string(), ':', z.string()]);
export type TimeOfDay = z.infer<typeof timeOfDay>;

const place = namesIn(placesData);
export type PlaceKey = z.infer<typeof place>;
const point = { across: z.number(), up: z.number() };
/**
 * A place in the life of the demo community, as a part that some place of the region plays. `across` and `up`
 * say where to search, from 0 to 1 over the part of the region that people live in.
 */
const placeRole = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('home'), ...point }),
  /** By the categories of OpenStreetMap, the best ones first. */
  z.strictObject({ kind: z.literal('goal'), categories: listOf, ...point }),
  /** A goal near another one. */
  z.strictObject({ kind: z.literal('beside'), categories: listOf, other: place }),
  /** A home on the route between two others, so that their people meet: `share` of it from its start. */
  z.strictObject({ kind: z.literal('along'), from: place, to: place, share: z.number() }),
  /** The n-th of the large airports around. */
  z.strictObject({ kind: z.literal('airport'), rank: z.number() }),
  /** A town beyond the region's roads, so that routes to it are estimates. */
  z.strictObject({ kind: z.literal('town'), kilometers: z.number(), bearingDegrees: z.number() }),
]);
export type PlaceRole = z.infer<typeof placeRole>;
/** Where the community lives and goes; those whose scenes need each other live along one route. */
export const placeRoles: Record<PlaceKey, PlaceRole> = z.record(place, placeRole).parse(placesData);

/** A driver's price: nothing, cents a person, or cents for the car. */
const price = z.union([
  z.literal('free'),
  z.strictObject({ person: z.number() }),
  z.strictObject({ car: z.number() }),
]);
export type Price = z.infer<typeof price>;

const persona = z.strictObject({
  key: z.string(),
  name: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.email(),
  gender: z.enum(genders),
  language: z.enum(['en', 'zh']),
  prefers: z.enum(contactTypes),
  interests: z.string(),
  staffRole: z.enum(staffRoles).nullable().default(null),
  look: z.strictObject({
    skin: namesIn(drawing.skins),
    hair: namesIn(drawing.hair),
    hairColor: namesIn(drawing.hairColors),
    beard: namesIn(drawing.beards).optional(),
    glasses: z.boolean().optional(),
    earrings: z.boolean().optional(),
  }),
  home: place,
  /** Where the person goes on the days named, and when they leave and come back. */
  work: place,
  days: z.array(weekday).default([1, 2, 3, 4, 5]),
  leaves: timeOfDay,
  returns: timeOfDay,
  /** Null for those who only ride along. */
  car: vehicleFields
    .extend({ price, license: z.enum(['Accepted', 'Reviewing', 'Reject']).default('Accepted') })
    .strict()
    .nullable()
    .default(null),
});
export type Persona = z.infer<typeof persona>;
/** The people of the community. The first three are the accounts that a visitor signs in with. */
export const people: readonly Persona[] = z.array(persona).parse(peopleData);

const byKey = new Map(people.map((each) => [each.key, each]));

/** @throws Error when no person has this key. */
export function personaOf(key: string): Persona {
  const found = byKey.get(key);
  if (found === undefined) throw new Error(`Nobody is called ${key}.`);
  return found;
}

const person = z.enum(people.map(({ key }) => key));

/** Tags for contacts, contacts of the three accounts, and people who ask to become a contact. */
export const contactsOfPeople = z
  .strictObject({
    tags: z.record(z.string(), z.record(z.string(), z.array(person))),
    chosen: z.record(z.string(), z.array(person)),
    applications: z.array(z.strictObject({ from: person, to: person, message: z.string() })),
  })
  .parse(contactsData);

const inBothLanguages = z.strictObject({ en: listOf, zh: listOf });
const byReviewer = <T extends z.ZodType>(item: T) => z.strictObject({ ofDriver: item, ofPassenger: item });
/** What people write: notes, asks, reviews, and talks in a ride's room, in which the driver speaks first. */
export const texts = z
  .strictObject({
    rideNotes: inBothLanguages,
    requestNotes: inBothLanguages,
    asks: inBothLanguages,
    praise: byReviewer(inBothLanguages),
    mild: inBothLanguages,
    reviewTags: byReviewer(z.array(z.enum(reviewTags))),
    smallTalk: z.array(listOf),
  })
  .parse(textsData);

const eventKey = z.enum(weekData.events.map(({ key }) => key));
export type EventKey = z.infer<typeof eventKey>;
/** Optional parts of an order of the week, in addition to who drives or rides when and where. */
const extra = z.strictObject({
  seats: z.number().optional(),
  visibility: z.enum(['all users', 'all contacts', 'tags']).optional(),
  /** Names of the owner's tags, where only those people are to see it. */
  tags: listOf.optional(),
  note: z.string().optional(),
  flight: z.string().optional(),
  /** The name by which a scene of the three accounts finds it. */
  scene: z.string().optional(),
});
const rideExtra = extra.extend({
  price: price.optional(),
  flexMinutes: z.number().optional(),
  maxDetourMinutes: z.number().optional(),
});
export type RideExtra = z.infer<typeof rideExtra>;
const requestExtra = extra.extend({
  offerCents: z.number().nullable().optional(),
  /** Minutes before and after the time of the trip. */
  early: z.number().optional(),
  late: z.number().optional(),
});
export type RequestExtra = z.infer<typeof requestExtra>;
const ends = { person, from: place, to: place };
const weekly = { ...ends, day: weekday, time: timeOfDay };
const scene = {
  ...ends,
  /** From today: 1 is tomorrow. */
  day: z.number(),
  time: timeOfDay,
  published: z
    .union([z.strictObject({ day: z.number(), time: timeOfDay }), z.strictObject({ hoursAgo: z.number() })])
    .optional(),
};
/** Who offers and who needs which ride in the coming week: scenes of the three accounts, trips, events. */
export const weekOfPeople = z
  .strictObject({
    events: z.array(
      z.strictObject({
        key: eventKey,
        organizer: person,
        name: z.string(),
        description: z.string(),
        at: place,
        day: weekday,
        time: timeOfDay,
        hours: z.number(),
      }),
    ),
    /** Nothing of the three accounts lies in the rest of today. */
    scenes: z.array(
      z.discriminatedUnion('order', [
        rideExtra.extend({ order: z.literal('ride'), ...scene }),
        requestExtra.extend({ order: z.literal('request'), ...scene }),
      ]),
    ),
    rides: z.array(rideExtra.extend(weekly)),
    requests: z.array(requestExtra.extend(weekly)),
    ridesToEvents: z.array(rideExtra.extend({ person, event: eventKey })),
    requestsToEvents: z.array(requestExtra.extend({ person, event: eventKey })),
  })
  .parse(weekData);

/** Shared rides of the three accounts; after the last ones a review of theirs is still to be written. */
const memory = z.strictObject({
  driver: person,
  daysAgo: z.number(),
  homeward: z.boolean(),
  passengers: z.array(person),
  /** The sides that have written a review by now. */
  reviewed: z.enum(['both', 'driver', 'passenger', 'neither']),
});
export type Memory = z.infer<typeof memory>;
export const memories: readonly Memory[] = z.array(memory).parse(pastData);

/**
 * People who go to work every week on the same days, most of them to campus, so that they find each other;
 * and people who would go along some day: with them, several routes to and from campus are popular.
 */
export const weeklyOfPeople = z
  .strictObject({
    commutes: z.array(z.strictObject({ person, weekdays: z.array(weekday), leaves: timeOfDay.optional() })),
    waiting: z.array(z.strictObject({ ...ends, fromTime: timeOfDay, toTime: timeOfDay })),
  })
  .parse(weeklyData);
