import about from './zh/about.json' with { type: 'json' };
import access from './zh/access.json' with { type: 'json' };
import admin from './zh/admin.json' with { type: 'json' };
import alerts from './zh/alerts.json' with { type: 'json' };
import chat from './zh/chat.json' with { type: 'json' };
import common from './zh/common.json' with { type: 'json' };
import connect from './zh/connect.json' with { type: 'json' };
import contacts from './zh/contacts.json' with { type: 'json' };
import demo from './zh/demo.json' with { type: 'json' };
import discover from './zh/discover.json' with { type: 'json' };
import events from './zh/events.json' with { type: 'json' };
import geo from './zh/geo.json' with { type: 'json' };
import legal from './zh/legal.json' with { type: 'json' };
import notifications from './zh/notifications.json' with { type: 'json' };
import payments from './zh/payments.json' with { type: 'json' };
import people from './zh/people.json' with { type: 'json' };
import planning from './zh/planning.json' with { type: 'json' };
import reasons from './zh/reasons.json' with { type: 'json' };
import reviews from './zh/reviews.json' with { type: 'json' };
import rides from './zh/rides.json' with { type: 'json' };
import safety from './zh/safety.json' with { type: 'json' };
import sentences from './zh/sentences.json' with { type: 'json' };
import recurring from './zh/recurring.json' with { type: 'json' };
import security from './zh/security.json' with { type: 'json' };
import settings from './zh/settings.json' with { type: 'json' };
import setup from './zh/setup.json' with { type: 'json' };
import vehicles from './zh/vehicles.json' with { type: 'json' };

/** Every namespace of the web app in Chinese, in one file that the browser loads only for this language. */
export const words = {
  about,
  access,
  admin,
  alerts,
  chat,
  common,
  connect,
  contacts,
  demo,
  discover,
  events,
  geo,
  legal,
  notifications,
  payments,
  people,
  planning,
  reasons,
  reviews,
  rides,
  safety,
  sentences,
  recurring,
  security,
  settings,
  setup,
  vehicles,
};
