import type { Page } from '@playwright/test';

const mostButtons = 40;

/**
 * Presses every button of an open page that the visitor has not pressed before, and calls `take` for each
 * dialog that opens, with its title. Changes nothing: requests of the app are intercepted.
 */
export async function eachDialog(
  page: Page,
  pressed: Set<string>,
  take: (title: string) => Promise<void>,
): Promise<void> {
  await page.route('**/*', (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.abort('failed'),
  );
  const address = page.url();
  const buttons = page.locator('main button:visible:enabled');
  const dialogs = page.locator('[role=dialog]:visible, [role=alertdialog]:visible');
  const count = Math.min(await buttons.count(), mostButtons);
  for (let index = 0; index < count; index++) {
    const button = buttons.nth(index);
    const name = (await nameOf(button).catch(() => '')).trim();
    if (name === '' || pressed.has(name)) continue;
    pressed.add(name);
    const isPressed = await button.click({ timeout: 1500 }).then(
      () => true,
      () => false,
    );
    if (!isPressed) continue;
    await page.waitForTimeout(500);
    if ((await dialogs.count()) > 0) {
      const heading = dialogs.last().getByRole('heading').first();
      await take((await heading.textContent({ timeout: 1000 }).catch(() => null)) ?? name);
      await page.keyboard.press('Escape');
      await page.waitForTimeout(300);
    }
    if (page.url() !== address || (await dialogs.count()) > 0) {
      await page.goto(address);
      await page.waitForTimeout(1200);
    }
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

const nameOf = async (button: ReturnType<Page['locator']>): Promise<string> =>
  (await button.getAttribute('aria-label', { timeout: 1000 })) ?? (await button.innerText({ timeout: 1000 }));
