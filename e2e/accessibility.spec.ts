import { expect } from '@playwright/test';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { violationsOn } from './axe.ts';
import { test } from './journey.ts';
import { openSignedIn, post, type Person } from './people.ts';

interface Orders {
  orders: { id: string }[];
}

const firstOrder = async (person: Person, query: string) =>
  (await person.get<Orders>(`/order/list?${query}`)).orders[0]!.id;

/** Screens of the main path, with the demo community in them. */
const screens: [
  name: string,
  role: 'driver' | 'passenger' | 'admin',
  path: (person: Person) => Promise<string> | string,
][] = [
  ['Carpool', 'driver', () => '/'],
  ['Plan your ride', 'driver', () => '/pages/order/confirm?role=driver'],
  ['Rides', 'driver', () => '/pages/order/order'],
  [
    'Ride Detail',
    'driver',
    async (person) => `/pages/order/detail?id=${await firstOrder(person, 'role=driver')}`,
  ],
  ['Vehicles', 'driver', () => '/pages/car/car'],
  ['Payments: paying', 'passenger', () => '/pages/account/payments'],
  ['Payments: being paid', 'driver', () => '/pages/account/payments?view=earn'],
  ['Account', 'driver', () => '/pages/account/account'],
  ['Contacts', 'driver', () => '/pages/contact/contact'],
  ['Add a contact', 'driver', () => '/pages/contact/add'],
  ['Address book', 'driver', () => '/pages/contact/addressbook'],
  ['Passenger', 'passenger', () => '/pages/passenger/passenger'],
  [
    'Matches',
    'passenger',
    async (person) => `/pages/order/match?id=${await firstOrder(person, 'role=passenger&stage=Requesting')}`,
  ],
  [
    'Ride',
    'passenger',
    async (person) => `/pages/order/ride?id=${await firstOrder(person, 'role=passenger&stage=Joined')}`,
  ],
  ['Chat', 'passenger', () => '/pages/chat/chat'],
  ['Events', 'passenger', () => '/pages/events/events'],
  ['Event form', 'passenger', () => '/pages/events/edit'],
  ['Discover', 'passenger', () => '/pages/discover/discover'],
  ['Ways of many', 'passenger', () => '/pages/discover/discover?view=ways'],
  ['Same way', 'passenger', () => '/pages/discover/discover?view=people'],
  ['Alerts', 'passenger', () => '/pages/discover/discover?view=alerts'],
  ['Notifications', 'passenger', () => '/pages/account/notifications'],
  ['Notification settings', 'passenger', () => '/pages/account/settings/notificationSettings'],
  ['Driver License', 'passenger', () => '/pages/account/drvinglicense'],
  ['Driver License, decided', 'driver', () => '/pages/account/drvinglicense'],
  ['Profile photo', 'driver', () => '/pages/account/avatar'],
  ['Admin', 'admin', () => '/pages/admin/admin'],
  ['License reviews', 'admin', () => '/pages/admin/driverlincens'],
  ['Statistics', 'admin', () => '/pages/admin/statistics'],
  ['Users', 'admin', () => '/pages/admin/admin?view=users'],
  ['Disputes', 'admin', () => '/pages/admin/admin?view=disputes'],
  ['Audit log', 'admin', () => '/pages/admin/admin?view=audit'],
];

for (const role of ['driver', 'passenger', 'admin'] as const) {
  test(`axe finds nothing on the ${role}’s screens`, async ({ browser }) => {
    const { email } = demoAccounts.find((account) => account.role === role)!;
    const person = await openSignedIn(
      browser,
      await post('/access/login', { email, password: demoPassword }),
    );
    for (const [name, , path] of screens.filter((screen) => screen[1] === role)) {
      await person.page.goto(await path(person));
      expect(await violationsOn(person.page), name).toEqual([]);
    }
  });
}
