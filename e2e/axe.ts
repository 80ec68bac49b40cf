import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe says against the page that is open. */
export async function violationsOn(page: Page): Promise<string[]> {
  // Behind a dialog the page and its heading are hidden from readers.
  await expect(page.locator('h1, [role=dialog], [role=alertdialog]').first()).toBeAttached();
  await page.waitForLoadState('networkidle');
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag22aa']).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
}
