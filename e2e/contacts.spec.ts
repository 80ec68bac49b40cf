import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, expect } from '@playwright/test';
import { encodeQR } from 'qr';
import sharp from 'sharp';
import { test } from './journey.ts';
import { chromiumWithCamera, filmOf } from './camera.ts';
import { emailedCode, newPerson, openSignedIn, signUp, type Person } from './people.ts';

interface ContactList {
  contacts: { person: { id: string; name: string }; origin: string; remark: string }[];
}
/** Gives a person a phone number that an SMS has confirmed. */
async function verifyNewPhone(who: Person): Promise<string> {
  const phone = `+1415${String(2_000_000 + Math.floor(Math.random() * 7_999_999))}`;
  await who.post('/access/update-phone', { phone });
  await who.post('/access/verify-phone', { phone, code: await emailedCode(phone) });
  return phone;
}

const contactsOf = async (who: Person) => (await who.get<ContactList>('/contact/list')).contacts;

let folder: string;
test.beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sameway-camera-'));
});
test.afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const shownCode = (who: Person) =>
  who.page.getByRole('img', { name: 'Your QR code: scan it to become contacts' });

test('a QR code shown in one browser is scanned in another through its camera', async ({ browser }) => {
  const mia = await newPerson(browser, 'Mia');
  await mia.page.goto('/pages/contact/add');
  const film = path.join(folder, 'code.y4m');
  await filmOf(await shownCode(mia).screenshot(), film);

  const other = await chromium.launch(await chromiumWithCamera(film));
  try {
    const leo = await newPerson(other, 'Leo');
    await leo.page.goto('/pages/contact/add');
    await leo.page.getByText('Scan a code').click();
    await expect(leo.page.getByText(`${mia.name} is now your contact`)).toBeVisible();
    // Mia, who still shows her code, hears of it.
    await expect(mia.page.getByText(`${leo.name} scanned your code. You’re now contacts.`)).toBeVisible();
    expect(await contactsOf(leo)).toMatchObject([{ person: { name: mia.name }, origin: 'FTF_QRCODE' }]);
    await leo.page.getByRole('link', { name: 'See their profile' }).click();
    await expect(leo.page.getByRole('heading', { name: mia.name })).toBeVisible();
    // She shows contacts no number, and says so in the words of the specification.
    await expect(leo.page.getByText('Unable to contact.')).toBeVisible();
  } finally {
    await other.close();
  }
});

test('without a camera a picture of the code serves; foreign codes are invalid', async ({ browser }) => {
  const [mia, leo] = [await newPerson(browser, 'Mia'), await newPerson(browser, 'Leo')];
  await mia.page.goto('/pages/contact/add');
  const picture = await shownCode(mia).screenshot();
  await leo.page.goto('/pages/contact/add?show=scan');
  await expect(leo.page.getByText(/Choose a picture of the code instead/)).toBeVisible();
  const choose = leo.page.getByLabel('Choose a picture');
  const foreign = await sharp(Buffer.from(encodeQR('https://example.com/', 'svg', { scale: 8 })))
    .png()
    .toBuffer();
  for (const buffer of [foreign, Buffer.from('no picture')]) {
    await choose.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer });
    await expect(leo.page.getByText('Invalid QR Code.')).toBeVisible();
  }
  await choose.setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: picture });
  await expect(leo.page.getByText(`${mia.name} is now your contact`)).toBeVisible();
});

test('somebody is found, asked, accepts, is tagged, and blocked', async ({ browser }) => {
  const [mia, leo] = [await newPerson(browser, 'Mia'), await newPerson(browser, 'Leo')];
  await mia.page.goto('/pages/contact/contact');
  await mia.page.getByRole('link', { name: 'Search', exact: true }).click();
  await mia.page.getByRole('searchbox').fill(leo.name);
  await mia.page.getByRole('button', { name: `Add ${leo.name}` }).click();
  await mia.page.getByLabel('Message').fill('We met at the event 👋');
  await mia.page.getByRole('button', { name: 'Send request' }).click();
  await expect(mia.page.getByText('Requested', { exact: true })).toBeVisible();

  await leo.page.goto('/pages/contact/contact');
  await expect(leo.page.getByText('We met at the event 👋')).toBeVisible();
  await leo.page.getByRole('button', { name: `Accept ${mia.name}` }).click();
  // Mia's page changes by itself.
  await expect(mia.page.getByText('Requested', { exact: true })).toBeHidden();

  await mia.page.goto('/pages/contact/contact');
  await mia.page.getByRole('link', { name: new RegExp(`${leo.name} Added`) }).click();
  await mia.page.getByRole('link', { name: 'Note and tags' }).click();
  await mia.page.getByLabel('Note').fill('from the choir');
  await mia.page.getByRole('button', { name: 'New tag' }).click();
  await mia.page.getByLabel('Tag name').fill('Choir');
  await mia.page.getByRole('button', { name: 'Save tag' }).click();
  await expect(mia.page.getByRole('button', { name: 'Choir', pressed: true })).toBeVisible();
  await mia.page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(mia.page.getByText('from the choir')).toBeVisible();
  expect(await contactsOf(leo)).toMatchObject([{ person: { name: mia.name }, remark: '' }]);

  await mia.page.getByRole('button', { name: 'Block', exact: true }).click();
  await mia.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();
  await expect(mia.page.getByText(`You blocked ${leo.name}.`)).toBeVisible();
  await expect.poll(() => contactsOf(leo)).toEqual([]);
  await expect(leo.page.getByText('No contacts yet')).toBeVisible();
});

test('an address book is compared without leaving the browser; who signs up by an invitation is a contact', async ({
  browser,
}) => {
  const mia = await newPerson(browser, 'Mia');
  const noah = await newPerson(browser, 'Noah');
  const phone = await verifyNewPhone(noah);
  const sent: string[] = [];
  mia.page.on('request', (request) => sent.push(request.postData() ?? ''));
  await mia.page.goto('/pages/contact/addressbook');
  const choose = mia.page.getByLabel('Choose a vCard or CSV file');
  const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Somebody\r\nTEL:+1 415 555 0199\r\nEND:VCARD\r\n';
  await choose.setInputFiles({ name: 'book.vcf', mimeType: 'text/vcard', buffer: Buffer.from(card) });
  await expect(mia.page.getByText('We couldn’t find that number on Sameway.')).toBeVisible();
  expect(sent.some((body) => body.includes('hashes') && body.includes('groups'))).toBe(true);
  expect(sent.some((body) => body.includes('5550199') || body.includes('Somebody'))).toBe(false);
  await choose.setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('hello\n') });
  await expect(mia.page.getByText('We found no phone numbers.')).toBeVisible();
  const lines = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Cousin Noah\r\nTEL:${phone}\r\nEND:VCARD\r\n`;
  const book = Buffer.from(`${card}${lines}`);
  await choose.setInputFiles({ name: 'book.vcf', mimeType: 'text/vcard', buffer: book });
  const found = mia.page.getByRole('list', { name: 'People from your address book' }).getByRole('listitem');
  await expect(found).toHaveCount(1);
  await expect(found).toContainText(noah.name);
  await expect(found).toContainText('In your address book: Cousin Noah');
  expect(sent.some((body) => body.includes(phone.slice(2)) || body.includes('Cousin'))).toBe(false);
  await found.getByRole('button', { name: `Add ${noah.name}` }).click();
  await mia.page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await noah.page.goto('/pages/contact/contact');
  await noah.page.getByRole('button', { name: `Accept ${mia.name}` }).click();
  await expect.poll(() => contactsOf(mia)).toMatchObject([{ origin: 'PHONE_CONTACT' }]);

  const { code } = await mia.get<{ code: string }>('/contact/invite-link');
  const leo = await openSignedIn(browser, await signUp('Leo'));
  await leo.page.goto(`/intro?inviter=${code}`);
  await leo.page.goto('/pages/contact/contact');
  await expect(leo.page.getByText(/A friend invited you/)).toBeVisible();
  await leo.page.getByLabel('First name').fill('Leo Invited');
  await leo.page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(leo.page.getByText(mia.name)).toBeVisible();
  expect(await contactsOf(mia)).toMatchObject([
    { person: { name: 'Leo Invited' }, origin: 'INVITE' },
    { person: { name: noah.name }, origin: 'PHONE_CONTACT' },
  ]);
});
