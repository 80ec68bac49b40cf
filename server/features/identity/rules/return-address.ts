const landingPage = '/pages/auth/oauth';
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Whether an external sign-in may return to an address: this site's landing page, or the one on the same
 * machine.
 */
export function mayReturnTo(address: string, publicUrl: string | undefined): boolean {
  const url = URL.parse(address);
  if (url === null || url.pathname !== landingPage || url.search !== '' || url.hash !== '') return false;
  if (url.username !== '' || url.password !== '') return false;
  if (publicUrl !== undefined) return url.origin === new URL(publicUrl).origin;
  return (url.protocol === 'http:' || url.protocol === 'https:') && loopback.has(url.hostname);
}
