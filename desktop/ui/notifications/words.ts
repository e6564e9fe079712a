import type { Words } from "../words/index.ts";

export const notificationsWords = {
	"bell.lowStock": {
		en: "Low stock: {{name}}",
		sw: "Inakaribia kuisha: {{name}}",
	},
	"bell.lowStockLeft": {
		en: "{{quantity}} left. You asked to hear at {{threshold}}.",
		sw: "Zimebaki {{quantity}}. Uliomba uarifiwe zikifika {{threshold}}.",
	},
	"bell.overLimit": {
		en: "{{name}} went beyond the limits",
		sw: "{{name}} amezidi mipaka",
	},
	"bell.approved": {
		en: "Approved by your PIN, for {{name}}",
		sw: "Umeidhinisha kwa PIN yako, kwa {{name}}",
	},
	"bell.backupOld": {
		en: "The last backup is old",
		sw: "Nakala ya mwisho ni ya zamani",
	},
	"bell.backupOldLead": {
		en: "Made {{when}}; {{count}} changes have none.",
		sw: "Ilifanywa {{when}}; mabadiliko {{count}} hayana nakala.",
	},
	"bell.backupNone": {
		en: "There is no backup yet",
		sw: "Bado hakuna nakala",
	},
	"bell.backupNoneLead": {
		en: "{{count}} changes have none.",
		sw: "Mabadiliko {{count}} hayana nakala.",
	},
	"bell.backup_missing": {
		en: "The disk for backups is away: {{name}}",
		sw: "Diski ya nakala haipo: {{name}}",
	},
	"bell.backup_missingLead": {
		en: "Backups are only on the server’s own disk. Connect the other one.",
		sw: "Nakala ziko kwenye diski ya seva tu. Unganisha ile nyingine.",
	},
	"bell.backup_full": {
		en: "No room for backups: {{name}}",
		sw: "Hakuna nafasi ya nakala: {{name}}",
	},
	"bell.backup_fullLead": {
		en: "The last good one stays. Free some space on that disk.",
		sw: "Nakala nzuri ya mwisho inabaki. Ongeza nafasi kwenye diski hiyo.",
	},
	"bell.backup_failed": {
		en: "The last backup failed: {{name}}",
		sw: "Nakala ya mwisho imeshindikana: {{name}}",
	},
	"bell.backup_failedLead": {
		en: "The one before it stays. The server’s log has the reason.",
		sw: "Iliyotangulia inabaki. Sababu iko kwenye kumbukumbu ya seva.",
	},
	"bell.diskLow": {
		en: "The server’s disk is nearly full",
		sw: "Diski ya seva inakaribia kujaa",
	},
	"bell.diskLowLead": {
		en: "{{size}} MB are left. On a full disk nothing is saved.",
		sw: "Zimebaki MB {{size}}. Diski ikijaa hakuna kinachohifadhiwa.",
	},
	"bell.tillUnsent": {
		en: "Till {{name}} keeps unsent sales",
		sw: "Kaunta {{name}} ina mauzo ambayo hayajatumwa",
	},
	"bell.tillUnsentLead": {
		en: "{{count}} acts unsent, last seen {{when}}. Put it online.",
		sw: "Vitendo {{count}} havijatumwa, ilionekana {{when}}. Iunganishe mtandaoni.",
	},
	"bell.pinLocked": {
		en: "Your PIN, or another's, was locked",
		sw: "PIN yako, au ya mwingine, imefungwa",
	},
	"bell.atStake": {
		en: "{{act}}: {{amount}} at stake",
		sw: "{{act}}: kiasi {{amount}}",
	},
	"bell.none": { en: "Nothing new.", sw: "Hakuna jipya." },
	"bell.readAll": { en: "Mark all as read", sw: "Weka zote kuwa zimesomwa" },
	"bell.delete": { en: "Delete", sw: "Futa" },
} satisfies Words;
