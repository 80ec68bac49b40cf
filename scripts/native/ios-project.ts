import fs from 'node:fs';
import path from 'node:path';
import { appBuild, appVersion } from '../../contract/app/endpoints.ts';
import { words } from '../../locales/native.ts';
import { drawIcons, drawSplashes } from './app-pictures.ts';
import { editFile } from './edit-file.ts';
import type { NativeSettings } from './native-settings.ts';

type Words = (typeof words)['en'];

/** Puts permissions, links, push messages, version and pictures into the project that Capacitor has made. */
export async function finishIos(folder: string, { serverUrl }: NativeSettings): Promise<void> {
  const app = path.join(folder, 'App/App');
  const { host } = new URL(serverUrl);
  editFile(path.join(app, 'Info.plist'), [['</dict>\n</plist>', `${infoOf(host)}</dict>\n</plist>`]]);
  fs.writeFileSync(path.join(app, 'App.entitlements'), entitlements(host));
  fs.writeFileSync(path.join(app, 'PrivacyInfo.xcprivacy'), privacyManifest);
  for (const [language, text] of [
    ['en', words.en],
    ['zh-Hans', words.zh],
  ] as const) {
    fs.mkdirSync(path.join(app, `${language}.lproj`));
    fs.writeFileSync(path.join(app, `${language}.lproj/InfoPlist.strings`), stringsOf(text));
  }
  editFile(path.join(app, 'AppDelegate.swift'), [[sceneConfiguration, pushCallbacks + sceneConfiguration]]);
  editFile(path.join(folder, 'App/App.xcodeproj/project.pbxproj'), projectEdits);
  await drawIcons(app, /^AppIcon.*\.png$/);
  await drawSplashes(app, /^splash.*\.png$/);
}

const purposes = (text: Words): [key: string, why: string][] => [
  ['NSCameraUsageDescription', text.camera],
  ['NSLocationWhenInUseUsageDescription', text.location],
  ['NSLocationAlwaysAndWhenInUseUsageDescription', text.locationAlways],
];

const infoOf = (host: string): string => `${purposes(words.en)
  .map(([key, why]) => `\t<key>${key}</key>\n\t<string>${why}</string>\n`)
  .join('')}	<key>UIBackgroundModes</key>
	<array>
		<string>location</string>
	</array>
	<key>WKAppBoundDomains</key>
	<array>
		<string>${host}</string>
	</array>
	<key>CFBundleLocalizations</key>
	<array>
		<string>en</string>
		<string>zh-Hans</string>
	</array>
	<key>ITSAppUsesNonExemptEncryption</key>
	<false/>
`;

const stringsOf = (text: Words): string =>
  purposes(text)
    .map(([key, why]) => `"${key}" = "${why}";\n`)
    .join('');

const plist = (body: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
${body}</dict>
</plist>
`;

/** Xcode replaces `development` by the push service of the build. */
const entitlements = (host: string): string =>
  plist(`	<key>aps-environment</key>
	<string>development</string>
	<key>com.apple.developer.applesignin</key>
	<array>
		<string>Default</string>
	</array>
	<key>com.apple.developer.associated-domains</key>
	<array>
		<string>applinks:${host}</string>
		<string>webcredentials:${host}</string>
	</array>
`);

/** The collected data is the person's own, linked to the account, and follows them to no other company. */
const privacyManifest = plist(`	<key>NSPrivacyTracking</key>
	<false/>
	<key>NSPrivacyTrackingDomains</key>
	<array/>
	<key>NSPrivacyAccessedAPITypes</key>
	<array>
		<dict>
			<key>NSPrivacyAccessedAPIType</key>
			<string>NSPrivacyAccessedAPICategoryUserDefaults</string>
			<key>NSPrivacyAccessedAPITypeReasons</key>
			<array>
				<string>CA92.1</string>
			</array>
		</dict>
	</array>
	<key>NSPrivacyCollectedDataTypes</key>
	<array>
${[
  'Name',
  'EmailAddress',
  'PhoneNumber',
  'PreciseLocation',
  'PhotosorVideos',
  'PaymentInfo',
  'UserID',
  'DeviceID',
]
  .map(
    (type) => `		<dict>
			<key>NSPrivacyCollectedDataType</key>
			<string>NSPrivacyCollectedDataType${type}</string>
			<key>NSPrivacyCollectedDataTypeLinked</key>
			<true/>
			<key>NSPrivacyCollectedDataTypeTracking</key>
			<false/>
			<key>NSPrivacyCollectedDataTypePurposes</key>
			<array>
				<string>NSPrivacyCollectedDataTypePurposeAppFunctionality</string>
			</array>
		</dict>
`,
  )
  .join('')}	</array>
`);

const sceneConfiguration = `    func application(_ application: UIApplication,
                     configurationForConnecting`;

/** Apple hands the phone's token to the app; the plugin waits for it. */
const pushCallbacks = `    func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
        NotificationCenter.default.post(name: .capacitorDidRegisterForRemoteNotifications, object: deviceToken)
    }

    func application(_ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: Error) {
        NotificationCenter.default.post(name: .capacitorDidFailToRegisterForRemoteNotifications, object: error)
    }

`;

/** Names of the files that are added to the project: Xcode wants 24 hexadecimal digits, each once. */
const ids = {
  strings: '5A3E0A0000000000000000A1',
  stringsInApp: '5A3E0A0000000000000000A2',
  english: '5A3E0A0000000000000000A3',
  chinese: '5A3E0A0000000000000000A4',
  privacy: '5A3E0A0000000000000000A5',
  privacyInApp: '5A3E0A0000000000000000A6',
  entitlements: '5A3E0A0000000000000000A7',
};

const projectEdits: [from: string, to: string][] = [
  [
    '/* End PBXBuildFile section */',
    `		${ids.stringsInApp} /* InfoPlist.strings in Resources */ = {isa = PBXBuildFile; fileRef = ${ids.strings} /* InfoPlist.strings */; };
		${ids.privacyInApp} /* PrivacyInfo.xcprivacy in Resources */ = {isa = PBXBuildFile; fileRef = ${ids.privacy} /* PrivacyInfo.xcprivacy */; };
/* End PBXBuildFile section */`,
  ],
  [
    '/* End PBXFileReference section */',
    `		${ids.english} /* en */ = {isa = PBXFileReference; lastKnownFileType = text.plist.strings; name = en; path = en.lproj/InfoPlist.strings; sourceTree = "<group>"; };
		${ids.chinese} /* zh-Hans */ = {isa = PBXFileReference; lastKnownFileType = text.plist.strings; name = "zh-Hans"; path = "zh-Hans.lproj/InfoPlist.strings"; sourceTree = "<group>"; };
		${ids.privacy} /* PrivacyInfo.xcprivacy */ = {isa = PBXFileReference; lastKnownFileType = text.xml; path = PrivacyInfo.xcprivacy; sourceTree = "<group>"; };
		${ids.entitlements} /* App.entitlements */ = {isa = PBXFileReference; lastKnownFileType = text.plist.entitlements; path = App.entitlements; sourceTree = "<group>"; };
/* End PBXFileReference section */`,
  ],
  [
    '/* End PBXVariantGroup section */',
    `		${ids.strings} /* InfoPlist.strings */ = {
			isa = PBXVariantGroup;
			children = (
				${ids.english} /* en */,
				${ids.chinese} /* zh-Hans */,
			);
			name = InfoPlist.strings;
			sourceTree = "<group>";
		};
/* End PBXVariantGroup section */`,
  ],
  [
    '				504EC3131FED79650016851F /* Info.plist */,\n',
    `				504EC3131FED79650016851F /* Info.plist */,
				${ids.strings} /* InfoPlist.strings */,
				${ids.privacy} /* PrivacyInfo.xcprivacy */,
				${ids.entitlements} /* App.entitlements */,
`,
  ],
  [
    '				50B271D11FEDC1A000F3C39B /* public in Resources */,\n',
    `				50B271D11FEDC1A000F3C39B /* public in Resources */,
				${ids.stringsInApp} /* InfoPlist.strings in Resources */,
				${ids.privacyInApp} /* PrivacyInfo.xcprivacy in Resources */,
`,
  ],
  ['				en,\n				Base,\n', '				en,\n				"zh-Hans",\n				Base,\n'],
  [
    '				INFOPLIST_FILE = App/Info.plist;\n',
    '				CODE_SIGN_ENTITLEMENTS = App/App.entitlements;\n				INFOPLIST_FILE = App/Info.plist;\n',
  ],
  ['CURRENT_PROJECT_VERSION = 1;', `CURRENT_PROJECT_VERSION = ${appBuild};`],
  ['MARKETING_VERSION = 1.0;', `MARKETING_VERSION = ${appVersion};`],
];
