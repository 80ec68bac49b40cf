import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { InputOf, OutputOf } from '#contract/define.ts';
import { endedRideStates, onTheWayRideStates, seatedStates } from '#contract/rides/moves.ts';
import type { Booking, Ride } from '#contract/rides/views.ts';
import type * as calls from '#contract/safety/endpoints.ts';
import type { SharedTrip, TripShare, TrustedContact } from '#contract/safety/endpoints.ts';
import type { Platform } from '../../platform/platform.ts';
import { dayMs, later } from '../../platform/clock.ts';
import { movedOn, notFound, refuseField, Refusal } from '../../platform/refusal.ts';
import { hashSecret, newSecret } from '../../platform/security/session.ts';
import type { ContactsService } from '../contacts/service.ts';
import type { GeoService } from '../geo/service.ts';
import { parsePhone, type IdentityService } from '../identity/service.ts';
import type { TripsService } from '../trips/service.ts';
import { orderNotFound, type OrdersService } from '../orders/service.ts';
import { emergencyEmail, shareEmail, type Emergency } from './rules/emails.ts';
import { emergencySms } from './rules/sms.ts';
import * as store from './store.ts';

export type SafetyService = ReturnType<typeof createSafety>;

/** Counted in the command, once the trip is known: a refused alarm must not use up one that is needed later. */
const alarmTries = { most: 5, withinSeconds: 600 };
const nobody: TrustedContact = { name: '', phone: '', email: '' };

/** Somebody else watches over a ride: whoever it is shared with, and the one to be told in an emergency. */
export function createSafety(
  { db, transact, clock, outbox, env, tries }: Platform,
  features: {
    rides: OrdersService;
    trips: TripsService;
    identity: IdentityService;
    contacts: ContactsService;
    geo: GeoService;
  },
) {
  const { rides, trips, identity, contacts, geo } = features;
  const linkTo = (path: string) => `${env.publicUrl}${path}`;

  /** The ride as its driver or somebody who rides along knows it. Refuses everybody else with `order.notFound`. */
  async function ownTrip(rideId: string, personId: string): Promise<{ ride: Ride; booking: Booking | null }> {
    const row = await rides.rideById(rideId);
    const ride = row === null ? undefined : (await rides.rideViews([row], personId))[0];
    const booking = ride?.bookings.findLast(({ state }) => seatedStates.includes(state)) ?? null;
    if (ride === undefined || (!ride.mine && ride.bookings.length === 0)) throw orderNotFound();
    return { ride, booking: ride.mine ? null : booking };
  }

  const isOn = ({ ride, booking }: { ride: Ride; booking: Booking | null }) =>
    !endedRideStates.includes(ride.state) && (ride.mine || booking !== null);

  /** Refuses `share.notRiding` once the ride is over for this person. */
  async function tripOn(rideId: string, personId: string) {
    const trip = await ownTrip(rideId, personId);
    if (!isOn(trip)) throw movedOn('share.notRiding', 'You are not on this ride.');
    return trip;
  }

  async function nameOf(personId: string): Promise<string> {
    return (await identity.people([personId])).get(personId)?.name ?? '';
  }

  async function shareViews(rideId: string, ownerId: string): Promise<{ shares: TripShare[] }> {
    const rows = await store.sharesOf(db, rideId, ownerId);
    const people = await identity.people(rows.flatMap(({ toId }) => toId ?? []));
    return {
      shares: rows.map(({ id, toId, createdAt }) => ({
        id,
        to: toId === null ? null : (people.get(toId) ?? null),
        at: createdAt.toISOString(),
      })),
    };
  }

  function newShare(rideId: string, ownerId: string, toId: string | null) {
    const secret = newSecret();
    const row = {
      id: randomUUID(),
      rideId,
      ownerId,
      toId,
      secretHash: hashSecret(secret),
      createdAt: clock.now(),
    };
    return { row, path: `/pages/order/shared?code=${secret}` };
  }

  return {
    erasure: store.erasure,
    /** Makes a link to one's trip; with a contact it goes to them by mail. Refuses `share.notRiding`, `share.notContact`. */
    async share(
      { id, contactId }: z.output<typeof calls.shareTrip.input>,
      personId: string,
    ): Promise<OutputOf<typeof calls.shareTrip>> {
      await tripOn(id, personId);
      if (contactId !== undefined && !(await contacts.areContacts(personId, contactId)))
        throw refuseField('share.notContact', 'contactId', 'Please choose one of your contacts.');
      const { row, path } = newShare(id, personId, contactId ?? null);
      const name = await nameOf(personId);
      await transact(async (tx) => {
        await store.insertShare(tx, row);
        const to =
          contactId === undefined ? undefined : (await identity.contactDetails([contactId])).get(contactId);
        if (to !== undefined)
          await outbox.post(tx, { to: to.email, ...shareEmail(to.language, { name, link: linkTo(path) }) });
      });
      const { shares } = await shareViews(id, personId);
      return { share: shares.find((each) => each.id === row.id)!, path };
    },

    async shares(rideId: string, personId: string): Promise<OutputOf<typeof calls.listShares>> {
      await ownTrip(rideId, personId);
      return shareViews(rideId, personId);
    },

    /** Refuses `share.notFound`. */
    async stopSharing(shareId: string, personId: string): Promise<OutputOf<typeof calls.stopSharing>> {
      const ended = await transact((tx) => store.endShare(tx, shareId, personId));
      if (ended === null) throw shareNotFound();
      return shareViews(ended.rideId, personId);
    },

    /** What the holder of a link sees: the trip while it lasts. Refuses `share.notFound`. */
    async watch(code: string): Promise<OutputOf<typeof calls.watchTrip>> {
      const share = await store.shareBySecret(db, hashSecret(code));
      if (share === null) throw shareNotFound();
      const { rideId, ownerId } = share;
      const name = await nameOf(ownerId);
      const trip = await ownTrip(rideId, ownerId).catch((error: unknown) => {
        // No longer theirs to see is over; anything else is trouble, and says so: a person who watches over another must not be calmed.
        if (error instanceof Refusal && error.code === 404) return null;
        throw error;
      });
      if (trip === null || !isOn(trip)) return { name, trip: null };
      const { ride, booking } = trip;
      const { position } = await trips.whereIsCar(rideId, ownerId);
      const [from, to] = booking === null ? [ride.from, ride.to] : [booking.pickup, booking.dropoff];
      const arrival = position?.arrivals.find(({ kind, bookingId }) =>
        booking === null ? kind === 'end' : kind === 'dropoff' && bookingId === booking.id,
      );
      const spot = (place: { name: string; lon: number; lat: number }): SharedTrip['from'] => ({
        name: place.name,
        lon: place.lon,
        lat: place.lat,
      });
      const { vehicle } = ride;
      return {
        name,
        trip: {
          driverName: ride.driver.name,
          vehicle:
            vehicle === null
              ? null
              : {
                  brand: vehicle.brand,
                  model: vehicle.model,
                  color: vehicle.color,
                  plate: vehicle.plate,
                },
          onBoard: booking === null ? onTheWayRideStates.includes(ride.state) : booking.state === 'picked',
          from: spot(from),
          to: spot(to),
          timeZone: ride.timeZone,
          plannedAt: booking === null ? ride.arrivesAt : booking.dropoff.at,
          expectedAt: arrival?.at ?? null,
          car: position === null ? null : { lon: position.lon, lat: position.lat, at: position.at },
        },
      };
    },

    async trusted(personId: string): Promise<TrustedContact> {
      const row = await store.trustedOf(db, personId);
      return row === null ? nobody : { name: row.name, phone: row.phone, email: row.email };
    },

    /** Refuses `access.phoneInvalid`, and `safety.unreachable` for somebody without a number and an address. */
    async saveTrusted(
      input: Required<InputOf<typeof calls.saveTrustedContact>>,
      personId: string,
    ): Promise<TrustedContact> {
      if (input.name === '') {
        await transact((tx) => store.dropTrusted(tx, personId));
        return nobody;
      }
      const number = input.phone === '' ? null : parsePhone(input.phone);
      if (input.phone !== '' && number === null)
        throw refuseField('access.phoneInvalid', 'phone', 'Please enter a valid phone number.');
      const { name, email } = input;
      const phone = number?.phone ?? '';
      if (phone === '' && email === '')
        throw refuseField('safety.unreachable', 'phone', 'Please enter a phone number or an email.');
      await transact((tx) => store.keepTrusted(tx, { ownerId: personId, name, phone, email }));
      return { name, phone, email };
    },

    /** Records an emergency and tells the trusted contact, with a link to follow the trip. Refuses `share.notRiding`. */
    async alarm(
      { id, lon, lat }: z.output<typeof calls.raiseAlarm.input>,
      personId: string,
    ): Promise<OutputOf<typeof calls.raiseAlarm>> {
      const { ride } = await tripOn(id, personId);
      await tries.count(`alarm:${personId}`, alarmTries);
      const trusted = await store.trustedOf(db, personId);
      const own = (await identity.contactDetails([personId])).get(personId);
      const car = (await trips.whereIsCar(id, personId)).position;
      const at =
        lon !== null && lat !== null ? { lon, lat } : car === null ? null : { lon: car.lon, lat: car.lat };
      const { row, path } = newShare(id, personId, null);
      const place = at === null ? { name: '', detail: '' } : geo.streetOf(at);
      const language = own?.language ?? 'en';
      const emergency: Emergency = {
        name: await nameOf(personId),
        phone: own?.phoneVerified === true ? own.phone : '',
        place: [place.name, place.detail].filter(Boolean).join(', '),
        at,
        plate: ride.vehicle?.plate ?? '',
        car: ride.vehicle === null ? '' : `${ride.vehicle.color} ${ride.vehicle.brand} ${ride.vehicle.model}`,
        driverName: ride.driver.name,
        link: linkTo(path),
      };
      await transact(async (tx) => {
        const where = { lon: at?.lon ?? null, lat: at?.lat ?? null };
        await store.insertAlarm(tx, { id: randomUUID(), rideId: id, personId, at: clock.now(), ...where });
        if (trusted === null) return;
        await store.insertShare(tx, row);
        if (trusted.phone !== '')
          await outbox.text(tx, { to: trusted.phone, ...emergencySms(language, emergency) });
        if (trusted.email !== '')
          await outbox.post(tx, { to: trusted.email, ...emergencyEmail(language, emergency) });
      });
      const told: OutputOf<typeof calls.raiseAlarm>['told'] = [];
      if (trusted !== null && trusted.phone !== '') told.push('sms');
      if (trusted !== null && trusted.email !== '') told.push('email');
      return { told, name: trusted?.name ?? '' };
    },

    /** Forgets the links of rides that ended a day ago. */
    clearAway: () => store.forgetShares(db, later(clock.now(), -dayMs)),
  };
}

const shareNotFound = () => notFound('share.notFound', 'This link shows nothing any more.');
