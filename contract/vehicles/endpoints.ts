import { z } from 'zod';
import { defineEndpoint } from '../define.ts';
import { id, mostOfOne, nameLine, seatCount } from '../units.ts';

/** The most vehicles that a person can save. */
export const mostVehicles = 10;
export const vehicleTypes = [
  'sedan',
  'hatchback',
  'suv',
  'wagon',
  'van',
  'pickup',
  'coupe',
  'convertible',
  'other',
] as const;
export const vehicleColors = [
  'black',
  'white',
  'silver',
  'gray',
  'blue',
  'red',
  'green',
  'brown',
  'beige',
  'yellow',
  'orange',
  'purple',
  'other',
] as const;

export const vehicleFields = z.object({
  plate: z
    .string()
    .trim()
    .toUpperCase()
    .min(2, 'Please enter the license plate.')
    .max(12, 'Please enter up to 12 characters.'),
  brand: nameLine(40, 'Please select a brand.'),
  model: nameLine(60, 'Please select a model.'),
  type: z.enum(vehicleTypes, 'Please select a type.'),
  year: z
    .number('Please enter the year.')
    .int('Please enter the year.')
    .min(1950, 'Please enter a year from 1950.')
    // The clock limits how far ahead a model's year may be: `latestVehicleYear`.
    .max(9999, 'Please enter the year.'),
  color: z.enum(vehicleColors, 'Please select a color.'),
  /** Seats for passengers, without the driver's. */
  seats: seatCount,
});

/** The latest model year: makers sell next year's models, and name some of them for the year after. */
export const latestVehicleYear = (now: number): number => new Date(now).getUTCFullYear() + 2;

export const vehicle = vehicleFields.extend({ id: z.string() });
export type Vehicle = z.output<typeof vehicle>;

export const listVehicles = defineEndpoint({
  method: 'GET',
  path: '/car/list',
  who: 'user',
  summary: 'My vehicles.',
  input: z.object({}),
  output: z.object({ vehicles: z.array(vehicle).max(mostVehicles) }),
  refusals: [],
});

export const createVehicle = defineEndpoint({
  method: 'POST',
  path: '/car/create',
  who: 'user',
  summary: 'Adds a vehicle.',
  input: vehicleFields,
  output: vehicle,
  refusals: ['vehicle.plateTaken', 'vehicle.tooMany', 'vehicle.yearAhead'],
});

export const updateVehicle = defineEndpoint({
  method: 'POST',
  path: '/car/update',
  who: 'user',
  summary: 'Changes a vehicle.',
  input: vehicleFields.extend({ id }),
  output: vehicle,
  refusals: ['vehicle.notFound', 'vehicle.plateTaken', 'vehicle.yearAhead'],
});

export const deleteVehicle = defineEndpoint({
  method: 'POST',
  path: '/car/delete',
  who: 'user',
  summary: 'Removes a vehicle that no open ride uses.',
  input: z.object({ id }),
  output: z.object({}),
  refusals: ['vehicle.notFound', 'vehicle.onOpenRide'],
});

export const listBrands = defineEndpoint({
  method: 'GET',
  path: '/car/brands',
  who: 'user',
  summary: 'Makes of vehicles that contain the text.',
  input: z.object({ text: z.string().trim().max(40).default('') }),
  output: z.object({ brands: z.array(z.string()).max(mostOfOne) }),
  refusals: [],
});

export const listModels = defineEndpoint({
  method: 'GET',
  path: '/car/models',
  who: 'user',
  summary: 'Models of a make that contain the text.',
  input: z.object({ brand: z.string().trim().max(40), text: z.string().trim().max(40).default('') }),
  output: z.object({ models: z.array(z.string()).max(mostOfOne) }),
  refusals: [],
});
