/** The code in a scanned text: the code itself, or an address that contains it, on any host. */
export function codeIn(scanned: string): string {
  const text = scanned.trim();
  if (!/^https?:\/\//i.test(text)) return text;
  try {
    const { searchParams } = new URL(text);
    return searchParams.get('code') ?? searchParams.get('inviter') ?? '';
  } catch {
    return '';
  }
}
