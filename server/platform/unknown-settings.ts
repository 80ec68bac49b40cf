/** Names that start with one of these belong to this server; programs around it use no such name. */
const families = [
  'ADVISED',
  'APNS',
  'BACKUP',
  'CANCEL',
  'DATABASE',
  'FCM',
  'MATCHING',
  'METRICS',
  'OIDC',
  'S3',
  'SEAL',
  'SMS',
  'SMTP',
  'STRIKE',
  'STRIPE',
  'VAPID',
];

/** Container platforms add such names for each neighboring service: `SMTP_PORT_25_TCP_ADDR`. */
const ofPlatform = /_SERVICE_(HOST|PORT)|_PORT$|_(TCP|UDP)(_|$)/;

/**
 * Finds environment variables that look like misspelt settings.
 * @param names the variables that are set.
 * @param known the names of all settings; `NAME_FILE` is one of them for each `NAME`.
 * @returns one sentence for each, with the nearest setting.
 */
export function unknownSettings(names: readonly string[], known: readonly string[]): string[] {
  const all = known.flatMap((name) => [name, `${name}_FILE`]);
  return names
    .filter((name) => !all.includes(name) && !ofPlatform.test(name))
    .flatMap((name) => {
      const nearest = nearestOf(name, all);
      const isOurs = families.includes(name.split('_', 1)[0]!) || nearest.edits <= editsOfTypo(name);
      return isOurs ? [`${name} is no setting of Sameway; did you mean ${nearest.name}?`] : [];
    });
}

/** Short names differ from common variables by little: `HOST` and `TERM` are both real. */
const editsOfTypo = (name: string): number => (name.length < 5 ? 0 : name.length < 9 ? 1 : 2);

function nearestOf(name: string, known: readonly string[]): { name: string; edits: number } {
  return known
    .map((each) => ({ name: each, edits: editsBetween(name, each) }))
    .reduce((best, each) => (each.edits < best.edits ? each : best));
}

/**
 * Counts insertions, deletions, substitutions and swaps of neighbors that turn one text into the other
 * (optimal string alignment distance).
 */
export function editsBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        rows[row - 1]![column]! + 1,
        current[column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isSame ? 0 : 1),
        isSwap ? rows[row - 2]![column - 2]! + 1 : Infinity,
      );
    }
    rows.push(current);
  }
  return rows[a.length]![b.length]!;
}
