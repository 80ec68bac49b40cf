import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inPage, type Aim, type Role, type Within } from './in-page.ts';
import type { Engine, EngineWindow, Point } from './window.ts';

type Text = string | RegExp;

const lookAgainMs = 100;
/**
 * Samples without movement before a tap: on a busy machine, a page that begins to scroll may rest for a
 * moment first.
 */
const stillBeforeTap = 3;
const appearsWithinMs = 60_000;
const sent = (text: Text) =>
  typeof text === 'string' ? text : { source: text.source, flags: text.flags.replace('g', '') };

/** A person in front of an engine's window: presses what has a role and a name, types, and reads. */
export class Visitor {
  readonly #window: EngineWindow;
  readonly #url: string;
  readonly #within: Within;

  constructor(window: EngineWindow, url: string, within: Within = { kind: 'page' }) {
    this.#window = window;
    this.#url = url;
    this.#within = within;
  }

  /** The same person, limited to the dialog on top. */
  get dialog(): Visitor {
    return new Visitor(this.#window, this.#url, { kind: 'dialog' });
  }

  /** The same person, limited to the item of a list that has this text in it. */
  item(text: string): Visitor {
    return new Visitor(this.#window, this.#url, { kind: 'item', text });
  }

  open(path: string): Promise<void> {
    return this.#window.open(this.#url + path);
  }

  /** Presses what is wanted, and again where the press met something else. */
  async tap(role: Role, name: Text): Promise<void> {
    do {
      const at = await this.#aim(role, name);
      await this.#window.evaluate(inPage('guardPress', this.#wanted(role, name)));
      await this.#window.click(at);
      // A page that opens meanwhile does not answer; the press has opened it.
    } while ((await this.#window.evaluate(inPage('wasMissed')).catch(() => false)) === true);
  }

  /** Where to press the element, once it can be reached and does not move. */
  async #aim(role: Role, name: Text): Promise<Point> {
    let before: Point | null = null;
    let stillLooks = 0;
    let why = '';
    await this.#until(
      async () => {
        const aim = (await this.#window.evaluate(inPage('aimAt', this.#wanted(role, name)))) as Aim;
        if ('why' in aim) {
          [before, why] = [null, aim.why];
          return false;
        }
        const isStill = before !== null && before.x === aim.x && before.y === aim.y;
        stillLooks = isStill ? stillLooks + 1 : 0;
        [before, why] = [aim, 'does not stand still'];
        return stillLooks === stillBeforeTap;
      },
      () => `the ${role} ${String(name)} ${why}`,
    );
    return before!;
  }

  /** Fills in the field of a label, replacing its content. */
  async fill(label: Text, text: string): Promise<void> {
    await this.tap('textbox', label);
    await this.#window.evaluate(inPage('select', this.#wanted('textbox', label)));
    await this.type(text);
    await this.#until(
      // A code that is complete leads on by itself: its field is gone then.
      async () => [text, null].includes(await this.valueOf(label)),
      () => `the field ${String(label)} does not take what is typed`,
    );
  }

  /** Presses the keys of a text, wherever the focus is. */
  type(text: string): Promise<void> {
    return this.#window.type(text);
  }

  /** What a field holds; null where there is none of that label. */
  async valueOf(label: Text): Promise<string | null> {
    return (await this.#window.evaluate(inPage('valueOf', this.#wanted('textbox', label)))) as string | null;
  }

  /** How many of these there are. */
  async count(role: Role, name: Text): Promise<number> {
    return Number(await this.#window.evaluate(`${inPage('findAll', this.#wanted(role, name))}.length`));
  }

  /** Waits until there are more of these than before. */
  async seesMore(role: Role, name: Text, before: number): Promise<void> {
    await this.#until(
      async () => (await this.count(role, name)) > before,
      () => `there are not more than ${before} of ${role} ${String(name)}`,
    );
  }

  /** Waits for a line that has the text in it. @returns the line. */
  async sees(text: Text): Promise<string> {
    let lines: string[] = [];
    await this.#until(
      async () => (lines = await this.linesWith(text)).length > 0,
      () => `“${String(text)}” is not shown`,
    );
    return lines[0]!;
  }

  async seesNo(text: Text): Promise<void> {
    await this.#until(
      async () => (await this.linesWith(text)).length === 0,
      () => `“${String(text)}” is still shown`,
    );
  }

  async linesWith(text: Text): Promise<string[]> {
    return (await this.#lines()).filter((line) =>
      typeof text === 'string' ? line.includes(text) : text.test(line),
    );
  }

  /** What an expression gives in the page. */
  evaluate(expression: string): Promise<unknown> {
    return this.#window.evaluate(expression);
  }

  /** The path of the page that is open, and what it was asked with. */
  async address(): Promise<string> {
    return String(await this.#window.evaluate('location.pathname + location.search'));
  }

  /** @param file where the picture goes. */
  async picture(file: string): Promise<void> {
    fs.writeFileSync(file, await this.#window.screenshot());
  }

  #wanted(role: Role, name: Text) {
    return { role, name: sent(name), within: this.#within };
  }

  async #lines(): Promise<string[]> {
    return (await this.#window.evaluate(inPage('linesShown'))) as string[];
  }

  /** @throws Error that says what is missing, and what the page shows in its place. */
  async #until(isThere: () => Promise<boolean>, missing: () => string): Promise<void> {
    const endsAt = performance.now() + appearsWithinMs;
    while (performance.now() < endsAt) {
      if (await isThere()) return;
      await sleep(lookAgainMs);
    }
    const lines = await this.#lines();
    throw new Error(`${missing()} on ${await this.address()}, which shows:\n${lines.join('\n')}`);
  }
}

/** Does something in a fresh window of an engine and closes it; a failure leaves a picture in `file`. */
export async function inWindow(
  engine: Engine,
  { url, file, drawsMaps = true }: { url: string; file: string; drawsMaps?: boolean },
  act: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  const window = await engine.launch({ drawsMaps });
  try {
    const visitor = new Visitor(window, url);
    try {
      await act(visitor);
    } catch (error) {
      await visitor.picture(file).catch(() => undefined);
      throw error;
    }
  } finally {
    await window.close();
  }
}
