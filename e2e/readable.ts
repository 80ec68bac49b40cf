import { expect, type Page } from '@playwright/test';

/** One page in trouble does not hide the next. */
const each = expect.configure({ soft: true });

/** What people read on: a phone with text twice as large, one that lies on its side, and the smallest one. */
const sizes = [
  { name: 'text at 200 %', width: 390, height: 844, text: 200 },
  { name: 'on its side', width: 844, height: 390, text: 100 },
  { name: '320 × 568', width: 320, height: 568, text: 100 },
] as const;

type Line = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/**
 * Words that leave the screen, that what holds them cuts off, or that lie on others; empty where everything
 * can be read.
 */
const troubles = (): string[] => {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
  const seen: (Line & { words: string })[] = [];
  const walker = document.createTreeWalker(document.querySelector('#app')!, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) {
    const text = walker.currentNode;
    const part = text.parentElement;
    const words = (text.textContent ?? '').trim();
    if (part === null || words === '' || part.closest('.sr-only, .maplibregl-map') !== null) continue;
    // What is folded away keeps the places that it had on another screen.
    if (!part.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, right } = range.getBoundingClientRect();
    if (right === left) continue;
    let [highest, lowest] = [0, innerHeight];
    let [isScrolled, isShortened] = [false, false];
    for (let around: Element | null = part; around !== null; around = around.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(around);
      const box = around.getBoundingClientRect();
      isScrolled ||= overflowX === 'auto' || overflowX === 'scroll';
      // An ellipsis is chosen where there is width enough; where there is not, nothing may be left out.
      isShortened ||= textOverflow === 'ellipsis' && innerWidth > 400;
      if (overflowX === 'hidden' && !isShortened && !isScrolled && right > box.right + 1)
        found.push(`cut off: ${words}`);
      // What is scrolled out of a pane lies on nothing.
      if (overflowY !== 'visible')
        [highest, lowest] = [Math.max(highest, box.top), Math.min(lowest, box.bottom)];
    }
    if (!isScrolled && !isShortened && (right > innerWidth + 1 || left < -1)) found.push(`outside: ${words}`);
    if (isShortened) continue;
    for (const line of range.getClientRects()) {
      const [top, bottom] = [Math.max(highest, line.top), Math.min(lowest, line.bottom)];
      if (bottom <= top) continue;
      const middle = document.elementFromPoint((line.left + line.right) / 2, (top + bottom) / 2);
      if (middle !== null && part.contains(middle))
        seen.push({ left: line.left, right: line.right, top, bottom, words });
    }
  }
  for (const [index, a] of seen.entries())
    for (const b of seen.slice(index + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // A line's box is a little taller than its text.
      if (across > 4 && down > 8) found.push(`on each other: ${a.words} / ${b.words}`);
    }
  return found;
};

/**
 * Shows the open page in each size and measures it; in each, `inEach` may check more. A finding fails the
 * journey, which goes on.
 */
export async function readInAllSizes(page: Page, name: string, inEach?: () => Promise<void>): Promise<void> {
  for (const { name: size, width, height, text } of sizes) {
    await page.setViewportSize({ width, height });
    await page.evaluate((percent) => {
      document.documentElement.style.fontSize = `${percent}%`;
      dispatchEvent(new Event('resize'));
    }, text);
    await each
      .poll(() => page.evaluate(troubles), { message: `${name}, ${size}`, timeout: 10_000 })
      .toEqual([]);
    await inEach?.();
  }
}
