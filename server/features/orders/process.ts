import type { RoomLine } from '#contract/chat/room-lines.ts';
import type { Actor, BookingMove, RequestMove, RideMove } from '#contract/rides/moves.ts';

/**
 * The consequences of each move of an order, in one place: `moves.ts`, `money.ts` and the listeners of chat,
 * alerts and notifications read it. A move without an entry does not compile.
 */
export interface BookingProcess {
  /** The move's effect on the booking's payment, in the transaction that moves it (`money.ts`). */
  money: MoneyEffect;
  /**
   * The booking's deadline after the move (`bookings/rules/deadlines.ts`); null where it has none, and a
   * former deadline is cleared.
   */
  deadline: Deadline | null;
  /** The chat's line about it. */
  chat: BookingChat;
  /**
   * Whether it changes who else fits the ride: its route, its seats, or the share of a price per car. Saved
   * alerts are matched again.
   */
  changesFit: boolean;
  /**
   * The notification of it; by actor where it depends on who moved; `asJoined` for that of the passenger's
   * joining.
   */
  notifies: MoveNotice | Readonly<Record<Actor, MoveNotice>> | 'asJoined' | null;
}

/**
 * - `cancel`: the authorization is canceled.
 * - `cancellationFee`: the late fee of the booking is captured, if it has one; the rest is canceled.
 * - `noShowFee`: the no-show fee is captured after the time to object.
 * - `resume`: the fare is authorized again.
 */
export type MoneyEffect = 'none' | 'cancel' | 'cancellationFee' | 'noShowFee' | 'resume';

/**
 * - `answer`: the other side answers an ask or an invitation.
 * - `offer`: the first of the waitlist takes the seat reserved for them.
 * - `payment`: the passenger pays for the seat reserved for them.
 * - `securing`: the passenger fixes the payment of a seat they had already.
 */
export type Deadline = 'answer' | 'offer' | 'payment' | 'securing';

export interface BookingChat {
  /** The chat between the two before they ride together. */
  thread: 'opens' | 'joined' | 'over' | null;
  /** The ride's chat room. */
  room: 'enters' | 'leaves' | 'line' | null;
}

export interface MoveNotice {
  to: 'driver' | 'passenger';
  news: BookingNews;
}
export type BookingNews =
  | 'asked'
  | 'invited'
  | 'seatOffered'
  | 'accepted'
  | 'joinedAtOnce'
  | 'invitationAccepted'
  | 'rejected'
  | 'invitationDeclined'
  | 'reached'
  | 'meetingAsked'
  | 'missed'
  | 'driverMissed'
  | 'driverCancelled'
  | 'passengerCancelled'
  | 'brokenOff';

const toDriver = (news: BookingNews): MoveNotice => ({ to: 'driver', news });
const toPassenger = (news: BookingNews): MoveNotice => ({ to: 'passenger', news });

const silent: BookingChat = { thread: null, room: null };
const opens: BookingChat = { thread: 'opens', room: null };
const over: BookingChat = { thread: 'over', room: null };
const enters: BookingChat = { thread: 'joined', room: 'enters' };
const line: BookingChat = { thread: null, room: 'line' };
const leaves: BookingChat = { thread: null, room: 'leaves' };

/** A move that only changes the state. */
const plain = { money: 'none', deadline: null, chat: silent, changesFit: false, notifies: null } as const;
/** One side alone says that they have met: the other one is asked. */
const asksOther = {
  driver: toPassenger('meetingAsked'),
  admin: toPassenger('meetingAsked'),
  system: toPassenger('meetingAsked'),
  passenger: toDriver('meetingAsked'),
} as const;
const joins = { ...plain, chat: enters, changesFit: true } as const;
const ends = { ...plain, money: 'cancel', chat: over } as const;

export const bookingProcess = {
  ask: { ...plain, deadline: 'answer', chat: opens, notifies: toDriver('asked') },
  invite: { ...plain, deadline: 'answer', chat: opens, notifies: toPassenger('invited') },
  offer: {
    ...plain,
    deadline: 'offer',
    chat: opens,
    changesFit: true,
    notifies: toPassenger('seatOffered'),
  },
  accept: { ...joins, notifies: toPassenger('accepted') },
  joinAtOnce: { ...joins, notifies: toDriver('joinedAtOnce') },
  acceptInvitation: { ...joins, notifies: toDriver('invitationAccepted') },
  agree: { ...plain, deadline: 'payment', changesFit: true },
  pay: { ...plain, chat: enters, notifies: 'asJoined' },
  holdFailed: { ...plain, deadline: 'securing' },
  secureAnew: { ...plain, deadline: 'securing' },
  reject: { ...ends, notifies: toPassenger('rejected') },
  declineInvitation: { ...ends, notifies: toDriver('invitationDeclined') },
  withdraw: ends,
  withdrawInvitation: ends,
  expire: ends,
  cancel: {
    ...plain,
    money: 'cancellationFee',
    chat: leaves,
    changesFit: true,
    notifies: {
      driver: toPassenger('driverCancelled'),
      admin: toPassenger('driverCancelled'),
      passenger: toDriver('passengerCancelled'),
      system: toDriver('passengerCancelled'),
    },
  },
  gather: plain,
  reach: { ...plain, chat: line, notifies: toPassenger('reached') },
  meet: { ...plain, notifies: asksOther },
  board: { ...plain, chat: line },
  undoMeet: plain,
  noShow: {
    ...plain,
    money: 'noShowFee',
    chat: line,
    changesFit: true,
    notifies: toPassenger('missed'),
  },
  // The authorization stays while the driver may still prove that they were there (`reports/`).
  reportDriver: { ...plain, chat: line, changesFit: true, notifies: toDriver('driverMissed') },
  meetLate: { ...plain, notifies: asksOther },
  boardLate: { ...plain, money: 'resume', chat: line, changesFit: true },
  // The fare is captured when the ride ends: who has ridden is not known before (`money.ts`, `fareDue`).
  dropOff: { ...plain, chat: line },
  // Only the command that ends the ride knows what was ridden (`money.ts`, `partWayDue`); the ride's own chat
  // line announces it.
  breakOff: { ...plain, notifies: toPassenger('brokenOff') },
  // The command that concludes the ride decides its money, by the answers of both sides (`unclear/`).
  agreeRidden: plain,
  leaveOpen: plain,
} as const satisfies Record<BookingMove, BookingProcess>;

export interface RideProcess {
  /** The system message in the ride's room; null for none. */
  chatLine: RoomLine | null;
  /** Whether the ride's room is closed for writing. */
  closesRoom: boolean;
  /** No passenger can join the ride any more: its waitlist ends. */
  endsWaitlist: boolean;
  /** The people notified of it, in addition to the people of the bookings it moves. */
  notifies: 'neighbors' | 'passengers' | 'driverIfByAdmin' | null;
}

const quiet = { chatLine: null, closesRoom: false, endsWaitlist: false, notifies: null } as const;
const rideOver = { ...quiet, closesRoom: true, endsWaitlist: true } as const;

export const rideProcess = {
  publish: { ...quiet, notifies: 'neighbors' },
  fill: quiet,
  reopen: quiet,
  gather: { ...quiet, chatLine: 'gather' },
  ungather: quiet,
  reach: { ...quiet, chatLine: 'reachStart' },
  depart: { ...quiet, chatLine: 'depart', endsWaitlist: true, notifies: 'passengers' },
  approach: quiet,
  carryOn: quiet,
  arrive: { ...rideOver, chatLine: 'arrive' },
  endEmpty: { ...rideOver, chatLine: 'arrive' },
  cancel: { ...rideOver, chatLine: 'cancelRide' },
  breakOff: { ...rideOver, chatLine: 'breakOff', notifies: 'driverIfByAdmin' },
  conclude: { ...rideOver, chatLine: 'arrive' },
  expire: { ...rideOver, chatLine: 'expireRide' },
} as const satisfies Record<RideMove, RideProcess>;

export interface RequestProcess {
  /** The request has found its ride, or has ended: it leaves the waitlists of other rides. */
  endsWaitlist: boolean;
  notifies: 'neighbors' | null;
}

const waits = { endsWaitlist: false, notifies: null } as const;
const settled = { endsWaitlist: true, notifies: null } as const;

export const requestProcess = {
  publish: { ...waits, notifies: 'neighbors' },
  asked: waits,
  invited: waits,
  unanswered: waits,
  join: settled,
  reconfirm: waits,
  rematch: waits,
  finish: settled,
  miss: settled,
  boardLate: settled,
  cancel: settled,
  expire: settled,
  lapse: settled,
} as const satisfies Record<RequestMove, RequestProcess>;
