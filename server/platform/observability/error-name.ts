/** Searched in the text of an error, the most exact first. */
const names: readonly RegExp[] = [
  // Of Node and of nodemailer: ECONNREFUSED, ETIMEDOUT, EAUTH.
  /\bE[A-Z]{3,}\b/,
  // Of a mail server, a push service or a text gateway.
  /(?<![\w.@-])[45]\d\d(?![\w@-]|\.\w)/,
  // Of PostgreSQL and of code.
  /^[A-Z]\w*(?:Error|Exception)\b/,
];

/**
 * The name of an error by its text: its code or its class. The text itself may quote an address or what a
 * person has written. `Error` where it says no name.
 */
export function errorName(text: string): string {
  for (const name of names) {
    const [found] = name.exec(text) ?? [];
    if (found !== undefined) return found;
  }
  return 'Error';
}
