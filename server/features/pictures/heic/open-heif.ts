// Functions of a C library in WebAssembly have an underscore before their names.
/* oxlint-disable no-underscore-dangle */
import heifModule, { type MainModule } from 'libheif-js/libheif-wasm/libheif.js';
import type { Transform } from '../rules/orientation.ts';

// Its types describe an ES module, but the file is a CommonJS one.
const libheif = heifModule as unknown as typeof heifModule.default;

/** A file that is not decoded: by the library's own codes. */
export class HeifError extends Error {
  readonly code: number;
  readonly subcode: number;

  constructor(code: number, subcode: number, message: string) {
    super(message);
    this.code = code;
    this.subcode = subcode;
  }
}

/** Numbers of libheif’s C interface (heif_error.h, heif_image.h). */
export const heifCodes = {
  unsupported: 4,
  noDecoder: 11,
  limitExceeded: 1000,
  noPrimaryPicture: 124,
} as const;
const rgbSpace = 1;
const interleaved = { channel: 10, rgb: 10, rgba: 11 } as const;
const [flipUpsideDown, flipSideways] = [0, 1];

/** Pixels as they lie in the library’s memory: gone with the next call. */
export interface Plane {
  width: number;
  height: number;
  bytesPerRow: number;
  bytes: Uint8Array;
}

/** The division of a picture into parts that are decoded by themselves. */
export interface Tiling {
  columns: number;
  rows: number;
  tileWidth: number;
  tileHeight: number;
  /** Of the whole picture, before it is turned. */
  width: number;
  height: number;
}

/**
 * The main picture of a HEIF file, read by libheif’s C interface: its JavaScript one has neither its limits
 * nor parts. The memory goes with the thread, so nothing of it is given back here.
 */
export interface HeifPicture {
  hasAlpha: boolean;
  tiling: Tiling;
  /** The transforms that turn it upright, in order; null where there is more to it than turns and flips. */
  transforms: readonly Transform[] | null;
  profile: Uint8Array;
  /** The whole picture, upright. @throws HeifError */
  decode(): Plane;
  /** One part, not turned. @throws HeifError */
  withTile(column: number, row: number, take: (plane: Plane) => void): void;
}

/**
 * Reads the headers alone.
 * @throws HeifError
 */
export function openHeif(file: Uint8Array, limits: { pixels: number; bytes: number }): HeifPicture {
  const heif = libheif({ print: () => undefined, printErr: () => undefined });
  const memory = new HeifMemory(heif);
  const context = heif._heif_context_alloc();
  limit(memory, heif._heif_context_get_security_limits(context), limits);
  const at = memory.put(file);
  memory.check((error) =>
    heif._heif_context_read_from_memory_without_copy(error, context, at, file.length, 0),
  );
  const handle = memory.made((error, out) =>
    heif._heif_context_get_primary_image_handle(error, context, out),
  );
  const hasAlpha = heif._heif_image_handle_has_alpha_channel(handle) !== 0;
  const chroma = hasAlpha ? interleaved.rgba : interleaved.rgb;
  const untransformed = heif._heif_decoding_options_alloc();
  // The second byte is `ignore_transformations`.
  memory.view().setUint8(untransformed + 1, 1);

  const planeOf = (image: number): Plane => {
    const bytesAt = heif._heif_image_get_plane_readonly(image, interleaved.channel, memory.out);
    const bytesPerRow = memory.view().getInt32(memory.out, true);
    const height = heif._heif_image_get_height(image, interleaved.channel);
    const bytes = memory.bytes(bytesAt, bytesPerRow * height);
    return { width: heif._heif_image_get_width(image, interleaved.channel), height, bytesPerRow, bytes };
  };
  return {
    hasAlpha,
    tiling: tilingOf(heif, memory, handle),
    transforms: transformsOf(heif, memory, context, heif._heif_image_handle_get_item_id(handle)),
    profile: profileOf(heif, memory, handle),
    decode: () =>
      planeOf(memory.made((error, out) => heif._heif_decode_image(error, handle, out, rgbSpace, chroma, 0))),
    withTile(column, row, take) {
      const image = memory.made((error, out) =>
        heif._heif_image_handle_decode_image_tile(
          error,
          handle,
          out,
          rgbSpace,
          chroma,
          untransformed,
          column,
          row,
        ),
      );
      take(planeOf(image));
      heif._heif_image_release(image);
    },
  };
}

/** Room in the library’s memory, and its answers read from there. */
class HeifMemory {
  private readonly heif: MainModule;
  private readonly error: number;
  /** Where the library writes one result. */
  readonly out: number;

  constructor(heif: MainModule) {
    this.heif = heif;
    this.error = heif._malloc(16);
    this.out = heif._malloc(128);
  }

  /** Made for each use, because the memory moves when it grows. */
  view(): DataView {
    return new DataView((this.heif.HEAPU8 as Uint8Array).buffer);
  }

  bytes(at: number, length: number): Uint8Array {
    return (this.heif.HEAPU8 as Uint8Array).subarray(at, at + length);
  }

  put(bytes: Uint8Array): number {
    const at = this.heif._malloc(bytes.length);
    (this.heif.HEAPU8 as Uint8Array).set(bytes, at);
    return at;
  }

  check(call: (error: number) => void): void {
    call(this.error);
    const view = this.view();
    const code = view.getInt32(this.error, true);
    if (code === 0) return;
    const textAt = view.getUint32(this.error + 8, true);
    const bytes = this.bytes(textAt, 200);
    const text = Buffer.from(bytes.subarray(0, bytes.indexOf(0))).toString();
    throw new HeifError(code, view.getInt32(this.error + 4, true), text);
  }

  /** The address of what a call makes. */
  made(call: (error: number, out: number) => void): number {
    this.check((error) => call(error, this.out));
    return this.view().getUint32(this.out, true);
  }
}

/** Sets `max_image_size_pixels` and `max_total_memory` of `heif_security_limits` (heif_security.h). */
function limit(memory: HeifMemory, at: number, { pixels, bytes }: { pixels: number; bytes: number }): void {
  const view = memory.view();
  view.setBigUint64(at + 8, BigInt(pixels), true);
  view.setBigUint64(at + 64, BigInt(bytes), true);
}

/** `heif_image_tiling` (heif_tiling.h). */
function tilingOf(heif: MainModule, memory: HeifMemory, handle: number): Tiling {
  memory.check((error) => heif._heif_image_handle_get_image_tiling(error, handle, 0, memory.out));
  const view = memory.view();
  const read = (at: number) => view.getUint32(memory.out + at, true);
  return {
    columns: read(4),
    rows: read(8),
    tileWidth: read(12),
    tileHeight: read(16),
    width: read(20),
    height: read(24),
  };
}

function transformsOf(
  heif: MainModule,
  memory: HeifMemory,
  context: number,
  item: number,
): readonly Transform[] | null {
  const count = heif._heif_item_get_transformation_properties(context, item, memory.out, 8);
  const view = memory.view();
  const found: Transform[] = [];
  for (let index = 0; index < count; index++) {
    const property = view.getUint32(memory.out + 4 * index, true);
    const degrees = heif._heif_item_get_property_transform_rotation_ccw(context, item, property);
    const flip = heif._heif_item_get_property_transform_mirror(context, item, property);
    if (degrees >= 0) found.push({ turnsLeft: degrees / 90 });
    else if (flip === flipUpsideDown) found.push({ flip: 'upsideDown' });
    else if (flip === flipSideways) found.push({ flip: 'sideways' });
    else return null;
  }
  return found;
}

function profileOf(heif: MainModule, memory: HeifMemory, handle: number): Uint8Array {
  const size = heif._heif_image_handle_get_raw_color_profile_size(handle);
  if (size === 0) return new Uint8Array();
  const at = heif._malloc(size);
  memory.check((error) => heif._heif_image_handle_get_raw_color_profile(error, handle, at));
  return memory.bytes(at, size).slice();
}
