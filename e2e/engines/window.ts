/** A point of the page's visible part, in CSS pixels. */
export interface Point {
  x: number;
  y: number;
}

/** A window of a browser with a profile of its own, which goes when the window is closed. */
export interface EngineWindow {
  open(url: string): Promise<void>;
  /** What an expression gives in the page; a promise is awaited. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses and releases the mouse, as the system would report it. */
  click(at: Point): Promise<void>;
  /** Presses keys, as the system would report them. */
  type(text: string): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** Ends the browser. */
  close(): Promise<void>;
}

export interface Engine {
  name: string;
  /** What is not installed here, and how it is; null where the engine can be used. */
  missing(): string | null;
  /** @param drawsMaps false for a browser that has no WebGL, as on some machines. */
  launch(options?: { drawsMaps?: boolean }): Promise<EngineWindow>;
}

/** Where the people of the demo live; the browsers take their time zone from the environment. */
export const browserEnv = { ...process.env, TZ: 'America/Los_Angeles', LANG: 'en_US.UTF-8' };

/** Time limit for any command to a browser, on a busy machine too. */
export const answersWithinMs = 120_000;
