import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OutputOf } from '#contract/define.ts';
import type { Ride } from '#contract/rides/views.ts';
import type { raiseAlarm as raiseCall } from '#contract/safety/endpoints.ts';
import type { App } from '../../app-type.ts';
import { streetOf } from '../geo/service.ts';
import { contactDetailsOf, type ContactDetails } from '../identity/service.ts';
import { whereIsCar } from '../trips/service.ts';
import { nameOf, newShare, tripOn } from './own-trip.ts';
import { emergencyEmail, type Emergency } from './rules/emails.ts';
import { emergencySms } from './rules/sms.ts';
import * as store from './store.ts';

/**
 * Counted in the command, after the trip is checked: a refused alarm must not use up one that is needed
 * later.
 */
const alarmTries = { most: 5, withinSeconds: 600 };

/**
 * Records an emergency and notifies the trusted contact, with a link to follow the trip. Refuses
 * `share.notRiding`.
 */
export async function raiseAlarm(
  app: App,
  { id, lon, lat }: z.output<typeof raiseCall.input>,
  personId: string,
): Promise<OutputOf<typeof raiseCall>> {
  const { db, transact, tries, outbox, clock, env } = app;
  const { ride } = await tripOn(app, id, personId);
  await tries.count(`alarm:${personId}`, alarmTries);
  const trusted = await store.trustedOf(db, personId);
  const own = (await contactDetailsOf(app, [personId])).get(personId);
  const car = (await whereIsCar(app, id, personId)).position;
  const at =
    lon !== null && lat !== null ? { lon, lat } : car === null ? null : { lon: car.lon, lat: car.lat };
  const { row, path } = newShare(app, { rideId: id, ownerId: personId, toId: null });
  const language = own?.language ?? 'en';
  const emergency: Emergency = {
    ...describe(app, ride, { own, at }),
    name: await nameOf(app, personId),
    link: `${env.publicUrl}${path}`,
  };
  await transact('raise alarm', async (tx) => {
    const where = { lon: at?.lon ?? null, lat: at?.lat ?? null };
    await store.insertAlarm(tx, { id: randomUUID(), rideId: id, personId, at: clock.now(), ...where });
    if (trusted === null) return;
    await store.insertShare(tx, row);
    if (trusted.phone !== '')
      await outbox.text(tx, { to: trusted.phone, ...emergencySms(language, emergency) });
    if (trusted.email !== '')
      await outbox.post(tx, { to: trusted.email, ...emergencyEmail(language, emergency) });
  });
  const told: OutputOf<typeof raiseCall>['told'] = [];
  if (trusted !== null && trusted.phone !== '') told.push('sms');
  if (trusted !== null && trusted.email !== '') told.push('email');
  return { told, name: trusted?.name ?? '' };
}

/** The facts for the trusted contact: person, place and car. */
function describe(
  app: App,
  { vehicle, driver }: Ride,
  { own, at }: { own: ContactDetails | undefined; at: Emergency['at'] },
): Omit<Emergency, 'name' | 'link'> {
  const place = at === null ? { name: '', detail: '' } : streetOf(app, at);
  return {
    phone: own?.phoneVerified === true ? own.phone : '',
    place: [place.name, place.detail].filter(Boolean).join(', '),
    at,
    plate: vehicle?.plate ?? '',
    car: vehicle === null ? '' : `${vehicle.color} ${vehicle.brand} ${vehicle.model}`,
    driverName: driver.name,
  };
}
