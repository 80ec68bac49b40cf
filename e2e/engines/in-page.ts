/*
 * What is run inside a page, in any engine, to find what a person would press or read: by role, by accessible
 * name, and only where it can be seen. Each function is sent as its source, so it knows the others here and
 * nothing else.
 */

/** What to find, such as a button of a name; a text is found anywhere in a name unless a pattern. */
export interface Wanted {
  role: Role;
  name: string | { source: string; flags: string };
  within: Within;
}

/** Where to find it: in the whole page, in the dialog on top, or in the list's item that has a text. */
export type Within = { kind: 'page' } | { kind: 'dialog' } | { kind: 'item'; text: string };

export type Role = 'button' | 'heading' | 'link' | 'option' | 'radio' | 'textbox';

/** Where to press; `why` says what keeps a person from pressing it now. */
export type Aim = { x: number; y: number } | { why: string };

function selectorOf(role: Role): string {
  const selectors: Record<Role, string> = {
    button: 'button:not([role]), [role=button]',
    heading: 'h1, h2, h3, h4, [role=heading]',
    link: 'a[href]:not([role]), [role=link]',
    option: '[role=option]',
    radio: 'input[type=radio], [role=radio]',
    textbox: 'input:not([type=radio]):not([type=checkbox]):not([type=hidden]), textarea',
  };
  return selectors[role];
}

/** The words of an element and all in it, as screen readers say them. */
function wordsOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
  if (!(node instanceof Element) || node.getAttribute('aria-hidden') === 'true') return '';
  if (getComputedStyle(node).display === 'none' || node instanceof HTMLInputElement) return '';
  const label = node.getAttribute('aria-label') ?? node.getAttribute('alt');
  if (label !== null) return label;
  return Array.from(node.childNodes, wordsOf).join(' ');
}

function nameOf(element: Element): string {
  const labelledBy = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
  const namedBy = labelledBy.flatMap((id) => document.getElementById(id) ?? []);
  const labels = Array.from((element as HTMLInputElement).labels ?? []);
  const sources = [namedBy, labels, [element]].find(({ length }) => length > 0) ?? [];
  const words = element.getAttribute('aria-label') ?? sources.map(wordsOf).join(' ');
  return words.replaceAll(/\s+/g, ' ').trim();
}

function isReachable(element: Element): boolean {
  return (
    element.closest('[inert], [aria-hidden=true]') === null &&
    element.getClientRects().length > 0 &&
    getComputedStyle(element).visibility !== 'hidden'
  );
}

function partOf(within: Within): Element | undefined {
  if (within.kind === 'page') return document.body;
  const [selector, text] =
    within.kind === 'item'
      ? ['li, [role=listitem]', within.text]
      : ['[role=dialog], [role=alertdialog], dialog[open]', ''];
  return Array.from(document.querySelectorAll(selector)).findLast(
    (part) => isReachable(part) && (part.textContent ?? '').includes(text),
  );
}

function findAll({ role, name, within }: Wanted): Element[] {
  const matches = (text: string) =>
    typeof name === 'string'
      ? text.toLowerCase().includes(name.toLowerCase())
      : new RegExp(name.source, name.flags).test(text);
  return Array.from(partOf(within)?.querySelectorAll(selectorOf(role)) ?? []).filter(
    (element) => isReachable(element) && matches(nameOf(element)),
  );
}

/** Brings the first of what is wanted into view and says where to press it. */
function aimAt(wanted: Wanted): Aim {
  const [found] = findAll(wanted);
  if (found === undefined) return { why: 'is not there' };
  if (found.matches(':disabled, [aria-disabled=true]')) return { why: 'is disabled' };
  const target = targetOf(found);
  const first = middleOf(target);
  if ('x' in first) return first;
  // What is out of view, or under the bar at the bottom, is scrolled to the middle as a person would do.
  target.scrollIntoView({ block: 'center', behavior: 'instant' });
  return middleOf(target);
}

/** A radio that is drawn by its label is pressed there. */
function targetOf(found: Element): Element {
  return (found.matches('input[type=radio]') && (found as HTMLInputElement).labels?.[0]) || found;
}

function isHit(target: Element, hit: Element): boolean {
  return target.contains(hit) || hit.closest('label')?.contains(target) === true;
}

/**
 * Stops the next press where it meets anything else than what is wanted, such as its neighbor in a list that
 * has moved meanwhile; `wasMissed` tells of it.
 */
function guardPress(wanted: Wanted): void {
  const page = globalThis as typeof globalThis & { pressMissed?: boolean };
  page.pressMissed = false;
  const guard = (event: Event) => {
    const [found] = findAll(wanted);
    // What is gone has been pressed: it acts before the button is released.
    if (found === undefined || isHit(targetOf(found), event.target as Element)) return;
    page.pressMissed = true;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('click', guard, { capture: true, once: true });
}

function wasMissed(): boolean {
  return (globalThis as { pressMissed?: boolean }).pressMissed === true;
}

/** The middle of what is to be pressed, where nothing else lies over it. */
function middleOf(target: Element): Aim {
  const { left, top, width, height } = target.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  const hit = document.elementFromPoint(x, y);
  if (hit === null) return { why: 'is out of view' };
  return isHit(target, hit)
    ? { x, y }
    : { why: `lies behind <${hit.tagName.toLowerCase()} class="${hit.className}">` };
}

/** The lines of text that can be seen, in the dialog on top as well as behind it. */
function linesShown(): string[] {
  return document.body.innerText
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

function valueOf(wanted: Wanted): string | null {
  const [field] = findAll(wanted);
  return field === undefined ? null : (field as HTMLInputElement).value;
}

function select(wanted: Wanted): void {
  (findAll(wanted)[0] as HTMLInputElement | undefined)?.select();
}

const functions = { findAll, aimAt, guardPress, wasMissed, linesShown, valueOf, select };
const parts = [selectorOf, wordsOf, nameOf, isReachable, partOf, targetOf, isHit, middleOf];
const source = [...parts, ...Object.values(functions)].map(String).join('\n');

/** The expression that calls one of these functions in a page. */
export const inPage = (name: keyof typeof functions, ...args: readonly unknown[]): string =>
  `(() => {\n${source}\nreturn ${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')});\n})()`;
