/** Tags that people sort their contacts by, and who is in them. */
export const contactTags: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  mia: {
    Climbing: ['diego', 'anjali', 'hannah', 'tessa'],
    Family: ['sofia', 'hector'],
    Work: ['emily', 'nora', 'amina'],
  },
  leo: { Lab: ['jasmine', 'ivy', 'weiming'] },
  emily: { Runners: ['lily', 'freya', 'nora'] },
  camila: { Office: ['diego', 'owen', 'daniel', 'arturo'] },
  marcus: { Caltrain: ['kofi', 'ben', 'ivy'] },
  wanglei: { 同事: ['liuyang', 'xiaotong', 'zhaomin'] },
};
