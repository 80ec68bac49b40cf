/** The only source of "now": tests and the demo move it. */
export interface Clock {
  now(): Date;
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);
