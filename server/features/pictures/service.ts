export {
  signedAddress,
  exportPictures,
  publicAddresses,
  uploadPicture,
  takePictures,
} from './upload-picture.ts';
export { removePictures, removePicturesOf } from './store.ts';
