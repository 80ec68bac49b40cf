/** The text that a person typed into the people search, classified. */
export type SearchedBy = { email: string } | { phone: string } | { name: string };

const emailLike = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const phoneLike = /^[+＋(]?[\d\s().\-/–]{6,}$/;
// One character of these scripts is a word; one of other scripts would match too many people.
const wordInOne = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/**
 * The search that a text means; null when it is too short for one.
 * @param parsePhone the number in E.164, or null.
 */
export function searchedBy(
  text: string,
  parsePhone: (typed: string) => { phone: string } | null,
): SearchedBy | null {
  if (emailLike.test(text)) return { email: text.toLowerCase() };
  const number = phoneLike.test(text) ? parsePhone(text) : null;
  if (number !== null) return { phone: number.phone };
  return /../u.test(text) || wordInOne.test(text) ? { name: text } : null;
}
