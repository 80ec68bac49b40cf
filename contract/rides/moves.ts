import { defineMoves } from '../define.ts';

/** How long before departure the day of the ride begins: those who joined are gathered. */
export const gatherBeforeMs = 60 * 60_000;
/** The driver may leave this long before the agreed time while a passenger farther on is still to come. */
export const departEarlyMs = 5 * 60_000;

/** The labels that people see; spelled as in the specification. */
export const stateLabels = [
  'matching',
  'requesting',
  'joined',
  'waiting',
  'inviting',
  'departed',
  'ongoing',
  'picking',
  'picked',
  'missed',
  'finished',
  'cancel',
  'rejected',
  'expired',
  'full',
  'waiting for passenger acceptance',
  'driver reached',
] as const;
export type StateLabel = (typeof stateLabels)[number];

export const rideStates = [
  'matching',
  'full',
  'waiting',
  'driver reached',
  'departed',
  'picking',
  'ongoing',
  'finished',
  'cancel',
  'expired',
] as const;
export type RideState = (typeof rideStates)[number];

export const bookingStates = [
  'requesting',
  'inviting',
  'waiting for passenger acceptance',
  'joined',
  'waiting',
  'driver reached',
  'picking',
  'picked',
  'missed',
  'finished',
  'rejected',
  'cancel',
  'expired',
] as const;
export type BookingState = (typeof bookingStates)[number];

/** The reasons of `waiting for passenger acceptance`. */
export const bookingAwaits = ['answer', 'payment'] as const;
export type BookingAwaits = (typeof bookingAwaits)[number];

export const requestStates = [
  'matching',
  'requesting',
  'inviting',
  'joined',
  'finished',
  'missed',
  'cancel',
  'expired',
] as const;
export type RequestState = (typeof requestStates)[number];

export const actors = ['driver', 'passenger', 'system', 'admin'] as const;
export type Actor = (typeof actors)[number];

/**
 * The evidence that a driver was at a pick-up: their device's position, their word alone (weak: a passenger's
 * objection releases the money), or their word against that position (no fee can follow).
 */
export const reachEvidence = ['position', 'words', 'contradicted'] as const;
export type ReachEvidence = (typeof reachEvidence)[number];

/** The ways in which one side has tried to contact the other. */
export const contactKinds = ['call', 'message', 'email'] as const;

/** Why a ride is interrupted. */
export const breakOffKinds = ['breakdown', 'safety', 'other'] as const;
export type BreakOffKind = (typeof breakOffKinds)[number];
/**
 * The source of the place: the car's last position, the point chosen on the map, or neither, so that the last
 * stop it has left counts.
 */
export const brokenPlaces = ['position', 'chosen', 'stop'] as const;
export type BrokenPlace = (typeof brokenPlaces)[number];

/** Moves of a ride. Guards that need the clock or the bookings are in the server's `rules/`. */
export const rideMoves = defineMoves<RideState, Actor>()({
  publish: { id: 'R0', actors: ['driver'], from: null, to: 'matching' },
  fill: { id: 'R1', actors: ['system'], from: ['matching'], to: 'full' },
  reopen: { id: 'R2', actors: ['system'], from: ['full'], to: 'matching' },
  gather: { id: 'R3', actors: ['system'], from: ['matching', 'full'], to: 'waiting' },
  ungather: { id: 'R24', actors: ['system'], from: ['waiting'], to: 'matching' },
  reach: { id: 'R5', actors: ['driver'], from: ['waiting'], to: 'driver reached' },
  /** By the system where a passenger is on board and the driver has made no move for hours. */
  depart: { id: 'R6', actors: ['driver', 'system'], from: ['driver reached'], to: 'departed' },
  approach: { id: 'R7', actors: ['system'], from: ['departed'], to: 'picking' },
  carryOn: { id: 'R8', actors: ['system'], from: ['departed', 'picking'], to: 'ongoing' },
  arrive: { id: 'R10', actors: ['driver', 'system'], from: ['ongoing'], to: 'finished' },
  endEmpty: { id: 'R11', actors: ['driver', 'system'], from: ['departed', 'picking'], to: 'finished' },
  cancel: {
    id: 'R13',
    actors: ['driver'],
    from: ['matching', 'full', 'waiting', 'driver reached'],
    to: 'cancel',
  },
  /** Interrupted on the way: a breakdown, safety, or another reason (R17, R18, R19). */
  breakOff: {
    id: 'R19',
    actors: ['driver', 'admin'],
    from: ['departed', 'picking', 'ongoing'],
    to: 'cancel',
  },
  /**
   * After an outage on the day of the ride, or a meeting that one side alone has confirmed: both sides have
   * answered what became of it, or the deadline is over.
   */
  conclude: {
    id: 'R25',
    actors: ['system'],
    from: ['waiting', 'driver reached', 'departed', 'picking', 'ongoing'],
    to: 'finished',
  },
  expire: {
    id: 'R20',
    actors: ['system'],
    from: ['matching', 'full', 'waiting', 'driver reached'],
    to: 'expired',
  },
});
export type RideMove = keyof typeof rideMoves;

/** Moves of a booking. */
export const bookingMoves = defineMoves<BookingState, Actor>()({
  ask: { id: 'B1', actors: ['passenger'], from: null, to: 'requesting' },
  invite: { id: 'B2', actors: ['driver'], from: null, to: 'inviting' },
  /** A freed seat is reserved for the first on the waitlist, who accepts or declines. */
  offer: { id: 'B32', actors: ['system'], from: null, to: 'waiting for passenger acceptance' },
  accept: { id: 'B3', actors: ['driver'], from: ['requesting'], to: 'joined' },
  /** An instant ride: a passenger who asks and fits has joined. */
  joinAtOnce: { id: 'B3', actors: ['passenger'], from: ['requesting'], to: 'joined' },
  acceptInvitation: {
    id: 'B5',
    actors: ['passenger'],
    from: ['inviting', 'waiting for passenger acceptance'],
    to: 'joined',
  },
  /** Both accepted a paid ride, and its authorization is not placed yet: the seat is reserved for a while. */
  agree: {
    id: 'B4',
    actors: ['driver', 'passenger'],
    from: ['requesting', 'inviting', 'waiting for passenger acceptance'],
    to: 'waiting for passenger acceptance',
  },
  /** The authorization is placed. */
  pay: {
    id: 'B7',
    actors: ['passenger', 'system'],
    from: ['waiting for passenger acceptance'],
    to: 'joined',
  },
  /**
   * The authorization planned for three days before departure failed: the seat stays reserved while the
   * passenger fixes it.
   */
  holdFailed: { id: 'B8', actors: ['system'], from: ['joined'], to: 'waiting for passenger acceptance' },
  /**
   * An accepted change needs an authorization that is not placed yet: the seat stays reserved until it is.
   */
  secureAnew: { id: 'B8', actors: ['system'], from: ['joined'], to: 'waiting for passenger acceptance' },
  reject: { id: 'B9', actors: ['driver'], from: ['requesting'], to: 'rejected' },
  declineInvitation: {
    id: 'B10',
    actors: ['passenger'],
    from: ['inviting', 'waiting for passenger acceptance'],
    to: 'rejected',
  },
  withdraw: { id: 'B12', actors: ['passenger', 'system'], from: ['requesting'], to: 'cancel' },
  withdrawInvitation: {
    id: 'B13',
    actors: ['driver', 'system'],
    from: ['inviting', 'waiting for passenger acceptance'],
    to: 'cancel',
  },
  expire: {
    id: 'B15',
    actors: ['system'],
    from: ['requesting', 'inviting', 'waiting for passenger acceptance'],
    to: 'expired',
  },
  cancel: {
    id: 'B18',
    actors: ['passenger', 'driver', 'system', 'admin'],
    from: ['joined', 'waiting', 'driver reached'],
    to: 'cancel',
  },
  gather: { id: 'B19', actors: ['system'], from: ['joined'], to: 'waiting' },
  reach: { id: 'B21', actors: ['driver'], from: ['waiting'], to: 'driver reached' },
  meet: { id: 'B22', actors: ['driver', 'passenger'], from: ['driver reached'], to: 'picking' },
  /** By the system where the positions of both show that they ride together. */
  board: { id: 'B23', actors: ['driver', 'passenger', 'system'], from: ['picking'], to: 'picked' },
  /** By either side, until both have confirmed. */
  undoMeet: { id: 'B24', actors: ['driver', 'passenger', 'admin'], from: ['picking'], to: 'driver reached' },
  noShow: { id: 'B25', actors: ['driver'], from: ['driver reached'], to: 'missed' },
  reportDriver: {
    id: 'B26',
    actors: ['passenger', 'system'],
    from: ['waiting', 'driver reached', 'picking'],
    to: 'missed',
  },
  /** A missed passenger is on board after all: one side reports it, the other confirms it. */
  meetLate: { id: 'B28', actors: ['driver', 'passenger'], from: ['missed'], to: 'missed' },
  boardLate: { id: 'B28', actors: ['driver', 'passenger'], from: ['missed'], to: 'picked' },
  dropOff: { id: 'B29', actors: ['driver', 'system'], from: ['picked'], to: 'finished' },
  /** Both sides were asked what became of the day, and answered that they rode. */
  agreeRidden: {
    id: 'B33',
    actors: ['system'],
    from: ['waiting', 'driver reached', 'picking', 'picked'],
    to: 'finished',
  },
  /** Both sides were asked what became of the day, and it is not proved that they rode. */
  leaveOpen: {
    id: 'B34',
    actors: ['system'],
    from: ['waiting', 'driver reached', 'picking', 'picked'],
    to: 'expired',
  },
  /** The ride is interrupted with the passenger on board. */
  breakOff: { id: 'B30', actors: ['driver', 'admin'], from: ['picked'], to: 'cancel' },
});
export type BookingMove = keyof typeof bookingMoves;

/** Moves of a request. All but the first and the passenger's own cancel follow from its bookings. */
export const requestMoves = defineMoves<RequestState, Actor>()({
  publish: { id: 'P0', actors: ['passenger'], from: null, to: 'matching' },
  asked: { id: 'P1', actors: ['system'], from: ['matching', 'inviting'], to: 'requesting' },
  invited: { id: 'P2', actors: ['system'], from: ['matching', 'requesting'], to: 'inviting' },
  unanswered: { id: 'P5', actors: ['system'], from: ['requesting', 'inviting'], to: 'matching' },
  join: { id: 'P7', actors: ['system'], from: ['requesting', 'inviting'], to: 'joined' },
  /** A booking needs the passenger's action again. */
  reconfirm: { id: 'P10', actors: ['system'], from: ['joined'], to: 'inviting' },
  rematch: { id: 'P9', actors: ['system'], from: ['joined'], to: 'matching' },
  finish: { id: 'P11', actors: ['system'], from: ['joined'], to: 'finished' },
  miss: { id: 'P12', actors: ['system'], from: ['joined'], to: 'missed' },
  /**
   * Its passenger is on board after all, of the ride that was missed, even if the request has reopened since.
   */
  boardLate: {
    id: 'P20',
    actors: ['system'],
    from: ['missed', 'matching', 'requesting', 'inviting'],
    to: 'joined',
  },
  cancel: {
    id: 'P13',
    actors: ['passenger', 'system'],
    from: ['matching', 'requesting', 'inviting', 'joined'],
    to: 'cancel',
  },
  expire: { id: 'P17', actors: ['system'], from: ['matching', 'requesting', 'inviting'], to: 'expired' },
  /** Both sides were asked what became of its ride, and it is not proved that they rode. */
  lapse: { id: 'P21', actors: ['system'], from: ['joined'], to: 'expired' },
});
export type RequestMove = keyof typeof requestMoves;

// Named sets of states. Code names a set instead of listing its states: `npm run check` counts lists
// elsewhere.

/** Rides that a further passenger can join now. */
export const joinableRideStates: readonly RideState[] = ['matching', 'waiting'];
/** Rides that have not begun: a full one may have a free seat again. */
export const openRideStates: readonly RideState[] = ['matching', 'full', 'waiting'];
/** Rides for which the driver can propose another time, price or route. */
export const changeableRideStates: readonly RideState[] = ['matching', 'full'];
/** Rides that wait for departure: from an hour before it until the car leaves. */
export const gatheredRideStates: readonly RideState[] = ['waiting', 'driver reached'];
/** Rides between departure and arrival. */
export const onTheWayRideStates: readonly RideState[] = ['departed', 'picking', 'ongoing'];
/** Rides between the driver's arrival at the start and the end. */
export const underWayRideStates: readonly RideState[] = ['driver reached', ...onTheWayRideStates];
/** Rides whose car has not left yet. */
export const undepartedRideStates: readonly RideState[] = [...openRideStates, 'driver reached'];
/** Rides on their day, until they end. */
export const dayRideStates: readonly RideState[] = [...gatheredRideStates, ...onTheWayRideStates];
export const endedRideStates: readonly RideState[] = ['finished', 'cancel', 'expired'];

/** Requests that still need a ride. */
export const openRequestStates: readonly RequestState[] = ['matching', 'requesting', 'inviting'];
export const endedRequestStates: readonly RequestState[] = ['finished', 'missed', 'cancel', 'expired'];

/**
 * Orders of either role that have not begun and may have seats to fill: a full ride may have a free one
 * again.
 */
export const openOrderStates: readonly (RideState | RequestState)[] = [
  ...openRideStates,
  ...openRequestStates.filter((state) => state !== 'matching'),
];
/** Orders of either role that matching finds candidates for. */
export const searchingStates: readonly (RideState | RequestState)[] = [
  ...joinableRideStates,
  ...openRequestStates.filter((state) => state !== 'matching'),
];

/** Bookings that wait for the passenger's answer. */
export const invitedStates: readonly BookingState[] = ['inviting', 'waiting for passenger acceptance'];
/** Bookings that wait for an answer; a `waiting for passenger acceptance` one has its seat meanwhile. */
export const openAskStates: readonly BookingState[] = ['requesting', ...invitedStates];
/** Bookings that both sides have agreed to, until the passenger is on board. */
export const comingStates: readonly BookingState[] = ['joined', 'waiting', 'driver reached', 'picking'];
/** Agreed bookings, before the car has come. */
export const expectedStates: readonly BookingState[] = ['joined', 'waiting'];
/** Bookings whose passenger waits for the car, on the day of the ride. */
export const awaitedStates: readonly BookingState[] = ['waiting', 'driver reached', 'picking'];
/**
 * Bookings whose passenger and driver should meet at the car now, or have confirmed the meeting on one side.
 */
export const meetingStates: readonly BookingState[] = ['driver reached', 'picking'];
/** Bookings on the day of their ride. */
export const dayStates: readonly BookingState[] = [...awaitedStates, 'picked'];
/** Bookings that take a seat. */
export const seatedStates: readonly BookingState[] = [...comingStates, 'picked'];
/** Bookings whose passenger travels or has traveled with the ride. */
export const ridingStates: readonly BookingState[] = [...seatedStates, 'finished'];
/** Bookings that ended before the day of the ride, or without it. */
export const failedStates: readonly BookingState[] = ['cancel', 'rejected', 'expired'];

/**
 * Bookings after which a passenger may need another ride: canceled, or the car and the passenger missed each
 * other.
 */
export const lostStates: readonly BookingState[] = ['cancel', 'missed'];
/** Bookings that ended without the passenger's arrival. */
export const endedEarlyStates: readonly BookingState[] = [...failedStates, 'missed'];
export const endedBookingStates: readonly BookingState[] = [...endedEarlyStates, 'finished'];

/** Whether both have accepted: the passenger has a seat, or one reserved until their payment is secured. */
export const isAgreed = ({ state, awaits }: { state: BookingState; awaits: BookingAwaits | null }): boolean =>
  seatedStates.includes(state) || (state === 'waiting for passenger acceptance' && awaits === 'payment');

export const stages = ['Matching', 'In Progress', 'Completed', 'Joined', 'Requesting'] as const;
export type Stage = (typeof stages)[number];

/** The group of an order in the Rides list, for either role, from its states. */
export function stageOf(order: {
  role: 'driver' | 'passenger';
  state: RideState | RequestState;
  bookingStates: readonly BookingState[];
}): Stage {
  const ended: readonly string[] = order.role === 'driver' ? endedRideStates : endedRequestStates;
  if (ended.includes(order.state)) return 'Completed';
  const any = (...states: BookingState[]) => order.bookingStates.some((state) => states.includes(state));
  if (order.role === 'driver') {
    if (!(changeableRideStates as readonly string[]).includes(order.state)) return 'In Progress';
  } else if (any(...dayStates)) return 'In Progress';
  if (any(...openAskStates)) return 'Requesting';
  if (any('joined')) return 'Joined';
  return 'Matching';
}

/**
 * The label of an order: a passenger who has joined sees their booking's state, and a ride with free seats
 * shows that a person has joined it.
 */
export function labelOf(order: {
  role: 'driver' | 'passenger';
  state: RideState | RequestState;
  bookingStates: readonly BookingState[];
}): StateLabel {
  if (order.role === 'passenger' && order.state === 'joined') {
    return order.bookingStates.find((state) => seatedStates.includes(state)) ?? 'joined';
  }
  const hasPassenger = order.bookingStates.some((state) => seatedStates.includes(state));
  return order.role === 'driver' && order.state === 'matching' && hasPassenger ? 'joined' : order.state;
}
