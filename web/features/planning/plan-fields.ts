/** Fields of the forms, in the order in which they stand on the page. */
export const planFields = [
  'from',
  'via',
  'to',
  'local',
  'back.local',
  'back.seats',
  'weekly.weekdays',
  'weekly.untilDay',
  'seats',
  'vehicleId',
  'costCents',
  'offerCents',
  'walkMetres',
  'preferences',
  'tagIds',
  'maxDetourMinutes',
  'flightNumber',
  'note',
  'contactWith',
  'eventId',
] as const;
export type PlanField = (typeof planFields)[number];
export type Problems = Partial<Record<PlanField, string>>;
