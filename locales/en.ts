import about from './en/about.json' with { type: 'json' };
import access from './en/access.json' with { type: 'json' };
import admin from './en/admin.json' with { type: 'json' };
import alerts from './en/alerts.json' with { type: 'json' };
import chat from './en/chat.json' with { type: 'json' };
import common from './en/common.json' with { type: 'json' };
import connect from './en/connect.json' with { type: 'json' };
import contacts from './en/contacts.json' with { type: 'json' };
import demo from './en/demo.json' with { type: 'json' };
import discover from './en/discover.json' with { type: 'json' };
import events from './en/events.json' with { type: 'json' };
import geo from './en/geo.json' with { type: 'json' };
import legal from './en/legal.json' with { type: 'json' };
import notifications from './en/notifications.json' with { type: 'json' };
import payments from './en/payments.json' with { type: 'json' };
import people from './en/people.json' with { type: 'json' };
import planning from './en/planning.json' with { type: 'json' };
import reasons from './en/reasons.json' with { type: 'json' };
import reviews from './en/reviews.json' with { type: 'json' };
import rides from './en/rides.json' with { type: 'json' };
import safety from './en/safety.json' with { type: 'json' };
import sentences from './en/sentences.json' with { type: 'json' };
import recurring from './en/recurring.json' with { type: 'json' };
import security from './en/security.json' with { type: 'json' };
import settings from './en/settings.json' with { type: 'json' };
import setup from './en/setup.json' with { type: 'json' };
import vehicles from './en/vehicles.json' with { type: 'json' };

/** Every namespace of the web app in English, which the types of all words come from. */
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

/** A part of the words: a file of each language. */
export type Namespace = keyof typeof words;
