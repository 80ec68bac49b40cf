/**
 * The month and year of a card as people type them: `12/34`, `1234` from a number pad without a slash, `12 /
 * 2034`, `1-34`. Null where it is neither.
 */
export function expiryOf(typed: string): { month: string; year: string } | null {
  const [, month, year] =
    /^\s*(\d{1,2})\s*[/.\-\s]\s*(\d{4}|\d{2})\s*$/.exec(typed) ??
    /^\s*(\d{2})(\d{4}|\d{2})\s*$/.exec(typed) ??
    /^\s*([2-9])(\d{2})\s*$/.exec(typed) ??
    [];
  return month === undefined || year === undefined ? null : { month, year };
}
