import { expect, test, vi } from 'vitest';

// What the words need of a browser.
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
vi.stubGlobal('document', { documentElement: { lang: '' }, querySelector: () => null });
vi.stubGlobal('navigator', { languages: ['en-US'] });
const { i18n, loadWords, startWords } = await import('./i18n.ts');
const { NotUsable, openPicture, preparePicture } = await import('./prepare-picture.ts');
await startWords();
await loadWords(['reasons'], 'en');

const heicBytes = '\u0000\u0000\u0000\u0018ftypheic\u0000\u0000';

test('a HEIC photo is opened where the browser can, and goes on as any other', async () => {
  const bitmap = { width: 4032, height: 3024 };
  vi.stubGlobal('createImageBitmap', async () => bitmap);
  const opened = await openPicture(new File([heicBytes], 'IMG_1.HEIC', { type: 'image/heic' }));
  expect(opened).toEqual({ bitmap, width: 4032, height: 3024 });
});

const cannotOpen = async () => {
  throw new DOMException('The source image could not be decoded.', 'InvalidStateError');
};

test.each([
  ['its type', new File(['x'], 'photo', { type: 'image/heic' })],
  ['its name', new File(['x'], 'IMG_1.HEIC')],
  ['its first bytes, whatever it claims to be', new File([heicBytes], 'a.jpg', { type: 'image/jpeg' })],
])('where the browser cannot, a HEIC photo is known by %s and sent as it is', async (_by, file) => {
  vi.stubGlobal('createImageBitmap', cannotOpen);
  expect(await openPicture(file)).toBeNull();
  const prepared = await preparePicture(file, { longestSide: 1600, quality: 0.8 });
  expect(prepared.size).toBeNull();
  expect(prepared.blob).toBe(file);
});

test('what is no picture is not sent', async () => {
  vi.stubGlobal('createImageBitmap', cannotOpen);
  const file = new File(['some words'], 'a.jpg', { type: 'image/jpeg' });
  const words = i18n.t('reasons:upload.notPicture');
  expect(words).toContain('HEIC');
  await expect(preparePicture(file, { longestSide: 1600, quality: 0.8 })).rejects.toThrow(
    new NotUsable(words),
  );
});

test('a HEIC photo beyond the limit is not sent either', async () => {
  vi.stubGlobal('createImageBitmap', cannotOpen);
  const file = new File([heicBytes, new Uint8Array(10_000_001)], 'a.heic');
  await expect(preparePicture(file, { longestSide: 1600, quality: 0.8 })).rejects.toThrow(NotUsable);
});
