import type { StaffRole } from '#contract/admin/roles.ts';
import { demoAccounts } from '../features/demo/accounts.ts';
import type { vehicles } from '../schema/vehicles.ts';
import type { TimeOfDay, Weekday } from './days.ts';
import type { PlaceKey } from './place-roles.ts';
import type { Look } from './portrait.ts';

type VehicleRow = typeof vehicles.$inferSelect;

/** A driver's price: nothing, cents a person, or cents for the car. */
export type Price = 'free' | { person: number } | { car: number };

export interface Car extends Pick<
  VehicleRow,
  'brand' | 'model' | 'type' | 'year' | 'color' | 'seats' | 'plate'
> {
  price: Price;
  license: 'Accepted' | 'Reviewing' | 'Reject';
}

export interface Persona {
  key: string;
  name: string;
  firstName: string;
  lastName: string;
  email: string;
  gender: 'female' | 'male' | 'prefer not to say';
  language: 'en' | 'zh';
  prefers: 'phone' | 'email' | 'chat';
  interests: string;
  staffRole: StaffRole | null;
  look: Look;
  home: PlaceKey;
  /** Where the person goes on the days named, and when they leave and come back. */
  work: PlaceKey;
  days: readonly Weekday[];
  leaves: TimeOfDay;
  returns: TimeOfDay;
  /** Null for those who only ride along. */
  car: Car | null;
}

const everyWorkday: readonly Weekday[] = [1, 2, 3, 4, 5];

type Life = Pick<Persona, 'home' | 'work' | 'leaves' | 'returns'> & { days?: readonly Weekday[] };
type Manner = Pick<Persona, 'interests' | 'look'> & {
  gender?: Persona['gender'];
  prefers?: Persona['prefers'];
  /**
   * Family name and given name where they are not the two words of the name; the Latin spelling names the
   * e-mail.
   */
  chinese?: { family: string; given: string; latin: string };
  car?: Car;
};

function person(key: string, name: string, life: Life, manner: Manner): Persona {
  const { chinese, gender = 'prefer not to say', prefers = 'chat', interests, look } = manner;
  const [first = '', ...rest] = name.split(' ');
  const account = demoAccounts.find((each) => each.name === name);
  const latin = chinese?.latin ?? name;
  const local = latin
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, '')
    .replaceAll(' ', '.');
  return {
    key,
    name,
    firstName: chinese?.given ?? first,
    lastName: chinese?.family ?? rest.join(' '),
    email: account?.email ?? `${local}@demo.sameway.example`,
    gender,
    language: chinese === undefined ? 'en' : 'zh',
    prefers,
    interests,
    // The person who shows the demo can show all of it.
    staffRole: account?.role === 'admin' ? 'owner' : null,
    look,
    days: everyWorkday,
    ...life,
    car: manner.car ?? null,
  };
}

/** @param words the year, the brand and the model */
const car = (
  words: string,
  {
    license = 'Accepted',
    ...rest
  }: Omit<Car, 'year' | 'brand' | 'model' | 'license'> & Partial<Pick<Car, 'license'>>,
): Car => {
  const [year, brand = '', ...model] = words.split(' ');
  return { year: Number(year), brand, model: model.join(' '), ...rest, license };
};

/** The people of the demo community. The first three are the accounts that a visitor signs in with. */
export const people: readonly Persona[] = [
  person(
    'mia',
    'Mia Torres',
    { home: 'home01', work: 'library', leaves: '08:05', returns: '17:30' },
    {
      gender: 'female',
      interests: 'Tide pools, climbing, old soul records',
      look: { skin: 'tan', hair: 'long', hairColor: 'espresso', earrings: true },
      car: car('2021 Subaru Crosstrek', {
        plate: '8TDP042',
        type: 'suv',
        color: 'green',
        seats: 4,
        price: { person: 600 },
      }),
    },
  ),
  person(
    'leo',
    'Leo Chen',
    { home: 'home12', work: 'library', leaves: '08:25', returns: '17:30' },
    {
      gender: 'male',
      interests: 'Robotics, film cameras, noodle soup',
      look: { skin: 'fair', hair: 'quiff', hairColor: 'black', glasses: true },
    },
  ),
  person(
    'ada',
    'Ada Okafor',
    { home: 'home18', work: 'factory', leaves: '08:30', returns: '17:00' },
    {
      gender: 'female',
      prefers: 'email',
      interests: 'Choir, city planning, sea kayaks',
      look: { skin: 'deep', hair: 'afro', hairColor: 'black', earrings: true },
    },
  ),

  person(
    'daniel',
    'Daniel Whitaker',
    { home: 'home31', work: 'countyOffices', leaves: '07:35', returns: '17:10' },
    {
      gender: 'male',
      prefers: 'phone',
      interests: 'Mountain bikes, baseball on the radio',
      look: { skin: 'fair', hair: 'side', hairColor: 'sand', beard: 'stubble' },
      car: car('2019 Honda Accord', {
        plate: '8KLM215',
        type: 'sedan',
        color: 'gray',
        seats: 4,
        price: { person: 550 },
      }),
    },
  ),
  person(
    'sofia',
    'Sofía Ramírez',
    { home: 'town01', work: 'college', leaves: '07:25', returns: '15:30', days: [1, 2, 3, 4] },
    {
      gender: 'female',
      interests: 'Ceramics, my grandmother’s recipes',
      look: { skin: 'tan', hair: 'braid', hairColor: 'black' },
      car: car('2018 Toyota Corolla', {
        plate: '8BNR771',
        type: 'sedan',
        color: 'silver',
        seats: 4,
        price: { person: 550 },
      }),
    },
  ),
  person(
    'xiaotong',
    '林晓彤',
    { home: 'home28', work: 'town05', leaves: '07:00', returns: '17:45', days: [1, 2, 3, 4] },
    {
      gender: 'female',
      interests: '羽毛球、播客、周末爬山',
      look: { skin: 'porcelain', hair: 'bob', hairColor: 'black' },
      chinese: { family: '林', given: '晓彤', latin: 'Lin Xiaotong' },
      car: car('2022 Tesla Model 3', {
        plate: '9CDA318',
        type: 'sedan',
        color: 'white',
        seats: 4,
        price: { person: 1000 },
      }),
    },
  ),
  person(
    'priya',
    'Priya Raman',
    { home: 'home32', work: 'town04', leaves: '06:50', returns: '16:45' },
    {
      gender: 'female',
      prefers: 'email',
      interests: 'Carnatic music, crossword puzzles',
      look: { skin: 'brown', hair: 'long', hairColor: 'black', glasses: true },
      car: car('2020 Toyota Sienna', {
        plate: '8VWX604',
        type: 'van',
        color: 'blue',
        seats: 6,
        price: { person: 900 },
      }),
    },
  ),
  person(
    'tom',
    'Tom Bergström',
    { home: 'home35', work: 'station', leaves: '07:50', returns: '17:20' },
    {
      gender: 'male',
      interests: 'Sourdough, fly fishing',
      look: { skin: 'porcelain', hair: 'crop', hairColor: 'copper', beard: 'full' },
      car: car('2016 Volvo V60', {
        plate: '7QRS482',
        type: 'wagon',
        color: 'blue',
        seats: 4,
        price: { person: 650 },
      }),
    },
  ),
  person(
    'grace',
    'Grace Nakamura',
    { home: 'home09', work: 'studentUnion', leaves: '08:20', returns: '17:00' },
    {
      gender: 'female',
      interests: 'Open-water swimming, public radio',
      look: { skin: 'fair', hair: 'bob', hairColor: 'gray', glasses: true },
      car: car('2020 Toyota Prius', {
        plate: '8JHT930',
        type: 'hatchback',
        color: 'blue',
        seats: 4,
        price: { person: 550 },
      }),
    },
  ),
  person(
    'hector',
    'Héctor Villanueva',
    { home: 'town02', work: 'hospital', leaves: '06:20', returns: '15:10', days: [1, 2, 4, 5] },
    {
      gender: 'male',
      prefers: 'phone',
      interests: 'Rancheras, Sunday barbecue',
      look: { skin: 'tan', hair: 'crop', hairColor: 'black', beard: 'moustache' },
      car: car('2019 Toyota Tacoma', {
        plate: '47102M2',
        type: 'pickup',
        color: 'silver',
        seats: 4,
        price: { car: 1600 },
      }),
    },
  ),
  person(
    'emily',
    'Emily Sandoval',
    { home: 'home07', work: 'library', leaves: '08:15', returns: '16:50' },
    {
      gender: 'female',
      interests: 'Trail running, bird counts',
      look: { skin: 'olive', hair: 'ponytail', hairColor: 'chestnut' },
      car: car('2017 Subaru Outback', {
        plate: '7XYA158',
        type: 'wagon',
        color: 'brown',
        seats: 4,
        price: 'free',
      }),
    },
  ),
  person(
    'marcus',
    'Marcus Bell',
    { home: 'home13', work: 'town03', leaves: '06:30', returns: '17:15', days: [1, 2, 3, 4] },
    {
      gender: 'male',
      interests: 'Jazz bass, chess',
      look: { skin: 'deep', hair: 'crop', hairColor: 'black', beard: 'full' },
      car: car('2022 Chevrolet Bolt EV', {
        plate: '9EVB267',
        type: 'hatchback',
        color: 'red',
        seats: 4,
        price: { person: 900 },
      }),
    },
  ),
  person(
    'wanglei',
    '王磊',
    { home: 'home26', work: 'town05', leaves: '07:10', returns: '18:05' },
    {
      gender: 'male',
      prefers: 'email',
      interests: '冲浪初学者、咖啡、开源软件',
      look: { skin: 'fair', hair: 'side', hairColor: 'black', glasses: true },
      chinese: { family: '王', given: '磊', latin: 'Wang Lei' },
      car: car('2023 Tesla Model Y', {
        plate: '9HGL541',
        type: 'suv',
        color: 'black',
        seats: 4,
        price: { person: 1050 },
      }),
    },
  ),
  person(
    'rachel',
    'Rachel Goldstein',
    { home: 'home38', work: 'hospital', leaves: '07:05', returns: '17:30', days: [1, 3, 4, 5] },
    {
      gender: 'female',
      interests: 'Hiking, knitting, detective novels',
      look: { skin: 'porcelain', hair: 'curls', hairColor: 'auburn' },
      car: car('2018 Subaru Forester', {
        plate: '8DFE396',
        type: 'suv',
        color: 'green',
        seats: 4,
        price: { person: 700 },
      }),
    },
  ),
  person(
    'owen',
    'Owen Gallagher',
    { home: 'home36', work: 'countyOffices', leaves: '08:00', returns: '16:30' },
    {
      gender: 'male',
      interests: 'Pinball, loud guitars',
      look: { skin: 'fair', hair: 'waves', hairColor: 'chestnut', beard: 'stubble' },
      car: car('2015 Ford Escape', {
        plate: '7GTR803',
        type: 'suv',
        color: 'red',
        seats: 4,
        price: { car: 1200 },
      }),
    },
  ),
  person(
    'yesenia',
    'Yesenia Cruz',
    { home: 'home16', work: 'factory', leaves: '07:45', returns: '17:00' },
    {
      gender: 'female',
      interests: 'Salsa, houseplants',
      look: { skin: 'brown', hair: 'fringe', hairColor: 'espresso', earrings: true },
      car: car('2019 Kia Niro', {
        plate: '8MPL127',
        type: 'hatchback',
        color: 'white',
        seats: 4,
        price: { person: 650 },
      }),
    },
  ),
  person(
    'patrick',
    'Patrick O’Leary',
    { home: 'home03', work: 'town06', leaves: '09:00', returns: '15:00', days: [2, 3, 4] },
    {
      gender: 'male',
      prefers: 'phone',
      interests: 'Retired, sails, likes a chat',
      look: { skin: 'porcelain', hair: 'balding', hairColor: 'white' },
      car: car('2021 Chrysler Pacifica', {
        plate: '8ZKC659',
        type: 'van',
        color: 'gray',
        seats: 6,
        price: { person: 800 },
      }),
    },
  ),
  person(
    'anjali',
    'Anjali Desai',
    { home: 'home02', work: 'lectureHall', leaves: '08:10', returns: '17:20' },
    {
      gender: 'female',
      interests: 'Bouldering, board games',
      look: { skin: 'brown', hair: 'bun', hairColor: 'black' },
      car: car('2023 Hyundai Ioniq 5', {
        plate: '9FTS084',
        type: 'hatchback',
        color: 'silver',
        seats: 4,
        price: { person: 650 },
      }),
    },
  ),
  person(
    'noah',
    'Noah Lindgren',
    { home: 'home19', work: 'college', leaves: '08:30', returns: '14:45', days: [1, 2, 3, 4] },
    {
      gender: 'male',
      interests: 'Running at dawn, park clean-ups',
      look: { skin: 'fair', hair: 'waves', hairColor: 'blond' },
      car: car('2014 Volkswagen Golf', {
        plate: '7BBD294',
        type: 'hatchback',
        color: 'yellow',
        seats: 3,
        price: 'free',
        license: 'Reviewing',
      }),
    },
  ),
  person(
    'camila',
    'Camila Ortega',
    { home: 'home08', work: 'countyOffices', leaves: '07:55', returns: '17:05' },
    {
      gender: 'female',
      interests: 'Watercolors, two dogs',
      look: { skin: 'olive', hair: 'curls', hairColor: 'espresso' },
      car: car('2020 Mazda CX-5', {
        plate: '8RRT775',
        type: 'suv',
        color: 'red',
        seats: 4,
        price: { person: 550 },
      }),
    },
  ),
  person(
    'ben',
    'Ben Fujimoto',
    { home: 'home29', work: 'town03', leaves: '07:15', returns: '17:40' },
    {
      gender: 'male',
      interests: 'Vinyl, woodworking',
      look: { skin: 'fair', hair: 'quiff', hairColor: 'gray', beard: 'stubble' },
      car: car('2018 Toyota RAV4', {
        plate: '8CAE540',
        type: 'suv',
        color: 'black',
        seats: 4,
        price: { car: 2400 },
      }),
    },
  ),
  person(
    'hannah',
    'Hannah Kessler',
    { home: 'home40', work: 'campusLibrary', leaves: '08:25', returns: '16:30' },
    {
      gender: 'female',
      interests: 'Beekeeping, letterpress',
      look: { skin: 'porcelain', hair: 'braid', hairColor: 'blond' },
      car: car('2013 Subaru Impreza', {
        plate: '6WLF381',
        type: 'hatchback',
        color: 'white',
        seats: 3,
        price: { person: 600 },
        license: 'Reviewing',
      }),
    },
  ),
  person(
    'weiming',
    '张伟明',
    { home: 'home34', work: 'lectureHall', leaves: '08:30', returns: '18:10' },
    {
      gender: 'male',
      interests: '乒乓球、机器学习、川菜',
      look: { skin: 'fair', hair: 'crop', hairColor: 'black' },
      chinese: { family: '张', given: '伟明', latin: 'Zhang Weiming' },
      car: car('2021 Honda CR-V', {
        plate: '8UYN413',
        type: 'suv',
        color: 'gray',
        seats: 4,
        price: { person: 600 },
      }),
    },
  ),
  person(
    'luis',
    'Luis Mendoza',
    { home: 'home17', work: 'businessPark', leaves: '07:40', returns: '16:15' },
    {
      gender: 'male',
      prefers: 'phone',
      interests: 'Coaches youth soccer',
      look: { skin: 'tan', hair: 'side', hairColor: 'espresso', beard: 'full' },
      car: car('2017 Honda Odyssey', {
        plate: '7VJP926',
        type: 'van',
        color: 'brown',
        seats: 6,
        price: 'free',
      }),
    },
  ),
  person(
    'tessa',
    'Tessa Monroe',
    { home: 'home10', work: 'townHall', leaves: '08:35', returns: '17:35' },
    {
      gender: 'female',
      interests: 'Improv, thrift stores',
      look: { skin: 'fair', hair: 'fringe', hairColor: 'copper', glasses: true },
      car: car('2019 MINI Hardtop 4 Door', {
        plate: '8GXE650',
        type: 'hatchback',
        color: 'orange',
        seats: 3,
        price: { person: 550 },
        license: 'Reject',
      }),
    },
  ),
  person(
    'samir',
    'Samir Haddad',
    { home: 'home25', work: 'mall', leaves: '09:15', returns: '18:30' },
    {
      gender: 'male',
      interests: 'Backgammon, astronomy',
      look: { skin: 'olive', hair: 'waves', hairColor: 'black', beard: 'stubble' },
      car: car('2020 Hyundai Elantra', {
        plate: '8NQD338',
        type: 'sedan',
        color: 'blue',
        seats: 4,
        price: { person: 600 },
        license: 'Reviewing',
      }),
    },
  ),

  person(
    'siyu',
    '陈思雨',
    { home: 'home11', work: 'library', leaves: '08:30', returns: '17:15' },
    {
      gender: 'female',
      interests: '写诗、植物、独立电影',
      look: { skin: 'porcelain', hair: 'fringe', hairColor: 'black' },
      chinese: { family: '陈', given: '思雨', latin: 'Chen Siyu' },
    },
  ),
  person(
    'jasmine',
    'Jasmine Nguyen',
    { home: 'home14', work: 'studentUnion', leaves: '08:15', returns: '16:45' },
    {
      gender: 'female',
      interests: 'Astrophysics, bubble tea, dance crew',
      look: { skin: 'fair', hair: 'bun', hairColor: 'espresso', earrings: true },
    },
  ),
  person(
    'oscar',
    'Oscar Delgado',
    { home: 'home33', work: 'countyOffices', leaves: '07:40', returns: '17:15' },
    {
      gender: 'male',
      prefers: 'phone',
      interests: 'Three kids, one guitar',
      look: { skin: 'olive', hair: 'balding', hairColor: 'espresso', beard: 'full' },
    },
  ),
  person(
    'lily',
    'Lily Abrams',
    { home: 'home24', work: 'college', leaves: '08:40', returns: '14:50', days: [1, 2, 3, 4] },
    {
      interests: 'Nursing student, roller skates',
      look: { skin: 'porcelain', hair: 'ponytail', hairColor: 'copper' },
    },
  ),
  person(
    'kofi',
    'Kofi Mensah',
    { home: 'home23', work: 'town03', leaves: '07:00', returns: '17:30', days: [1, 2, 3, 4] },
    {
      gender: 'male',
      prefers: 'email',
      interests: 'Highlife, data, long dinners',
      look: { skin: 'deep', hair: 'side', hairColor: 'black', glasses: true },
    },
  ),
  person(
    'freya',
    'Freya Olsen',
    { home: 'home37', work: 'lectureHall', leaves: '08:00', returns: '17:10' },
    {
      gender: 'female',
      interests: 'Mushrooms, cold water',
      look: { skin: 'porcelain', hair: 'long', hairColor: 'blond' },
    },
  ),
  person(
    'diego',
    'Diego Paredes',
    { home: 'home06', work: 'countyOffices', leaves: '07:50', returns: '17:00' },
    {
      gender: 'male',
      interests: 'Climbing, bike repair',
      look: { skin: 'brown', hair: 'waves', hairColor: 'black' },
    },
  ),
  person(
    'liuyang',
    '刘洋',
    { home: 'home27', work: 'town05', leaves: '07:15', returns: '18:00', days: [1, 2, 3, 4] },
    {
      gender: 'male',
      prefers: 'email',
      interests: '骑行、摄影、海边日落',
      look: { skin: 'olive', hair: 'quiff', hairColor: 'black' },
      chinese: { family: '刘', given: '洋', latin: 'Liu Yang' },
    },
  ),
  person(
    'ruth',
    'Ruth Feldman',
    { home: 'home05', work: 'hospital', leaves: '09:00', returns: '13:00', days: [1, 3, 5] },
    {
      gender: 'female',
      prefers: 'phone',
      interests: 'Hospital volunteer, roses, bridge',
      look: { skin: 'fair', hair: 'curls', hairColor: 'white', glasses: true },
    },
  ),
  person(
    'malik',
    'Malik Johnson',
    { home: 'home20', work: 'college', leaves: '08:35', returns: '15:00', days: [1, 2, 3, 4] },
    {
      gender: 'male',
      interests: 'Basketball, beats',
      look: { skin: 'brown', hair: 'afro', hairColor: 'black' },
    },
  ),
  person(
    'ivy',
    'Ivy Park',
    { home: 'home22', work: 'lectureHall', leaves: '09:00', returns: '18:00' },
    {
      gender: 'female',
      interests: 'Game design, aquariums',
      look: { skin: 'fair', hair: 'bob', hairColor: 'auburn' },
    },
  ),
  person(
    'arturo',
    'Arturo Salas',
    { home: 'town01', work: 'countyOffices', leaves: '07:30', returns: '16:45' },
    {
      gender: 'male',
      prefers: 'phone',
      interests: 'Accordion, strawberries',
      look: { skin: 'brown', hair: 'crop', hairColor: 'gray', beard: 'moustache' },
    },
  ),
  person(
    'nora',
    'Nora Whitfield',
    { home: 'home30', work: 'library', leaves: '08:20', returns: '17:45' },
    {
      gender: 'female',
      interests: 'Geology, pub quizzes',
      look: { skin: 'fair', hair: 'curls', hairColor: 'sand' },
    },
  ),
  person(
    'maya',
    'Maya Kapoor',
    { home: 'home39', work: 'station', leaves: '07:45', returns: '17:20' },
    {
      gender: 'female',
      interests: 'Yoga, river walks',
      look: { skin: 'tan', hair: 'bun', hairColor: 'espresso', earrings: true },
    },
  ),
  person(
    'zhaomin',
    '赵敏',
    { home: 'home15', work: 'factory', leaves: '07:50', returns: '17:05' },
    {
      gender: 'female',
      interests: '烘焙、带娃、周末露营',
      look: { skin: 'fair', hair: 'ponytail', hairColor: 'black' },
      chinese: { family: '赵', given: '敏', latin: 'Zhao Min' },
    },
  ),
  person(
    'amina',
    'Amina Yusuf',
    { home: 'home04', work: 'library', leaves: '08:05', returns: '17:00' },
    {
      gender: 'female',
      interests: 'Linguistics, long novels',
      look: { skin: 'brown', hair: 'scarf', hairColor: 'black' },
    },
  ),
];
