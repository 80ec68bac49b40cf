/** A filter of a directory: one attribute that equals a value. */
export interface ScimFilter {
  /** In lower case, with its parts: `emails.value`. */
  attribute: string;
  value: string | boolean;
}

const comparison = /^\s*([\w:.$-]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*$/i;
const bracketed = /^\s*(\w+)\[(.+)\](?:\.(\w+))?\s*$/;

/** Parses `attribute eq "value"` (RFC 7644, 3.4.2.2); null for any other filter. */
export function readFilter(text: string): ScimFilter | null {
  const found = comparison.exec(text);
  if (found === null) return null;
  try {
    const literal = found[2]!;
    const value: unknown = JSON.parse(literal.startsWith('"') ? literal : literal.toLowerCase());
    if (typeof value !== 'string' && typeof value !== 'boolean') return null;
    // No stored value has a zero character, and PostgreSQL refuses them.
    if (typeof value === 'string' && value.includes('\0')) return null;
    return { attribute: withoutSchema(found[1]!).toLowerCase(), value };
  } catch {
    return null;
  }
}

/** A path of a change: `name.givenName`, `members[value eq "…"]`, `emails[type eq "work"].value`. */
export interface ScimPath {
  attribute: string;
  filter: ScimFilter | null;
}

/** Parses the path of a change; null if it is not one. */
export function readPath(text: string): ScimPath | null {
  const found = bracketed.exec(withoutSchema(text));
  if (found === null) {
    const plain = withoutSchema(text.trim());
    return /^[\w.$:-]+$/.test(plain) ? { attribute: plain.toLowerCase(), filter: null } : null;
  }
  const filter = readFilter(found[2]!);
  if (filter === null) return null;
  const attribute = found[3] === undefined ? found[1]! : `${found[1]}.${found[3]}`;
  return { attribute: attribute.toLowerCase(), filter };
}

const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const withoutSchema = (name: string): string => name.replace(coreSchema, '');
