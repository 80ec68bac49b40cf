export { signedAddress } from './picture-addresses.ts';
export { exportPictures, publicAddresses } from './read-pictures.ts';
export { removePictures, removePicturesOf } from './store.ts';
export { uploadPicture } from './upload-picture.ts';
export { takePictures } from './use-pictures.ts';
