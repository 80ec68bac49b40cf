import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * A stored phone number (E.164) as people write it: `(415) 555-0101` with the default country code, which
 * people leave out; `+86 138 0013 8000` with another. Empty where there is none.
 */
export function phoneText(phone: string): string {
  const number = parsePhoneNumberFromString(phone);
  if (number === undefined) return phone;
  return number.countryCallingCode === '1' ? number.formatNational() : number.formatInternational();
}
