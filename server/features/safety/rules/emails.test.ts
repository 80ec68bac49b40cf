import { expect, test } from 'vitest';
import { emailText } from '../../../platform/messages/email-html.ts';
import { aboutSms } from '../../../platform/messages/sms.ts';
import { emergencyEmail, shareEmail, type Emergency, emergencySms } from './emails.ts';

const home = 'https://sameway.example';
const link = `${home}/pages/safety/watch?code=abc`;
const emergency: Emergency = {
  name: 'Mia',
  phone: '+14155550132',
  place: 'Elm Street',
  at: { lon: -122.02, lat: 36.97 },
  plate: '7ABC123',
  car: 'red Honda Fit',
  driverName: 'Leo',
  link,
};
const unknown: Emergency = { ...emergency, phone: '', place: '', at: null, plate: '', car: '' };
const map = 'https://www.google.com/maps?q=36.97,-122.02';

test.each([
  [
    'en',
    emergency,
    [
      'EMERGENCY: Mia pressed the emergency button during a ride.',
      `Place: Elm Street ${map}`,
      'Car: 7ABC123, red Honda Fit',
      'Driver: Leo',
      'Their phone: +14155550132',
      `Follow the trip: ${link}`,
    ],
  ],
  [
    'zh',
    { ...emergency, place: '' },
    [
      '紧急求助：Mia 在行程中按下了紧急按钮。',
      `地点：${map}`,
      '车辆：7ABC123, red Honda Fit',
      '车主：Leo',
      '对方电话：+14155550132',
      `实时查看行程：${link}`,
    ],
  ],
  [
    'en',
    unknown,
    ['EMERGENCY: Mia pressed the emergency button during a ride.', 'Driver: Leo', `Follow the trip: ${link}`],
  ],
] as const)('an emergency in %s: what is known, as an email and as one SMS', (language, of, facts) => {
  const text = emailText(emergencyEmail(language, of), home);
  expect(text.split('\n\n').slice(0, -1)).toEqual(facts);
  const sms = emergencySms(language, of);
  expect(sms.text).toBe(facts.join(' '));
  // Only the trusted contact gets the position and the page that shows it.
  expect(aboutSms(sms)).not.toMatch(/https|36\.97/);
});

test('the address of a shared trip is marked as secret', () => {
  const { blocks } = shareEmail('en', { name: 'Mia', link });
  expect(blocks).toContainEqual({ kind: 'button', text: 'Follow the trip', href: link, secret: true });
});
