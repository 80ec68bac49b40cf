import type { NotificationChannel } from '#contract/notifications/endpoints.ts';
import type { Db } from '../../platform/database/db.ts';

/** A move of a ride or of a booking, as one line of its history. */
export interface RecordedMove {
  at: Date;
  thing: 'ride' | 'request' | 'booking';
  move: string;
  toState: string;
  actor: string;
  note: string;
}

/** When and how a passenger was notified outside of the app what their payment needs. */
export interface Reminder {
  at: Date;
  by: NotificationChannel;
}

/**
 * Payments' questions to orders, the chat and notifications, which depend on payments: `server/app.ts` passes
 * the answers in.
 */
export interface PaymentPorts {
  /** The moves of a ride and of one of its bookings, the oldest first. */
  movesOf(db: Db, of: { rideId: string; bookingId: string }): Promise<RecordedMove[]>;
  /** Whether that the driver was at the pick-up rests on the driver's words alone. */
  isReachedByWords(db: Db, bookingId: string): Promise<boolean>;
  /** The distances ridden on rides that ended on the way, by booking. */
  riddenOf(
    db: Db,
    bookingIds: readonly string[],
  ): Promise<Map<string, { riddenMetres: number; routeMetres: number }>>;
  /** How much some people have written in a ride's room, and when; null where the ride has no room. */
  writtenInRide(
    db: Db,
    rideId: string,
    personIds: readonly string[],
  ): Promise<{ roomId: string; messages: number; firstAt: Date | null; lastAt: Date | null } | null>;
  /** The last reminder of what each of these authorizations needs, by its id. */
  paymentRemindersOf(
    db: Db,
    needing: readonly { id: string; passengerId: string; need: string }[],
  ): Promise<Map<string, Reminder>>;
}
