import { useCallback, useSyncExternalStore } from 'react';
import { draftStore } from '../../core/drafts.ts';
import type { Side } from '../../core/side.ts';
import { stored, type Stored } from '../../core/stored.ts';
import { emptyPlan, parsePlan, type PlanValues } from './plan-values.ts';

/** The stored values of one kind of plan. */
export type PlanDraft = ReturnType<typeof draftStore<PlanValues>>;

/** What stays the same from ride to ride outlives the plan it was chosen in. */
const habits = {
  driver: stored('habits.driver', (raw) => parsePlan('driver', raw)),
  passenger: stored('habits.passenger', (raw) => parsePlan('passenger', raw)),
} as const satisfies Record<Side, Stored<PlanValues>>;

// Stored in the browser, so that a plan survives signing in, a reload, and the vehicle that has to be added
// first.
export const driverStore = draftStore('plan.driver', (raw) =>
  parsePlan('driver', raw ?? habits.driver.read()),
);
export const passengerStore = draftStore('plan.passenger', (raw) =>
  parsePlan('passenger', raw ?? habits.passenger.read()),
);

// Changes to an order are stored apart from the plan of the next ride, with the order they belong to.
export const editedRideStore = draftStore('edit.ride', (raw) => parsePlan('driver', raw));
export const editedRequestStore = draftStore('edit.request', (raw) => parsePlan('passenger', raw));
/** What a driver is about to propose to those on board of one ride. */
export const proposalStore = draftStore('proposal', (raw) => parsePlan('driver', raw));

/** Once published, the next plan starts empty but for what stays the same from ride to ride. */
export function clearDriverDraft(): void {
  const { seats, vehicleId, contactWith, instant, preferences } = driverStore.read();
  habits.driver.write({ ...emptyPlan.driver, seats, vehicleId, contactWith, instant, preferences });
  driverStore.drop();
}
export function clearPassengerDraft(): void {
  const { seats, walkMetres, contactWith, preferences } = passengerStore.read();
  habits.passenger.write({ ...emptyPlan.passenger, seats, walkMetres, contactWith, preferences });
  passengerStore.drop();
}

/** The stored values of a plan, and a way to change parts of it. */
export function useStoredPlan(store: PlanDraft): [PlanValues, (part: Partial<PlanValues>) => void] {
  const draft = useSyncExternalStore(store.subscribe, store.read);
  const change = useCallback(
    (part: Partial<PlanValues>) => store.write({ ...store.read(), ...part }),
    [store],
  );
  return [draft, change];
}

/** What the driver has filled in so far, and a way to change parts of it. */
export const useDriverDraft = () => useStoredPlan(driverStore);
/** The same for the passenger. */
export const usePassengerDraft = () => useStoredPlan(passengerStore);
