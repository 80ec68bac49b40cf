import { expect, test, vi } from 'vitest';

// What the words need of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
vi.stubGlobal('document', { documentElement: { lang: '' }, querySelector: () => null });
vi.stubGlobal('navigator', { languages: ['en-US'] });
const { i18n, loadWords, startWords } = await import('./i18n.ts');
const { NotUsable, openPicture } = await import('./prepare-picture.ts');
await startWords();
await loadWords(['reasons'], 'en');
await loadWords(['reasons'], 'zh');

const heicBytes = '\u0000\u0000\u0000\u0018ftypheic\u0000\u0000';

test('a HEIC photo is opened where the browser can, and goes on as any other', async () => {
  const bitmap = { width: 4032, height: 3024 };
  vi.stubGlobal('createImageBitmap', async () => bitmap);
  const opened = await openPicture(new File([heicBytes], 'IMG_1.HEIC', { type: 'image/heic' }));
  expect(opened).toEqual({ bitmap, width: 4032, height: 3024 });
});

test.each([
  ['its type', new File(['x'], 'photo', { type: 'image/heic' }), 'heic'],
  ['its name', new File(['x'], 'IMG_1.HEIC'), 'heic'],
  [
    'its first bytes, whatever it claims to be',
    new File([heicBytes], 'a.jpg', { type: 'image/jpeg' }),
    'heic',
  ],
  ['none of them', new File(['some words'], 'a.jpg', { type: 'image/jpeg' }), 'notPicture'],
] as const)('where the browser cannot, a HEIC photo is known by %s', async (_by, file, reason) => {
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
  });
  const words = i18n.t(`reasons:upload.${reason}`);
  expect(words).not.toBe('');
  await expect(openPicture(file)).rejects.toThrow(new NotUsable(words));
});

test('what is said of a HEIC photo names what to do', () => {
  for (const language of ['en', 'zh']) {
    const words = i18n.t('reasons:upload.heic', { lng: language });
    expect(words).toContain('JPEG');
    expect(words).toMatch(/Most Compatible|兼容性最佳/);
  }
});
