import { config } from '#contract/app/endpoints.ts';
import { expect, type Browser } from '@playwright/test';
import { impose, prepare, relieve } from '../scripts/screens/conditions.ts';
import { eachDialog } from '../scripts/screens/dialogs.ts';
import { scenes, type Scene } from '../scripts/screens/scenes.ts';
import {
  apiOf,
  openWindow,
  settle,
  signIn,
  sizes,
  visitors,
  type Language,
  type Size,
  type Visitor,
} from '../scripts/screens/visit.ts';
import { violationsOn } from './axe.ts';
import { test } from './journey.ts';
import { serverUrl } from './people.ts';
import { readInAllSizes } from './readable.ts';

/*
 * Every screen of `npm run screens`, and every dialog that its buttons open: axe finds nothing on a phone and
 * on a desktop, and no text is lost where it is large, on a phone that lies on its side, or on the smallest
 * one. Both languages. A finding is noted and the walk goes on, so that one run tells them all.
 */

/** One finding does not hide the next. */
const each = expect.configure({ soft: true });

/** A window of a visitor with what it shows scenes by. */
async function visit(browser: Browser, visitor: Visitor, size: Size, language: Language) {
  const url = serverUrl();
  const session = await signIn(url, visitor);
  const api = apiOf(url, session);
  const { region } = config.output.parse(await api(config.path));
  const context = await openWindow(browser, session, { size, language, timeZone: region.timeZone });
  const page = await context.newPage();
  return {
    page,
    /** Opens a scene, under its condition, and takes the condition away after `look`. */
    async show({ path, condition }: Scene, look: () => Promise<void>): Promise<void> {
      await prepare(page, condition);
      await page.goto(url + (typeof path === 'string' ? path : await path(api)));
      await settle(page);
      await impose(context, page, condition);
      await look();
      await relieve(context, page);
    },
  };
}

const [phone, , desktop] = sizes;

for (const visitor of visitors)
  for (const language of ['en', 'zh'] as const) {
    const own = scenes.filter((scene) => scene.as === visitor);
    for (const size of [phone, desktop])
      test(`axe finds nothing on any screen or dialog: ${visitor}, ${size.name}, ${language}`, async ({
        browser,
      }) => {
        const { page, show } = await visit(browser, visitor, size, language);
        const pressed = new Set<string>();
        const check = async (name: string) => each(await violationsOn(page), name).toEqual([]);
        for (const scene of own) {
          await show(scene, () => check(scene.name));
          if (scene.withDialogs) await eachDialog(page, pressed, (title) => check(`${scene.name}, ${title}`));
        }
      });

    test(`large text, a phone on its side and 320 × 568 lose nothing: ${visitor}, ${language}`, async ({
      browser,
    }) => {
      const { page, show } = await visit(browser, visitor, phone, language);
      for (const scene of own.filter(({ condition }) => condition !== 'offline')) {
        await page.setViewportSize(phone);
        await show(scene, () => readInAllSizes(page, scene.name));
      }
    });
  }
