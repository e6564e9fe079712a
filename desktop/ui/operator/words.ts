import type { Words } from "../words/index.ts";

export const operatorWords = {
	"operator.sessions": { en: "Signed in", sw: "Walioingia" },
	"operator.sessionsLead": {
		en: "Browsers and programs that act in a person's name. Sign out what is lost or not known.",
		sw: "Vivinjari na programu zinazotenda kwa jina la mtu. Ondoa kilichopotea au kisichojulikana.",
	},
	"operator.thisOne": { en: "This one", sw: "Hiki hapa" },
	"operator.program": { en: "Program", sw: "Programu" },
	"operator.end": { en: "Sign out", sw: "Ondoa" },
	"operator.unsent_one": {
		en: "{{count}} act unsent",
		sw: "Kitendo {{count}} hakijatumwa",
	},
	"operator.unsent_other": {
		en: "{{count}} acts unsent",
		sw: "Vitendo {{count}} havijatumwa",
	},
	"operator.lacks_one": {
		en: "Lacks {{count}} change",
		sw: "Inakosa badiliko {{count}}",
	},
	"operator.lacks_other": {
		en: "Lacks {{count}} changes",
		sw: "Inakosa mabadiliko {{count}}",
	},
	"operator.server": { en: "Server", sw: "Seva" },
	"operator.others": {
		en: "This server has other shops too: its operator sees how it is.",
		sw: "Seva hii ina maduka mengine pia: msimamizi wake anaona hali yake.",
	},
	"operator.version": { en: "Version", sw: "Toleo" },
	"operator.started": { en: "Running since", sw: "Inaendesha tangu" },
	"operator.database": { en: "Database", sw: "Hifadhidata" },
	"operator.disk": { en: "Free on the disk", sw: "Nafasi kwenye diski" },
	"operator.backup": { en: "Last backup", sw: "Nakala ya mwisho" },
	"operator.noBackup": { en: "None yet", sw: "Bado hakuna" },
	"operator.sameDisk": {
		en: "on the same disk: losing it loses both",
		sw: "kwenye diski ileile: ikipotea, vyote vinapotea",
	},
	"operator.behind": {
		en: "Changes without a backup",
		sw: "Mabadiliko bila nakala",
	},
	"operator.backups": { en: "Backups", sw: "Nakala" },
	"operator.ownDisk": {
		en: "On the server’s own disk: {{dir}}",
		sw: "Kwenye diski ya seva yenyewe: {{dir}}",
	},
	"operator.otherDisk": {
		en: "On the other disk: {{dir}}",
		sw: "Kwenye diski nyingine: {{dir}}",
	},
	"operator.backupCount_one": {
		en: "{{count}} backup",
		sw: "Nakala {{count}}",
	},
	"operator.backupCount_other": {
		en: "{{count}} backups",
		sw: "Nakala {{count}}",
	},
	"operator.proven": { en: "Checked", sw: "Imekaguliwa" },
	"operator.unproven": { en: "Not checked", sw: "Haijakaguliwa" },
	"operator.errors": {
		en: "Recent errors and warnings",
		sw: "Hitilafu na maonyo ya karibuni",
	},
	"operator.noErrors": {
		en: "None since the server started.",
		sw: "Hakuna tangu seva ilipoanza.",
	},
} satisfies Words;
