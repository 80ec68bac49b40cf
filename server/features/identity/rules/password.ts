// From published lists of leaked passwords, those of ten characters and more.
const wellKnown = new Set(
  `1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc zaq12wsxcde3 zaq1zaq1zaq1 q1w2e3r4t5 q1w2e3r4t5y6 1qazxsw23edc qazwsxedcrfv
  qazwsxedc123 a1b2c3d4e5 a1b2c3d4e5f6 1a2b3c4d5e 1a2b3c4d5e6f qweasdzxc123 qweasdzxc1 asdqwe123456 123qweasdzxc
  123qwe123qwe qwe123qwe123 1029384756 1357924680 2468013579 0192837465 147258369a 1472583690 7894561230 1234567899
  1234567891 1234567890a 123456789a 123456789q 123456789z a123456789 q123456789 aa12345678 abc1234567 abcd123456
  abcde12345 asd1234567 asdf123456 qwer123456 zxcvbnm123 zxcvbnm1234 asdfghjkl1 qwertyuiop1 1234qwerasdf 1q1q1q1q1q
  5201314520 1314520520 woaini1314 woaini520 woaini1314520 iloveyou520 5211314521 li123456789 wang123456 zhang123456
  3141592653 2718281828 google1234 mypassword trustno1trustno1 correcthorsebatterystaple opensesame openssesame
  letmeinplease nopassword thisisapassword mysecretpassword passw0rdpassw0rd administrator superadmin rootroot00
  changemenow changeme123 defaultpassword masterpassword temporary1 temppassword secretpassword supersecret
  qwertyqwerty asdfasdfasdf jesuschrist jesuslovesme godisgreat iloveyousomuch iloveyoubaby ilovemyself ilovemymom
  babygirl12 sweetheart princess12 manchester liverpool1 manchesterunited realmadrid barcelona10 basketball baseball12
  footballer volleyball skateboard snowboarding christopher alexander1 alexandria elizabeth1 stephanie1 katherine1
  jacqueline maximilian montgomery strawberry chocolate1 cheesecake watermelon pineapple1 buttercup1 butterfly1
  butterflies caterpillar hummingbird springtime summertime wintertime california sanfrancisco losangeles newyorkcity
  washington hellohello helloworld helloworld1 helloworld123 goodmorning motherfucker fuckyou123 fuckyou1234
  spiderman1 superman123 batman1234 pokemon123 minecraft1 starwars123 harrypotter lordoftherings startrek12
  computer12 internet12 samsung123 microsoft1 whatever12 whatever123 everything nothing123 something1 blink182182
  metallica1 slipknot66 mustang123 corvette12 ferrari123 mercedes12 motorcycle harleydavidson chevrolet1`.split(
    /\s+/,
  ),
);

// Words that people decorate with digits and signs: "Password123!", "w3lc0me2024".
const dressedUp = new Set(
  `password passwort passphrase passcode pass qwerty qwertz azerty asdf asdfgh zxcvbn zxcvbnm admin administrator root
  user guest test tester testing demo login letmein welcome hello iloveyou love lovely loveme secret master monkey
  dragon shadow sunshine princess football baseball basketball soccer hockey superman batman spiderman pokemon naruto
  starwars michael jordan jessica ashley daniel andrew joshua matthew robert thomas charlie george jennifer michelle
  nicole hannah samantha summer winter spring autumn january february monday friday whatever freedom computer internet
  google facebook samsung iphone android apple microsoft windows changeme default temp temporary mypassword abc abcd
  abcde abcdef woaini shunlu sameway carpool rideshare driver passenger california santacruz`.split(/\s+/),
);

const runs = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
];
const plainEmails: Record<string, string> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
};

/**
 * Whether a password is among those that attackers try first: a well-known one, a word with digits around it,
 * a repetition, a run of the alphabet or keyboard, or the name in front of the email's @.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const typed = password.toLowerCase().trim();
  return (
    wellKnown.has(typed) ||
    isDressedUpWord(typed) ||
    isRepetition(typed) ||
    isRun(typed) ||
    isMostly(typed, email.split('@')[0] ?? '')
  );
}

function isDressedUpWord(typed: string): boolean {
  const bare = (text: string) => text.replaceAll(/^[^a-z]+|[^a-z]+$/g, '');
  const spell = (text: string) => text.replaceAll(/./gu, (letter) => plainEmails[letter] ?? letter);
  return [bare(typed), spell(bare(typed)), bare(spell(typed))].some((word) => dressedUp.has(word));
}

// "aaaaaaaaaa", "1212121212", "passwordpassword": something short, repeated.
const isRepetition = (typed: string): boolean =>
  /^(.{1,8}?)\1+.{0,2}$/su.test(typed) || new Set(typed).size < 4;

/**
 * Four of five steps from one character to the next follow a run: "1234567890", "qwerty12345", "987654321a".
 */
function isRun(typed: string): boolean {
  let following = 0;
  for (let at = 1; at < typed.length; at++) {
    const step = typed.slice(at - 1, at + 1);
    const back = `${step[1]}${step[0]}`;
    if (step[0] === step[1] || runs.some((run) => run.includes(step) || run.includes(back))) following += 1;
  }
  return following >= (typed.length - 1) * 0.8;
}

const isMostly = (typed: string, name: string): boolean =>
  name.length >= 4 && typed.includes(name.toLowerCase()) && typed.length - name.length < 6;
