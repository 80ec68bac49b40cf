/**
 * What one calls a person in a sentence: the first word of their name; names written without spaces stay
 * whole.
 */
export const shortName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';
