import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveLicense, type License } from '#contract/licenses/endpoints.ts';
import { uploadImage } from '#contract/pictures/endpoints.ts';
import { report } from '../../core/api.ts';
import { errorWords, Refused } from '../../core/errors.ts';
import { useAction } from '../../core/queries.ts';
import { uploadPicture } from '../../core/upload.ts';
import { NotUsable, preparePicture } from '../../core/prepare-picture.ts';

export const sides = ['front', 'back'] as const;
export type Side = (typeof sides)[number];

/** Enough to read the small print, and small enough to send at the curb. */
const longestSide = 2400;
const quality = 0.9;

/**
 * One side: its photo ready to be sent, where it can be seen, how far it has come, and what is wrong with it.
 */
export interface SidePhoto {
  blob: Blob | null;
  preview: string | null;
  /** The id the server gave it; stored, so that a photo that has arrived is not sent twice. */
  sentAs: string | null;
  share: number | null;
  error: string | undefined;
}

const empty: SidePhoto = { blob: null, preview: null, sentAs: null, share: null, error: undefined };

/** Makes addresses at which photos can be seen, until the page is left. */
function useAddresses(): (blob: Blob) => string {
  const addresses = useRef<string[]>([]);
  useEffect(() => {
    const made = addresses.current;
    return () => {
      for (const address of made) URL.revokeObjectURL(address);
    };
  }, []);
  return (blob) => {
    const address = URL.createObjectURL(blob);
    addresses.current.push(address);
    return address;
  };
}

/** A side for which a file was chosen; without a preview where this browser cannot show it. */
async function chosenPhoto(file: File, addressOf: (blob: Blob) => string): Promise<Partial<SidePhoto>> {
  try {
    const { blob, size } = await preparePicture(file, { longestSide, quality });
    return { ...empty, blob, preview: size === null ? null : addressOf(blob) };
  } catch (error) {
    if (!(error instanceof NotUsable)) throw error;
    return { error: error.message };
  }
}

/** The two photos of a license while they are being chosen and sent. */
export function useLicensePhotos(onSent: (license: License) => void) {
  const { t } = useTranslation(['reasons', 'people']);
  const [photos, setPhotos] = useState<Record<Side, SidePhoto>>({ front: empty, back: empty });
  const [sending, setSending] = useState(false);
  const save = useAction(saveLicense, {
    invalidates: ['/user/'],
    onDone: ({ license }) => onSent(license),
    onRefused: (refused) => {
      for (const side of sides)
        if (refused.fields[side] !== undefined) change(side, { error: errorWords(refused), sentAs: null });
      return Object.keys(refused.fields).length > 0;
    },
  });
  const change = (side: Side, part: Partial<SidePhoto>) =>
    setPhotos((now) => ({ ...now, [side]: { ...now[side], ...part } }));

  const addressOf = useAddresses();

  async function put(side: Side, file: File): Promise<void> {
    const photo = await chosenPhoto(file, addressOf);
    change(side, photo);
    // Only the server can show it, so it has it at once.
    if (photo.preview === null) await sendSide(side, { ...empty, ...photo });
  }

  /** One photo for its side; two chosen together for an empty front are front and back. */
  async function choose(side: Side, files: readonly File[]): Promise<void> {
    const [first, second, third] = files;
    if (first === undefined) return;
    if (third !== undefined || (second !== undefined && side === 'back')) {
      change(side, { error: t('reasons:upload.tooMany') });
      return;
    }
    await put(side, first);
    if (second !== undefined) await put('back', second);
  }

  async function sendSide(side: Side, { blob, sentAs, preview }: SidePhoto): Promise<string | null> {
    if (blob === null || sentAs !== null) return sentAs;
    change(side, { share: 0, error: undefined });
    try {
      const { id, url } = await uploadPicture('license', blob, (share) => change(side, { share }));
      change(side, { share: null, sentAs: id, preview: preview ?? url });
      return id;
    } catch (error) {
      change(side, { share: null });
      if (error instanceof Refused && error.fields['file'] !== undefined)
        change(
          side,
          preview === null ? { ...empty, error: errorWords(error) } : { error: errorWords(error) },
        );
      else report(uploadImage, error, {});
      return null;
    }
  }

  return {
    photos,
    choose,
    busy: sending || save.busy || sides.some((side) => photos[side].share !== null),

    /** Sends both photos for review; says what is missing instead while one is. */
    async send(): Promise<void> {
      const missing = sides.filter((side) => photos[side].blob === null);
      for (const side of missing) change(side, { error: t('reasons:upload.none') });
      if (missing.length > 0 || sending) return;
      setSending(true);
      try {
        const front = await sendSide('front', photos.front);
        const back = front === null ? null : await sendSide('back', photos.back);
        if (front !== null && back !== null) await save.ask({ front, back });
      } finally {
        setSending(false);
      }
    },
  };
}
