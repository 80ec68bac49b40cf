import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { mostNumbers } from '#contract/contacts/endpoints.ts';
import type { BookEntry } from './entry.ts';

/**
 * The numbers of an address book that can exist, in E.164, each with its name there.
 * @param region the country code that numbers without one belong to, such as `+1`.
 */
export function numbersOf(entries: readonly BookEntry[], region: string): Map<string, string> {
  const defaultCallingCode = region.replace(/^\+/, '') || '1';
  const found = new Map<string, string>();
  for (const { name, numbers } of entries) {
    for (const typed of numbers) {
      if (found.size >= mostNumbers) return found;
      const parsed = parsePhoneNumberFromString(typed, { defaultCallingCode });
      if (parsed?.isValid() === true && !found.has(parsed.number)) found.set(parsed.number, name);
    }
  }
  return found;
}

/**
 * The salted hashes that leave the browser instead of the numbers, each with the number's name, which stays
 * here.
 */
export async function hashNumbers(salt: string, numbers: Map<string, string>): Promise<Map<string, string>> {
  const hashed = [...numbers].map(async ([number, name]): Promise<[string, string]> => {
    const base64 = btoa(String.fromCodePoint(...(await sha256(salt + number))));
    return [base64.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'), name];
  });
  return new Map(await Promise.all(hashed));
}

/**
 * The groups that the numbers fall into, each once and in ascending order: nothing tells which number is in
 * which.
 */
export async function groupsOf(numbers: Iterable<string>): Promise<number[]> {
  const groups = await Promise.all(
    [...numbers].map(async (number) => new DataView((await sha256(number)).buffer).getUint16(0)),
  );
  return [...new Set(groups)].toSorted((a, b) => a - b);
}

const sha256 = async (text: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
