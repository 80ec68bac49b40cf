/** First and last name as they stand on a document: a Chinese name begins with the family's. */
export function legalNameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  const isChinese = /^\p{Script=Han}+$/u.test(firstName + lastName);
  return isChinese ? lastName + firstName : `${firstName} ${lastName}`.trim();
}
