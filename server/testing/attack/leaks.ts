// Internals of the server, which no answer may contain.

const telltales: readonly [string, RegExp][] = [
  ['a stack', /\bat (?:async )?[\w.<>]+ \(?(?:file:|node:|\/)/],
  [
    'a path of the server',
    /(?:\/(?:home|root|usr|opt|var|work)\/|node_modules\/|\bserver\/(?:features|platform)\/|\.ts:\d+)/,
  ],
  ['a statement', /\b(?:select|insert into|update|delete from)\s+"\w+"/i],
  [
    'an error of the database',
    /\b(?:pg_catalog|SQLSTATE|violates (?:unique|check|foreign|not-null)|syntax error at or near)\b/i,
  ],
  [
    'an error of the language',
    /\b(?:TypeError|RangeError|ReferenceError|SyntaxError|ZodError|DrizzleQueryError)\b/,
  ],
  ['a hash of a password', /\$argon2/],
  ['a key of a program', /\bsameway_[\w-]{43}\b/],
  [
    'a secret',
    /\b(?:sk_(?:test|live)|whsec)_[A-Za-z0-9]{6,}|-----BEGIN|passwordHash|password_hash|accessHash|access_hash/,
  ],
];

/** The internals that an answer reveals; empty if it reveals none. */
export const leaksIn = (body: string): string[] =>
  telltales.filter(([, pattern]) => pattern.test(body)).map(([what]) => what);
