import * as access from './access/endpoints.ts';
import * as secondFactor from './access/second-factor.ts';
import * as admin from './admin/endpoints.ts';
import * as security from './admin/security.ts';
import * as adminOperations from './admin/operations.ts';
import * as alerts from './alerts/endpoints.ts';
import * as announcements from './announcements/endpoints.ts';
import * as app from './app/endpoints.ts';
import * as chat from './chat/endpoints.ts';
import * as directory from './connect/directory.ts';
import * as keys from './connect/keys.ts';
import * as webhooks from './connect/webhooks.ts';
import * as contacts from './contacts/endpoints.ts';
import type { Endpoint } from './define.ts';
import * as demo from './demo/endpoints.ts';
import * as discover from './discover/endpoints.ts';
import * as events from './events/endpoints.ts';
import * as eventPlans from './events/plan.ts';
import * as feedback from './feedback/endpoints.ts';
import * as geo from './geo/endpoints.ts';
import * as breakingOff from './trips/interrupted-rides.ts';
import * as trips from './trips/endpoints.ts';
import * as licenses from './licenses/endpoints.ts';
import * as notifications from './notifications/endpoints.ts';
import * as payments from './payments/endpoints.ts';
import * as pictures from './pictures/endpoints.ts';
import * as privacy from './privacy/endpoints.ts';
import * as dataExport from './privacy/export.ts';
import * as reviews from './reviews/endpoints.ts';
import * as rides from './rides/endpoints.ts';
import * as series from './rides/recurring.ts';
import * as sharing from './rides/share-links.ts';
import * as setup from './setup/endpoints.ts';
import * as safety from './safety/endpoints.ts';
import * as tickets from './tickets/endpoints.ts';
import * as user from './user/endpoints.ts';
import * as vehicles from './vehicles/endpoints.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'refusals' in value;

/** All endpoints: the server must serve every one of them. */
export const allEndpoints: readonly Endpoint[] = [
  app,
  access,
  secondFactor,
  user,
  vehicles,
  geo,
  rides,
  series,
  sharing,
  trips,
  breakingOff,
  safety,
  alerts,
  discover,
  chat,
  events,
  eventPlans,
  contacts,
  reviews,
  feedback,
  tickets,
  announcements,
  notifications,
  privacy,
  dataExport,
  payments,
  pictures,
  licenses,
  setup,
  admin,
  security,
  adminOperations,
  keys,
  webhooks,
  directory,
  demo,
].flatMap((feature) => Object.values(feature).filter(isEndpoint));
