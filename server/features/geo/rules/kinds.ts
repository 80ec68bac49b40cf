import { searchWords } from './words.ts';

interface Kind {
  /** OpenStreetMap's values. */
  categories: readonly string[];
  /** As people ask for one, in the languages of the app. */
  words: string;
  /** Buildings of these names are of the kind, where the map says nothing but that it is a building. */
  named?: RegExp;
}

/** Kinds of places that people search by, for the nearest or the most important one. */
const kinds: readonly Kind[] = [
  {
    categories: ['supermarket', 'grocery', 'greengrocer'],
    words: 'supermarket grocery groceries store 超市 杂货店 买菜',
    named: /^(safeway|costco|new leaf|trader joe|whole foods|aldi|food bin)|(market|grocery|supermarket)$/i,
  },
  { categories: ['convenience'], words: 'convenience store 便利店' },
  {
    categories: ['mall', 'department_store'],
    words: 'mall shopping center 购物中心 商场 百货',
    named: /(shopping mall|shopping center|mall)$/i,
  },
  {
    categories: ['fitness_centre'],
    words: 'gym fitness center 健身房',
    named: /\b(fitness|crossfit|gym)\b/i,
  },
  { categories: ['sports_centre', 'sports_hall'], words: 'sports center recreation 体育馆 体育中心' },
  { categories: ['fuel'], words: 'gas gasoline petrol fuel station 加油站' },
  { categories: ['charging_station'], words: 'charging station ev 充电站' },
  {
    categories: ['pharmacy', 'chemist'],
    words: 'pharmacy drugstore drug store 药店 药房',
    named: /\bpharmacy$/i,
  },
  { categories: ['station', 'halt'], words: 'train station railway rail amtrak 火车站 车站' },
  { categories: ['tram_stop'], words: 'tram stop light rail 电车站 轻轨' },
  {
    categories: ['bus_station'],
    words: 'bus station terminal depot coach greyhound 汽车站 公交站 巴士站 车站',
  },
  { categories: ['aerodrome', 'airport', 'terminal'], words: 'airport 机场' },
  { categories: ['ferry_terminal'], words: 'ferry terminal 码头 渡轮' },
  {
    categories: ['hospital'],
    words: 'hospital emergency room er 医院 急诊',
    named: /^(?!.*\b(animal|pet)\b).*\bhospital$/i,
  },
  { categories: ['clinic', 'doctors'], words: 'clinic doctor urgent care 诊所 医生' },
  { categories: ['dentist'], words: 'dentist 牙医 牙科' },
  { categories: ['veterinary'], words: 'vet veterinary animal hospital 宠物医院 兽医' },
  { categories: ['library'], words: 'library 图书馆', named: /\blibrary( \(.*\))?$/i },
  { categories: ['university'], words: 'university campus 大学 校园' },
  { categories: ['college'], words: 'college 学院 大学' },
  { categories: ['school'], words: 'school 学校', named: /\bschool\b(?! house)/i },
  { categories: ['kindergarten', 'childcare'], words: 'kindergarten preschool daycare 幼儿园' },
  {
    categories: ['student_union'],
    words: 'student center union commons 学生中心',
    named: /\b(student (union|cent(er|re)|commons)|union building)\b/i,
  },
  { categories: ['bank'], words: 'bank 银行', named: /\bbank$|^(bank of|wells fargo|chase$|citibank)/i },
  { categories: ['atm'], words: 'atm cash 取款机' },
  {
    categories: ['hotel', 'motel', 'guest_house', 'hostel'],
    words: 'hotel motel inn lodging 酒店 宾馆 旅馆',
    named: /\b(hotel|motel|inn|inn and suites|lodge)$|^(hotel|motel|super 8|best western|hilton)\b/i,
  },
  { categories: ['cafe'], words: 'coffee shop cafe 咖啡 咖啡店 咖啡馆' },
  { categories: ['restaurant', 'fast_food', 'food_court'], words: 'restaurant food 餐厅 餐馆 饭店' },
  { categories: ['bar', 'pub', 'nightclub'], words: 'bar pub 酒吧' },
  { categories: ['cinema'], words: 'cinema movie theater movies 电影院' },
  { categories: ['theatre', 'concert_hall'], words: 'theater theatre 剧院 剧场' },
  { categories: ['museum', 'gallery'], words: 'museum gallery 博物馆 美术馆' },
  { categories: ['stadium'], words: 'stadium arena 体育场 球场' },
  { categories: ['park', 'nature_reserve', 'garden'], words: 'park 公园' },
  { categories: ['beach'], words: 'beach 海滩 沙滩', named: /\bbeach$/i },
  { categories: ['golf_course'], words: 'golf course 高尔夫' },
  { categories: ['swimming_pool', 'water_park'], words: 'swimming pool 游泳池 游泳馆' },
  { categories: ['place_of_worship', 'church'], words: 'church 教堂', named: /\bchurch\b/i },
  { categories: ['police'], words: 'police station 警察局 派出所', named: /\bpolice department$/i },
  { categories: ['fire_station'], words: 'fire station 消防局', named: /\bfire (station|department)\b/i },
  { categories: ['post_office'], words: 'post office 邮局', named: /\bpost office$/i },
  {
    categories: ['townhall'],
    words: 'city town hall municipal 市政厅 镇政府',
    named: /\b(city|town) hall$/i,
  },
  { categories: ['courthouse'], words: 'courthouse court 法院', named: /\bcourthouse$/i },
  { categories: ['parking'], words: 'parking garage lot 停车场' },
];

/** Buildings in these categories are recognized by their names alone. */
export const buildings: ReadonlySet<string> = new Set([
  'building',
  'commercial',
  'retail',
  'public',
  'industrial',
  'office',
  'university',
]);

const kindOfCategory = new Map(kinds.flatMap((kind) => kind.categories.map((each) => [each, kind] as const)));
const wordsOfKind = new Map(kinds.map((kind) => [kind, searchWords(kind.words)]));

/** The words that ask for a place's kind; none for a kind that people do not search by. */
export function kindWords({
  kind,
  category,
  name,
}: {
  kind: string;
  category: string;
  name: string;
}): string[] {
  if (kind !== 'place' && kind !== 'airport') return [];
  const ofName = buildings.has(category) ? kinds.find(({ named }) => named?.test(name)) : undefined;
  const found = ofName ?? kindOfCategory.get(category);
  return found === undefined ? [] : wordsOfKind.get(found)!;
}
