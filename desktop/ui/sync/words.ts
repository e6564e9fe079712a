import type { Words } from "../words/index.ts";

export const syncWords = {
	"sync.online": { en: "Online", sw: "Mtandaoni" },
	"sync.offline": { en: "Offline", sw: "Nje ya mtandao" },
	"sync.connecting": { en: "Connecting…", sw: "Inaungana…" },
	"sync.paused": { en: "Signed out", sw: "Umetoka" },
	"sync.waiting_one": {
		en: "{{count}} waiting to be sent",
		sw: "{{count}} inasubiri kutumwa",
	},
	"sync.waiting_other": {
		en: "{{count}} waiting to be sent",
		sw: "{{count}} zinasubiri kutumwa",
	},
	"sync.attention_one": {
		en: "{{count}} needs attention",
		sw: "{{count}} inahitaji kuangaliwa",
	},
	"sync.attention_other": {
		en: "{{count}} need attention",
		sw: "{{count}} zinahitaji kuangaliwa",
	},
	"sync.last": {
		en: "Last synced: {{when}}",
		sw: "Ilisawazishwa mwisho: {{when}}",
	},
	"sync.healed_one": {
		en: "{{count}} record differed from the server and was put right: {{when}}.",
		sw: "Rekodi {{count}} ilitofautiana na seva, na imerekebishwa: {{when}}.",
	},
	"sync.healed_other": {
		en: "{{count}} records differed from the server and were put right: {{when}}.",
		sw: "Rekodi {{count}} zilitofautiana na seva, na zimerekebishwa: {{when}}.",
	},
	"sync.never": { en: "not yet", sw: "bado" },
	"sync.now": { en: "Sync now", sw: "Sawazisha sasa" },
	"sync.device": { en: "This till", sw: "Kaunta hii" },
	"sync.prefix": {
		en: "Receipts begin with {{prefix}}",
		sw: "Risiti huanza na {{prefix}}",
	},
	"sync.nothing": {
		en: "Nothing needs attention.",
		sw: "Hakuna kinachohitaji kuangaliwa.",
	},
	"sync.why": { en: "Why", sw: "Kwa nini" },
	"sync.retry": { en: "Send again", sw: "Tuma tena" },
	"sync.discard": { en: "Discard", sw: "Tupa" },
	"sync.discarded": { en: "Discarded", sw: "Imetupwa" },
	"sync.kept": {
		en: "Sales made offline are saved in this browser and sent when the server can be reached.",
		sw: "Mauzo ya nje ya mtandao huhifadhiwa kwenye kivinjari hiki na kutumwa seva inapopatikana.",
	},
	"sync.keep.all": {
		en: "Keep all sales in this browser",
		sw: "Hifadhi mauzo yote kwenye kivinjari hiki",
	},
	"sync.keep.allNote": {
		en: "Otherwise it keeps those of the last 90 days, and reads older ones from the server. Takes effect once the app has been reloaded in all its tabs.",
		sw: "La sivyo huhifadhi ya siku 90 zilizopita, na ya zamani husomwa kutoka seva. Huanza kutumika programu ikipakiwa upya katika vichupo vyake vyote.",
	},
	"sync.keep.till": {
		en: "This browser is a till of the shop",
		sw: "Kivinjari hiki ni kaunta ya duka",
	},
	"sync.keep.tillNote": {
		en: "The shop, with its buying prices and its sales, then stays in this browser after everyone has signed out, and the browser's next user can find it. Otherwise it is removed when someone signs out, once everything has been sent.",
		sw: "Duka, pamoja na bei zake za kununua na mauzo yake, litabaki katika kivinjari hiki hata wote wakitoka, bila kujali atakayekitumia baadaye. La sivyo huondolewa mtu anapotoka, yote yakishatumwa.",
	},
	"sync.notPersisted": {
		en: "The browser may delete them when the disk is full, when a private window is closed, and in Safari after seven days without a visit.",
		sw: "Kivinjari kinaweza kuyafuta diski ikijaa, dirisha la faragha likifungwa, na katika Safari baada ya siku saba bila kufunguliwa.",
	},
	"sync.keptUnsent": {
		en: "This browser saves only what hasn't been sent yet. Everything else is downloaded each time this page is opened, so open it where the server can be reached.",
		sw: "Kivinjari hiki huhifadhi tu yale ambayo hayajatumwa. Mengine hupakuliwa kila ukurasa huu unapofunguliwa, kwa hiyo ufungue mahali seva inapopatikana.",
	},
	"sync.packTitle": {
		en: "The shop's files on this device",
		sw: "Faili za duka kwenye kifaa hiki",
	},
	"sync.packLead": {
		en: "The shop's file contains everything that this browser saved. Save it before you clear anything, and send it to someone who can help.",
		sw: "Faili ya duka ina yote yaliyohifadhiwa kwenye kivinjari hiki. Ihifadhi kabla ya kufuta chochote, kisha umtumie mtu anayeweza kusaidia.",
	},
	"sync.pack": { en: "Save the shop's file", sw: "Hifadhi faili ya duka" },

	"storage.lost_one": {
		en: "This browser's saved data was deleted, and with it {{count}} sale or change that hadn't been sent. Compare your last receipts with Sales, and enter what is missing again.",
		sw: "Yaliyohifadhiwa kwenye kivinjari hiki yamefutwa, pamoja na uuzaji au badiliko {{count}} ambalo halikuwa limetumwa. Linganisha risiti zako za mwisho na Mauzo, kisha uweke tena kinachokosekana.",
	},
	"storage.lost_other": {
		en: "This browser's saved data was deleted, and with it {{count}} sales or changes that hadn't been sent. Compare your last receipts with Sales, and enter what is missing again.",
		sw: "Yaliyohifadhiwa kwenye kivinjari hiki yamefutwa, pamoja na mauzo au mabadiliko {{count}} ambayo hayakuwa yametumwa. Linganisha risiti zako za mwisho na Mauzo, kisha uweke tena yanayokosekana.",
	},
	"storage.newer": {
		en: "A newer version of the app has been used in this browser. Reload the page to get it.",
		sw: "Toleo jipya zaidi la programu limetumika kwenye kivinjari hiki. Pakia ukurasa upya ili kulipata.",
	},
	"storage.full": {
		en: "This device is full. Free up some space on it.",
		sw: "Kifaa hiki kimejaa. Futa vitu usivyohitaji ili kupata nafasi.",
	},
	"storage.busy": {
		en: "Another tab or window is using this shop's files. Close it, then reload the page.",
		sw: "Kichupo au dirisha jingine linatumia faili za duka hili. Lifunge, kisha upakie ukurasa upya.",
	},
	"storage.broken": {
		en: "This shop's files in this browser can't be opened. Nothing was deleted: see Sync.",
		sw: "Faili za duka hili kwenye kivinjari hiki haziwezi kufunguliwa. Hakuna kilichofutwa: angalia Usawazishaji.",
	},
	"storage.none": {
		en: "This browser doesn't save anything for this page.",
		sw: "Kivinjari hiki hakihifadhi chochote cha ukurasa huu.",
	},
	"storage.unsent": {
		en: "You can keep selling: what hasn't been sent yet is saved here, and the rest comes from the server.",
		sw: "Unaweza kuendelea kuuza: yasiyotumwa bado yanahifadhiwa, na mengine hutoka kwa seva.",
	},
	"storage.nothing": {
		en: "You can keep selling, but don't close or reload this page until everything is sent.",
		sw: "Unaweza kuendelea kuuza, lakini usifunge wala kupakia upya ukurasa huu hadi yote yatumwe.",
	},
	"storage.silent": {
		en: "Another tab of this shop isn't responding. Switch to it for a moment, or close it.",
		sw: "Kichupo kingine cha duka hili hakijibu. Kifungue kwa muda mfupi, au ukifunge.",
	},
	"storage.missing": {
		en: "Part of the app couldn't be loaded. Reload the page when the server can be reached.",
		sw: "Sehemu ya programu haiwezi kupakiwa. Pakia ukurasa upya seva inapopatikana.",
	},
	"storage.closed": {
		en: "The shop can't be opened in this browser. Will retry automatically. ({{why}})",
		sw: "Duka haliwezi kufunguliwa kwenye kivinjari hiki. Programu itajaribu tena yenyewe. ({{why}})",
	},

	"close.title": { en: "End of day", sw: "Kufunga siku" },
	"close.lead": {
		en: "What this till sold today, next to what the server has.",
		sw: "Mauzo ya kaunta hii leo, pamoja na yale ambayo seva inayo.",
	},
	"close.compare": { en: "Compare", sw: "Linganisha" },
	"close.here": { en: "On this till", sw: "Kwenye kaunta hii" },
	"close.there": { en: "On the server", sw: "Kwenye seva" },
	"close.same": { en: "They match.", sw: "Zinalingana." },
	"close.missing": {
		en: "Not on the server yet:",
		sw: "Bado hazijafika kwenye seva:",
	},
} satisfies Words;
