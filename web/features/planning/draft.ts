import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { maxVia } from '#contract/rides/endpoints.ts';
import { noPreferences, preferences } from '#contract/rides/preferences.ts';
import { priceKinds, visibilities } from '#contract/rides/views.ts';
import { place } from '#contract/units.ts';
import { draftStore } from '../../core/drafts.ts';
import { stored, type Stored } from '../../core/stored.ts';

const chosenPlace = place.nullable().catch(null);
const common = {
  from: chosenPlace,
  to: chosenPlace,
  /**
   * Date and time as the starting place's clocks show them, `2026-11-24T07:15`; empty until a sensible one is
   * filled in.
   */
  local: z.string().catch(''),
  seats: z.number().int().min(1).max(8).catch(1),
  visibility: z.enum(visibilities).catch('all users'),
  tagIds: z.array(z.string()).catch([]),
  note: z.string().catch(''),
  /** Null follows the profile. */
  contactWith: z.enum(['phone', 'email', 'chat']).nullable().catch(null),
  flightNumber: z.string().catch(''),
  eventId: z.string().nullable().catch(null),
  preferences: preferences.catch(noPreferences),
  /** The way back, planned in one go; null for one way. */
  back: z
    .object({ local: z.string(), seats: z.number().int().min(1).max(8) })
    .nullable()
    .catch(null),
  /** On which days it comes back, and until when (`2026-12-18`); null for once. */
  weekly: z
    .object({ weekdays: z.array(z.number().int().min(1).max(7)), untilDay: z.string() })
    .nullable()
    .catch(null),
};

const driverDraft = z.object({
  ...common,
  seats: z.number().int().min(1).max(8).catch(3),
  /** Stops on the way. */
  via: z.array(place).max(maxVia).catch([]),
  flexMinutes: z.number().int().catch(15),
  vehicleId: z.string().nullable().catch(null),
  /** Null follows the advice: a price where the advised share is above the minimum, else free. */
  price: z
    .enum(['free', ...priceKinds])
    .nullable()
    .catch(null),
  /** Null follows the advice. */
  costCents: z.number().int().nullable().catch(null),
  maxDetourMinutes: z.number().int().nullable().catch(null),
  instant: z.boolean().catch(false),
});

const passengerDraft = z.object({
  ...common,
  /** The pick-up may be this much earlier or later than `local`. */
  flexMinutes: z.number().int().catch(30),
  offerCents: z.number().int().nullable().catch(null),
  walkMetres: z.number().int().catch(600),
});

// What is being edited is kept beside the plan of the next ride, with the order it belongs to.
const editedOrder = { of: z.string().catch('') };
const editedRide = driverDraft.extend(editedOrder);
const editedRequest = passengerDraft.extend(editedOrder);

/** What a driver is about to propose to those on board of one ride. */
const proposal = z.object({
  of: z.string().catch(''),
  from: chosenPlace,
  to: chosenPlace,
  via: z.array(place).max(maxVia).catch([]),
  local: z.string().catch(''),
  costCents: z.number().int().catch(0),
  note: z.string().catch(''),
});

export type Proposal = z.output<typeof proposal>;
export type DriverDraft = z.output<typeof driverDraft>;
export type PassengerDraft = z.output<typeof passengerDraft>;
export type Draft = DriverDraft | PassengerDraft;

const emptyDriver = driverDraft.parse({});
const emptyPassenger = passengerDraft.parse({});

/** What stays the same from ride to ride outlives the plan it was chosen in. */
const driverHabits = stored('habits.driver', (raw) => driverDraft.catch(emptyDriver).parse(raw ?? {}));
const passengerHabits = stored('habits.passenger', (raw) =>
  passengerDraft.catch(emptyPassenger).parse(raw ?? {}),
);

// Kept in the browser, so that a plan survives signing in, a reload, and the vehicle that has to be added
// first.
export const driverStore = draftStore('plan.driver', (raw) =>
  driverDraft.catch(emptyDriver).parse(raw ?? driverHabits.read()),
);
export const passengerStore = draftStore('plan.passenger', (raw) =>
  passengerDraft.catch(emptyPassenger).parse(raw ?? passengerHabits.read()),
);

export const editedRideStore = draftStore('edit.ride', (raw) =>
  editedRide.catch({ ...emptyDriver, of: '' }).parse(raw ?? {}),
);
export const editedRequestStore = draftStore('edit.request', (raw) =>
  editedRequest.catch({ ...emptyPassenger, of: '' }).parse(raw ?? {}),
);

export const proposalStore = draftStore('proposal', (raw) =>
  proposal.catch(proposal.parse({})).parse(raw ?? {}),
);

/** Once published, the next plan starts empty but for what stays the same from ride to ride. */
export function clearDriverDraft(): void {
  const { seats, vehicleId, contactWith, instant, preferences: same } = driverStore.read();
  driverHabits.write({ ...emptyDriver, seats, vehicleId, contactWith, instant, preferences: same });
  driverStore.drop();
}
export function clearPassengerDraft(): void {
  const { seats, walkMetres, contactWith, preferences: same } = passengerStore.read();
  passengerHabits.write({ ...emptyPassenger, seats, walkMetres, contactWith, preferences: same });
  passengerStore.drop();
}

/** What was edited has been saved. */
export function dropEdited(): void {
  editedRideStore.drop();
  editedRequestStore.drop();
}
export const dropProposal = proposalStore.drop;

function useStore<D>(store: Stored<D>): [D, (part: Partial<D>) => void] {
  const draft = useSyncExternalStore(store.subscribe, store.read);
  const change = useCallback((part: Partial<D>) => store.write({ ...store.read(), ...part }), [store]);
  return [draft, change];
}

/** What the driver has filled in so far, and a way to change parts of it. */
export const useDriverDraft = () => useStore(driverStore);
/** The same for the passenger. */
export const usePassengerDraft = () => useStore(passengerStore);
/** What is about to be proposed. */
export const useProposal = () => useStore(proposalStore);
/** The ride, or request, that is being edited. */
export const useEditedRide = () => useStore(editedRideStore);
export const useEditedRequest = () => useStore(editedRequestStore);
