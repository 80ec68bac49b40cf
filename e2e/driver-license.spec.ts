import { expect, type Locator, type Page } from '@playwright/test';
import sharp from 'sharp';
import { demoAccounts, demoPassword } from '../server/features/demo/accounts.ts';
import { test } from './journey.ts';
import { newPerson, openSignedIn, post } from './people.ts';

/** A photo as a telephone takes it: large, on its side, with the place in it. */
async function photo(name: string, background: string) {
  const buffer = await sharp({ create: { width: 3024, height: 1900, channels: 3, background } })
    .withExif({ IFD3: { GPSLatitude: '36/1 58/1 0/1' } })
    .jpeg()
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

/** Which photo an image shows: the front is bluish, the back reddish. */
async function sideOf(image: Locator): Promise<'front' | 'back'> {
  const src = await image.getAttribute('src');
  const { dominant } = await sharp(await (await image.page().request.get(src!)).body()).stats();
  return dominant.b > dominant.r ? 'front' : 'back';
}

/** Each photo is where its side is named: at the driver's, and in the card of the admin's queue. */
async function expectSides(page: Page, card: Locator): Promise<void> {
  for (const side of ['Front', 'Back'] as const) {
    const own = page.getByRole('img', { name: `Your photo of the ${side.toLowerCase()}` });
    const queued = card.getByRole('button', { name: `Zoom in on the ${side}` }).locator('img');
    for (const image of [own, queued]) expect(await sideOf(image)).toBe(side.toLowerCase());
  }
}

const filesOf = (page: Page) => page.locator('input[type=file]');

/** Chooses both sides and sends them for review. */
async function sendBoth(page: Page): Promise<void> {
  const files = filesOf(page);
  await files.nth(0).setInputFiles(await photo('front.jpg', '#7799aa'));
  await expect(page.getByRole('img', { name: 'Your photo of the front' })).toBeVisible();
  await files.nth(1).setInputFiles(await photo('back.jpg', '#aa7799'));
  await expect(page.getByRole('img', { name: 'Your photo of the back' })).toBeVisible();
  await page.getByRole('button', { name: 'Send for review' }).click();
  await expect(page.getByText('Reviewing', { exact: true })).toBeVisible();
}

test('a driver license is sent, denied with a reason, sent again and accepted, and the driver sees it live', async ({
  browser,
}) => {
  const driver = await newPerson(browser, 'Ines');
  const { email } = demoAccounts.find(({ role }) => role === 'admin')!;
  const admin = await openSignedIn(browser, await post('/access/login', { email, password: demoPassword }));
  const { page } = driver;
  const files = filesOf(page);
  const card = admin.page
    .getByRole('listitem')
    .filter({ hasText: driver.name })
    .filter({ has: admin.page.getByRole('button', { name: 'Accept' }) });
  const answer = admin.page.getByRole('alertdialog');

  await test.step('what cannot be sent is refused in words', async () => {
    await page.goto('/pages/account/drvinglicense');
    await page.getByRole('button', { name: 'Send for review' }).click();
    await expect(page.getByText('Please choose an image first.')).toHaveCount(2);
    const wrong = { name: 'page.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<script>1</script>') };
    await files.nth(0).setInputFiles(wrong);
    await expect(page.getByText('This isn’t a picture.')).toBeVisible();
    await files.nth(0).setInputFiles({ ...wrong, buffer: Buffer.alloc(12_000_000) });
    await expect(page.getByText('Maximum size is 10 MB.')).toBeVisible();
    await files.nth(0).setInputFiles([wrong, wrong, wrong]);
    await expect(page.getByText('Too many selected photos.')).toBeVisible();
  });

  await test.step('the photos reach the queue by themselves', async () => {
    await admin.page.goto('/pages/admin/driverlincens');
    await expect(admin.page.getByRole('button', { name: 'Accept' }).first()).toBeVisible();
    await sendBoth(page);
    await expect(card).toHaveCount(1);
    await expectSides(page, card);
    await card.getByRole('button', { name: 'Zoom in on the Front' }).click();
    const zoomed = admin.page.getByRole('img', { name: `${driver.name} · Front` });
    expect(await sideOf(zoomed)).toBe('front');
    const width = async () => (await zoomed.boundingBox())!.width;
    const before = await width();
    await admin.page.getByRole('button', { name: 'Zoom in', exact: true }).click();
    expect(await width()).toBeGreaterThan(before);
    await admin.page.keyboard.press('Escape');
  });

  await test.step('a denial needs a reason, which the driver reads at once', async () => {
    await card.getByRole('button', { name: 'Deny' }).click();
    await answer.getByRole('button', { name: 'Deny' }).click();
    await expect(answer.getByText('A reason is required when denying license photos.')).toBeVisible();
    await answer.getByRole('textbox', { name: 'Reason' }).fill('The back is cut off.');
    await answer.getByRole('button', { name: 'Deny' }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByText('Reject', { exact: true })).toBeVisible();
    await expect(page.getByText('The back is cut off.')).toBeVisible();
  });

  await test.step('new photos are accepted, after a question', async () => {
    await page.getByRole('button', { name: 'Send new photos' }).click();
    await sendBoth(page);
    await expect(card.getByText('The back is cut off.')).toBeVisible();
    await card.getByRole('button', { name: 'Accept' }).click();
    await answer.getByRole('button', { name: 'Accept' }).click();
    await expect(card).toHaveCount(0);
    await expect(page.getByText('Accepted', { exact: true })).toBeVisible();
    await page.goto('/pages/account/account');
    await expect(page.getByText('Verified driver')).toBeVisible();
  });

  await test.step('every deed stands in the log', async () => {
    await admin.page.goto('/pages/admin/admin?view=audit');
    await expect(admin.page.getByText(`Denied the license photos of ${driver.name}`)).toBeVisible();
    await expect(admin.page.getByText(`Accepted the license photos of ${driver.name}`)).toBeVisible();
  });
});

test('a profile photo is cut by keys and shown; a suspended person is signed out and told why', async ({
  browser,
}) => {
  const person = await newPerson(browser, 'Rolf');
  const { page } = person;
  const { email } = demoAccounts.find(({ role }) => role === 'admin')!;
  const admin = await openSignedIn(browser, await post('/access/login', { email, password: demoPassword }));

  await test.step('the photo is chosen, moved, zoomed and saved', async () => {
    await page.goto('/pages/account/avatar');
    // Chromium cannot open HEIC: the server does, and the photo comes back to be cut.
    await filesOf(page).setInputFiles('server/features/pictures/heic/samples/tiles-turned.heic');
    const frame = page.getByRole('application');
    await frame.focus();
    for (const key of ['+', '+', 'ArrowLeft', 'ArrowUp', '-']) await page.keyboard.press(key);
    expect(Number(await page.getByRole('slider', { name: 'Zoom' }).inputValue())).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Save photo' }).click();
    const shown = page.getByRole('img', { name: 'Your profile photo' });
    await expect(shown).toBeVisible();
    const { avatar } = await person.get<{ avatar: string }>('/user/profile');
    expect(await shown.getAttribute('src')).toBe(avatar);
  });

  await test.step('an admin finds the person and suspends them', async () => {
    await admin.page.goto('/pages/admin/admin?view=users');
    await admin.page.getByRole('searchbox', { name: 'Name, email or phone' }).fill(person.name);
    await admin.page.getByRole('button', { name: `Suspend: ${person.name}` }).click();
    const dialog = admin.page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await expect(dialog.getByText('Please enter a reason.')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('A rider reported you.');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await expect(page.getByText('Your account is suspended: A rider reported you.')).toBeVisible();
    await expect(page).toHaveURL(/\/pages\/auth\/auth/);
  });
});
