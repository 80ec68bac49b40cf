import { edgeLine } from '#roads/graph/graph.ts';
import { pointAlong } from '#roads/places/addresses.ts';
import type { BuiltApp } from '../app.ts';
import { sendMessage } from '../features/chat/service.ts';
import { applyForContact, befriend, createTag } from '../features/contacts/service.ts';
import { demoAccounts, demoPassword } from '../features/demo/accounts.ts';
import { createVehicle, insertLicense } from '../features/drivers/service.ts';
import { insertEvents } from '../features/events/service.ts';
import {
  packInfos,
  regionInfo,
  placesOfPack,
  placesBeyond,
  locatePlace,
  roadNetwork,
  approximatePlace,
  createShortcut,
  timeZoneAt,
  type DirectoryPlace,
} from '../features/geo/service.ts';
import { hashPassword } from '../features/identity/password-hash.ts';
import { insertAccounts } from '../features/identity/service.ts';
import { readNewsBefore } from '../features/notifications/service.ts';
import { acceptBooking, inviteToRide } from '../features/orders/service.ts';
import { beginCard, listCards, linkToOnboarding, showAccount } from '../features/payments/service.ts';
import { uploadPicture, takePictures } from '../features/pictures/service.ts';
import { publishOverdue } from '../features/reviews/service.ts';
import { dayMs, hourMs, later, minuteMs, MovableClock, secondMs } from '../platform/clock.ts';
import { daysAround } from './days.ts';
import { detourMs, driveTimes } from './drive-times.ts';
import { friendships } from './friendships.ts';
import {
  ask,
  publishRequest,
  publishRide,
  rideAlong,
  talk,
  whereItFits,
  type StandingRide,
} from './orders.ts';
import { liveThePast } from './past.ts';
import { contactsOfPeople, people, personaOf, type Persona } from './demo-data.ts';
import { castPlaces, type DemoPlaces } from './places.ts';
import { drawPortrait } from './portrait.ts';
import { personId, several, stableId, type SeedContext } from './seed-context.ts';
import { createDice, type Dice } from './seeded-random.ts';
import { photographSpecimen } from './specimen.ts';
import * as store from './store.ts';
import { askFor } from './texts.ts';
import { Diary, type PlannedEvent, type PlannedRequest, type PlannedRide, type Week } from './week-plan.ts';
import { planWeek } from './week.ts';
import { startTheirWeeks, waitForCompany } from './weekly.ts';

const fixedSeed = 831;
const atATime = 6;
/** Maximum passengers who have joined rides of the coming week. */
const joinedAhead = 16;
/** A passenger this close to the route is an acceptable detour. */
const nearbyMs = 5 * minuteMs;
/** Orders that are published at about the same time. */
const batch = 12;

/**
 * Brings the demo community into an empty database: people with portraits, cars and licenses, contacts, three
 * weeks of finished rides with reviews, a week of rides and requests to come, two events. Done once; a seed
 * that was broken off is removed and begun again. It lives through the past by setting the app's clock back,
 * so nothing else may run on the app at the time.
 * @param say gets a short sentence about each step.
 * @param stopped asked between steps; a seed that stops is begun again at the next start.
 */
export async function seedDemoCommunity({
  app,
  say,
  stopped = () => false,
}: {
  app: BuiltApp;
  say: (sentence: string) => void;
  stopped?: () => boolean;
}): Promise<void> {
  const { db, clock } = app.platform;
  if (packInfos(app.platform).length === 0) return;
  if (!(clock instanceof MovableClock)) throw new Error('The demo runs on a movable clock.');
  await store.whileNobodyElseSeeds(app.pool, async () => {
    if (!(await store.isToBeSeeded(db))) return;
    const began = performance.now();
    say('Bringing in the demo community …');
    await app.platform.transact('seed demo community', async (tx) => {
      await store.removePeople(
        app,
        tx,
        people.map(({ key }) => personId(key)),
      );
      await store.noteProgress(tx, 'begun');
    });
    const lead = clock.offsetMs;
    try {
      await seed(app, clock, stopped);
    } finally {
      clock.advance(lead - clock.offsetMs);
    }
    if (stopped()) return;
    await store.noteProgress(db, 'done');
    say(`  done in ${((performance.now() - began) / secondMs).toFixed(1)} s`);
  });
}

/** The region whose streets the community lives on: the first of the packs. */
const homeRegion = ({ platform }: BuiltApp) => packInfos(platform)[0] ?? regionInfo(platform);

/** A place this close to a road can be driven to. */
const reachedMetres = 200;

/** Where the community lives and goes, from the data of its region. */
export async function demoPlaces(app: BuiltApp): Promise<DemoPlaces> {
  const { platform } = app;
  const network = roadNetwork(platform);
  const { name, center } = homeRegion(app);
  return castPlaces({
    center: { lon: center[0], lat: center[1] },
    own: await placesOfPack(platform, name),
    beyond: await placesBeyond(platform),
    pointOnRoute: (from, to, share) => {
      const [start, end] = [locatePlace(platform, from, 'from'), locatePlace(platform, to, 'to')];
      const line = network.route(start, end)?.line ?? [];
      return line.length === 0 ? from : pointAlong(line, share);
    },
    corners: () => cornersOf(app),
    stopAt: (at) => {
      const point = network.snap(at);
      return point !== null && point.metresFromRoad < reachedMetres ? point : null;
    },
    isInReach: (at) => {
      const [middle, there] = [network.snap({ lon: center[0], lat: center[1] }), network.snap(at)];
      if (middle === null || there === null) return false;
      return network.travel(middle, there) !== null && network.travel(there, middle) !== null;
    },
  });
}

const mostCorners = 2000;

/** The starts of the region's named streets and of their pieces, evenly chosen over the region. */
function cornersOf({ platform }: BuiltApp): DirectoryPlace[] {
  const graph = roadNetwork(platform).shared?.graph;
  if (graph === undefined) return [];
  const named = [...graph.edgeName.keys()].filter(
    (edge) => graph.edgeName[edge]! >= 0 && graph.edgeReverse[edge]! < edge,
  );
  const step = Math.max(1, Math.floor(named.length / mostCorners));
  const chosen = named.filter((_, at) => at % step === 0);
  const byPoint = new Map(chosen.map((edge) => [String(edgeLine(graph, edge)[0]), edge]));
  return [...byPoint.values()].map((edge) => {
    const [lon = 0, lat = 0] = edgeLine(graph, edge)[0] ?? [];
    const name = graph.names[graph.edgeName[edge]!]!;
    const { detail } = approximatePlace(platform, { name, detail: '', lon, lat });
    return {
      id: `corner-${edge}`,
      kind: 'street',
      category: '',
      name,
      detail,
      street: name,
      lon,
      lat,
      importance: 0,
      range: null,
    };
  });
}

async function seed(app: BuiltApp, clock: MovableClock, stopped: () => boolean): Promise<void> {
  const now = clock.now();
  const days = daysAround(now, homeRegion(app).timeZone);
  const dice = createDice(fixedSeed);
  const diary = new Diary();
  const places = await demoPlaces(app);
  const driveMs = driveTimes(app, places);
  const week = planWeek({ days, dice, driveMs, diary });

  await enrol(app, now);
  clock.moveTo(later(now, -45 * dayMs));
  const context: SeedContext = {
    app,
    clock,
    days,
    dice,
    diary,
    places,
    driveMs,
    vehicleIds: await addVehicles(app),
    tagIds: await makeContacts(app, createDice(fixedSeed + 1)),
    isPaid: await openPurses(app),
    deliver: () => app.platform.outbox.deliverAll(app.pool, app.platform.log, atATime),
  };
  await keepShortcuts(app, places);
  await announce(context, week.events, now);
  await liveThePast(context, stopped);
  if (stopped()) return;
  const inScenes = ({ scene }: { scene?: string }) => scene !== undefined;
  await tellScenes(context, await publish(context, week, inScenes));
  if (stopped()) return;
  await fillSeats(context, await publish(context, week, (order) => !inScenes(order)));
  await startTheirWeeks(context);
  clock.moveTo(later(now, -5 * hourMs));
  for (const { from, to, message } of contactsOfPeople.applications)
    await applyForContact(app.platform, personId(from), personId(to), { message, origin: 'DIRECT' });
  clock.moveTo(now);
  await context.deliver();
  await readNewsBefore(app.platform.db, later(now, -dayMs));
  await publishOverdue(app.platform);
  await waitForCompany(context);
}

/** The accounts, with one hash for all: a password is slow to hash by design. */
async function enrol(app: BuiltApp, now: Date): Promise<void> {
  const dice = createDice(fixedSeed + 2);
  const passwordHash = await hashPassword(demoPassword);
  const rows = people.map((persona, index) => {
    const createdAt = later(now, -dice.between(50, 400) * dayMs - dice.between(0, 23) * hourMs);
    const { key, email, name, firstName, lastName, gender, language, interests, staffRole } = persona;
    return {
      id: personId(key),
      email,
      emailVerifiedAt: createdAt,
      // Numbers that the numbering plan keeps for fiction.
      phone: `+1415555${String(101 + index).padStart(4, '0')}`,
      phoneVerifiedAt: createdAt,
      passwordHash,
      name,
      firstName,
      lastName,
      gender,
      language,
      interests,
      staffRole,
      avatar: `/files/avatars/${personId(key)}.svg`,
      preferContactWith: persona.prefers,
      profileCompletedAt: createdAt,
      createdAt,
    };
  });
  await several(people, atATime, async ({ key, look }) => {
    const portraitDice = createDice(Number.parseInt(personId(key).slice(0, 8), 16));
    const portrait = Buffer.from(drawPortrait(look, portraitDice));
    await app.platform.files.write(`public/avatars/${personId(key)}.svg`, portrait);
  });
  await insertAccounts(app.platform.db, rows);
  await several([...people.entries()], atATime, async ([index, persona]) => {
    const { key, car, email } = persona;
    if (car === null) return;
    const createdAt = later(
      now,
      car.license === 'Accepted' ? -(40 + index) * dayMs : -(index % 5) * hourMs - 20 * hourMs,
    );
    const decidedAt = car.license === 'Reviewing' ? null : later(createdAt, 7 * hourMs);
    const result =
      car.license === 'Reject'
        ? 'The back of the license is too dark to read. Please photograph it again in daylight.'
        : '';
    const isSeen = car.license !== 'Accepted' || demoAccounts.some((account) => account.email === email);
    await insertLicense(app.platform.db, {
      id: stableId(`license:${key}`),
      userId: personId(key),
      status: car.license,
      result,
      createdAt,
      decidedAt,
      ...(isSeen ? await photograph(app, persona) : {}),
    });
  });
}

/** Uploads drawn photos of a person's license, as they would themselves. */
async function photograph(app: BuiltApp, persona: Persona): Promise<{ frontId: string; backId: string }> {
  const ownerId = personId(persona.key);
  const send = async (side: 'front' | 'back') =>
    (await uploadPicture(app.platform, ownerId, 'license', await photographSpecimen(persona, side))).id;
  const [frontId, backId] = [await send('front'), await send('back')];
  await app.platform.transact('photograph', (tx) =>
    takePictures(app.platform, tx, { ownerId, purpose: 'license', ids: [frontId, backId], field: 'front' }),
  );
  return { frontId, backId };
}

/** Gives each driver their car; the vehicles' ids by driver. */
async function addVehicles(app: BuiltApp): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  await several(people, atATime, async ({ key, car }) => {
    if (car === null) return;
    const { price: _price, license: _licence, ...vehicle } = car;
    ids.set(key, (await createVehicle(app.platform, personId(key), vehicle)).id);
  });
  return ids;
}

/** Stripe's public test card that always pays. */
const testCard = { number: '4242424242424242', expiry: '12/34', cvc: '123' };

/**
 * Gives each person a test card, and drivers an account that can be paid, on the pages of the sandbox as a
 * person would. False with Stripe itself, where accounts cannot be made up: the community's rides are free
 * then.
 */
async function openPurses(app: BuiltApp): Promise<boolean> {
  if (app.platform.payments.sandbox === null) return false;
  await several(people, atATime, async ({ key, car }) => {
    const id = personId(key);
    const { pageUrl } = await beginCard(app.platform, id, '/pages/account/payments');
    await answer(app, pageUrl!, testCard);
    await listCards(app.platform, id);
    if (car === null) return;
    await answer(app, (await linkToOnboarding(app.platform, id)).url, { outcome: 'verified' });
    await showAccount(app.platform, id);
  });
  return true;
}

async function answer(app: BuiltApp, url: string, form: Record<string, string>): Promise<void> {
  const { pathname, search } = new URL(url);
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: `${pathname}${search}`,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  if (statusCode !== 303) throw new Error(`A page of test money answered ${statusCode}.`);
}

/**
 * Makes people contacts who live or work near each other, three to a dozen for each; the tags' ids by
 * owner and name.
 */
async function makeContacts(app: BuiltApp, dice: Dice): Promise<Map<string, string>> {
  const pairs = friendships(dice);
  await several(pairs, atATime, async ([a, b, origin]) =>
    befriend(app.platform, personId(a), personId(b), origin),
  );
  const ids = new Map<string, string>();
  for (const [owner, tags] of Object.entries(contactsOfPeople.tags))
    for (const [name, members] of Object.entries(tags))
      ids.set(
        `${owner}:${name}`,
        (await createTag(app.platform, personId(owner), name, members.map(personId))).id,
      );
  return ids;
}

async function keepShortcuts(app: BuiltApp, places: DemoPlaces): Promise<void> {
  for (const { key, home, work, email } of people) {
    if (!demoAccounts.some((account) => account.email === email)) continue;
    await createShortcut(app.platform, personId(key), { ...places[home], label: 'home', labelText: '' });
    await createShortcut(app.platform, personId(key), { ...places[work], label: 'work', labelText: '' });
  }
}

async function announce(
  { app, places }: SeedContext,
  events: readonly PlannedEvent[],
  now: Date,
): Promise<void> {
  const rows = events.map(({ key, organizer, at, ...event }) => {
    const { name: atName, detail: atDetail, lon: atLon, lat: atLat } = places[at];
    const timeZone = timeZoneAt(atLon, atLat);
    const place = { atName, atDetail, atLon, atLat, timeZone };
    const createdAt = later(now, -6 * dayMs);
    return { id: stableId(`event:${key}`), organizerId: personId(organizer), ...event, ...place, createdAt };
  });
  await insertEvents(app.platform.db, rows);
}

/** The part of the planned week that is written, by the scene that continues it. */
interface Standing {
  rides: (StandingRide & { scene: string | undefined; seats: number; publishedAt: Date; forAll: boolean })[];
  requestIds: Map<string, string>;
}

/** Publishes some of the week in the order in which people thought of it. */
async function publish(
  context: SeedContext,
  week: Week,
  which: (order: PlannedRide | PlannedRequest) => boolean,
): Promise<Standing> {
  const standing: Standing = { rides: [], requestIds: new Map() };
  const orders = [
    ...week.rides.filter(which).map((planned) => ({ at: planned.publishedAt, ride: planned, request: null })),
    ...week.requests
      .filter(which)
      .map((planned) => ({ at: planned.publishedAt, ride: null, request: planned })),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
  for (let first = 0; first < orders.length; first += batch) {
    const some = orders.slice(first, first + batch);
    context.clock.moveTo(some[0]!.at);
    await several(some, atATime, async ({ ride, request }) => {
      if (ride !== null) {
        const { scene, seats, publishedAt, visibility } = ride;
        const forAll = visibility === 'all users';
        standing.rides.push({ ...(await publishRide(context, ride)), scene, seats, publishedAt, forAll });
      } else {
        const id = await publishRequest(context, request);
        if (request.scene !== undefined) standing.requestIds.set(request.scene, id);
      }
    });
  }
  standing.rides.sort(
    (a, b) => a.departsAt.getTime() - b.departsAt.getTime() || a.driver.localeCompare(b.driver),
  );
  return standing;
}

/** Brings the stories of Mia, Leo and Ada to where a visitor takes over. */
async function tellScenes(context: SeedContext, standing: Standing): Promise<void> {
  const { clock, days, app } = context;
  const minutesAgo = (minutes: number) => clock.moveTo(later(days.now, -minutes * minuteMs));
  const pair = (ride: string, request: string) => {
    const rideId = standing.rides.find((each) => each.scene === ride)?.id;
    const requestId = standing.requestIds.get(request);
    if (rideId === undefined || requestId === undefined)
      throw new Error(`The scene ${ride} with ${request} was not published.`);
    return { rideId, requestId };
  };

  clock.moveTo(days.on(-1, '18:10'));
  const together = pair('mia.withLeo', 'leo.withMia');
  const message = 'Hi Mia, same building, same direction. Room for one more?';
  await whereItFits(async () => {
    const bookingId = await ask(context, 'leo', { ...together, message });
    clock.moveTo(days.on(-1, '18:35'));
    await acceptBooking(app.platform, bookingId, personId('mia'));
    await context.deliver();
    await talk(context, { rideId: together.rideId, between: ['mia', 'leo'] }, tripHome, days.on(-1, '18:40'));
    minutesAgo(35);
    const clientId = stableId('line:unread');
    await sendMessage(app.platform, together.rideId, personId('mia'), { clientId, text: unread });
  });

  clock.moveTo(days.on(-1, '19:20'));
  const home = { ...pair('yesenia.home', 'ada.home'), message: 'Seabright again, if there is room?' };
  await whereItFits(async () => {
    const homeBookingId = await ask(context, 'ada', home);
    clock.moveTo(days.on(-1, '19:45'));
    await acceptBooking(app.platform, homeBookingId, personId('yesenia'));
    await context.deliver();
  });

  minutesAgo(120);
  await whereItFits(() =>
    inviteToRide(app.platform, personId('marcus'), {
      ...pair('marcus.airport', 'leo.airport'),
      message: 'I am on the same flight, your street is on my way. Two cases fit.',
    }),
  );
  minutesAgo(12);
  const first = { ...pair('mia.asked', 'siyu.asks'), message: '你好 Mia！我在约好的路口上车，很准时。' };
  await whereItFits(() => ask(context, 'siyu', first));
  minutesAgo(4);
  const second = {
    ...pair('mia.asked', 'ivy.asks'),
    message: 'Could you pick me up at my corner? The buses are full at that hour.',
  };
  await whereItFits(() => ask(context, 'ivy', second));
}

/** Lets some passengers join rides of the coming week, where a seat stays free for a visitor. */
async function fillSeats(context: SeedContext, standing: Standing): Promise<void> {
  const { days, dice, diary, driveMs } = context;
  const rides = dice.shuffled(standing.rides.filter(({ seats, forAll }) => seats > 1 && forAll));
  let joined = 0;
  for (const ride of rides) {
    if (joined === joinedAhead) return;
    // With the time before and after that a window and a detour may take.
    const [from, to] = [later(ride.departsAt, -30 * minuteMs), later(ride.arrivesAt, hourMs)];
    const companion = people
      .filter(({ key, car }) => car === null && key !== 'leo' && diary.isFree(key, from, to))
      .flatMap(({ key, home, work }) => [
        { person: key, from: home, to: work },
        { person: key, from: work, to: home },
      ])
      .map((way) => ({ ...way, extraMs: detourMs(driveMs, ride, way) }))
      .toSorted((a, b) => a.extraMs - b.extraMs)[0];
    if (companion === undefined || companion.extraMs > nearbyMs) continue;
    const message = askFor(dice, personaOf(companion.person));
    const sinceMs = days.now.getTime() - ride.publishedAt.getTime();
    const asksAt = later(ride.publishedAt, sinceMs * 0.5);
    const when = { asksAt, isAcceptedAt: later(asksAt, sinceMs * 0.3) };
    if ((await rideAlong(context, ride, { ...companion, message }, when)) === null) continue;
    diary.take(companion.person, from, to);
    joined += 1;
  }
}

const tripHome = [
  'Hi Leo! I leave from the loading dock behind the library, green Crosstrek.',
  'Great, I know it. Is 5:35 fine?',
  'Perfect. Do you have much with you?',
  'Just a backpack. I can get out at the next corner.',
];
const unread = 'Bring a jacket, the window on your side sticks.';
