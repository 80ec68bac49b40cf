import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

export interface PhoneNumber {
  /** E.164, for example `+14155550132`. */
  phone: string;
  /** The country code, for example `+1`. */
  phoneRegion: string;
}

/**
 * A phone number as people type it; without a country code it is read as +1. Null when the number is invalid.
 */
export function parsePhone(typed: string): PhoneNumber | null {
  const parsed = parsePhoneNumberFromString(typed, 'US');
  if (parsed?.isValid() !== true) return null;
  return { phone: parsed.number, phoneRegion: `+${parsed.countryCallingCode}` };
}
