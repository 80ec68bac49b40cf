import type { ChatState } from './features/chat/state.ts';
import type { ConnectState } from './features/connect/state.ts';
import type { CommutesState } from './features/commutes/state.ts';
import type { EventsState } from './features/events/state.ts';
import type { DriverPorts } from './features/drivers/ports.ts';
import type { GeoPorts } from './features/geo/ports.ts';
import type { GeoState } from './features/geo/state.ts';
import type { IdentityPorts } from './features/identity/ports.ts';
import type { IdentityState } from './features/identity/state.ts';
import type { MatchingPorts } from './features/matching/ports.ts';
import type { MatchingState } from './features/matching/state.ts';
import type { OperationsState } from './features/operations/state.ts';
import type { NotificationPorts } from './features/notifications/ports.ts';
import type { NotificationsState } from './features/notifications/state.ts';
import type { OrderPorts } from './features/orders/ports.ts';
import type { PaymentPorts } from './features/payments/ports.ts';
import type { PaymentsState } from './features/payments/state.ts';
import type { TripsState } from './features/trips/state.ts';
import type { PreviewsState } from './features/previews/state.ts';
import type { PrivacyState } from './features/privacy/state.ts';
import type { ServeFor, ServeUploadFor } from './platform/http/http-server.ts';
import type { Platform } from './platform/platform.ts';

/**
 * The first parameter of every command and query: the platform, one field for each feature that keeps state
 * as long as the process lives, and the ports. A feature reads only its own field and its own ports (`npm run
 * directions`). `server/app.ts` builds the one value of each process.
 */
export interface App extends Platform {
  identity: IdentityState;
  geo: GeoState;
  payments: PaymentsState;
  connect: ConnectState;
  matching: MatchingState;
  operations: OperationsState;
  notifications: NotificationsState;
  chat: ChatState;
  trips: TripsState;
  commutes: CommutesState;
  events: EventsState;
  privacy: PrivacyState;
  previews: PreviewsState;
  /** Questions that a feature asks of features above it: `server/app.ts` answers them. */
  ports: {
    identity: IdentityPorts;
    geo: GeoPorts;
    payments: PaymentPorts;
    drivers: DriverPorts;
    matching: MatchingPorts;
    orders: OrderPorts;
    notifications: NotificationPorts;
  };
}

export type Serve = ServeFor<App>;
export type ServeUpload = ServeUploadFor<App>;
