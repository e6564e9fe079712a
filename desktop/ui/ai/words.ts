import type { Words } from "../words/index.ts";

export const aiWords = {
	"ai.lead": {
		en: "Any program that works with OpenAI can use this shop's models at {{address}} with a key from this page.",
		sw: "Programu yoyote inayotumia OpenAI inaweza kutumia modeli za duka hili kupitia {{address}} kwa ufunguo wa ukurasa huu.",
	},
	"ai.spend": { en: "This month", sw: "Mwezi huu" },
	"ai.cost": { en: "Cost", sw: "Gharama" },
	"ai.calls": { en: "Calls", sw: "Maombi" },
	"ai.saved": {
		en: "Saved by reusing answers",
		sw: "Kilichookolewa kwa kutumia majibu tena",
	},
	"ai.tokens": { en: "Tokens", sw: "Tokeni" },
	"ai.model": { en: "Model", sw: "Modeli" },
	"ai.keys": {
		en: "Keys for other programs",
		sw: "Funguo za programu nyingine",
	},
	"ai.noKeys": {
		en: "No program has a key yet.",
		sw: "Bado hakuna programu yenye ufunguo.",
	},
	"ai.keyName": { en: "What it is for", sw: "Ni wa nini" },
	"ai.budget": {
		en: "USD a month (empty: no limit)",
		sw: "USD kwa mwezi (tupu: bila kikomo)",
	},
	"ai.rate": {
		en: "Requests a minute (empty: no limit)",
		sw: "Maombi kwa dakika (tupu: bila kikomo)",
	},
	"ai.makeKey": { en: "Create a key", sw: "Tengeneza ufunguo" },
	"ai.keyMade": {
		en: "Copy this key now. It won't be shown again.",
		sw: "Nakili ufunguo huu sasa. Hautaonyeshwa tena.",
	},
	"ai.copy": { en: "Copy", sw: "Nakili" },
	"ai.copied": { en: "Copied", sw: "Imenakiliwa" },
	"ai.revoke": { en: "Revoke", sw: "Batilisha" },
	"ai.revokeSure": {
		en: "Programs that use this key stop working. This can't be undone.",
		sw: "Programu zinazotumia ufunguo huu zitaacha kufanya kazi. Haiwezi kutenduliwa.",
	},
	"ai.revoked": { en: "Revoked", sw: "Umebatilishwa" },
	"ai.spent": { en: "{{amount}} this month", sw: "{{amount}} mwezi huu" },
	"ai.spentOf": {
		en: "{{amount}} of {{budget}} this month",
		sw: "{{amount}} kati ya {{budget}} mwezi huu",
	},
	"ai.neverUsed": { en: "Never used", sw: "Haujatumika" },
	"ai.limits": { en: "AI in the app", sw: "AI ndani ya programu" },
	"ai.notAllowed": {
		en: "AI is off for this shop. Ask the person who runs this server to turn it on.",
		sw: "AI imezimwa kwa duka hili. Mwombe anayeendesha seva hii aiwashe.",
	},
	"ai.ceiling": {
		en: "{{amount}} of {{budget}} across all keys",
		sw: "{{amount}} kati ya {{budget}} pamoja na funguo zote",
	},
	"ai.appBudget": { en: "USD a month", sw: "USD kwa mwezi" },
	"ai.memberRate": {
		en: "Requests a minute, each person",
		sw: "Maombi kwa dakika, kila mtu",
	},
	"ai.whoMay": { en: "Who may use it", sw: "Nani anaweza kuitumia" },
	"ai.whoMay.OWNER": { en: "Owners only", sw: "Wamiliki tu" },
	"ai.whoMay.MANAGER": {
		en: "Owners and managers",
		sw: "Wamiliki na mameneja",
	},
	"ai.whoMay.CASHIER": { en: "Everyone", sw: "Kila mtu" },
	"ai.keepsResponses": {
		en: "Keep responses when the server restarts",
		sw: "Hifadhi majibu seva inapoanzishwa upya",
	},
	"ai.keepsResponsesNote": {
		en: "Programs go on with a conversation by naming its last response. What they asked is kept on the server for a day.",
		sw: "Programu huendelea na mazungumzo kwa kutaja jibu la mwisho. Zilichouliza huhifadhiwa kwenye seva kwa siku moja.",
	},
	"ai.rateIs": {
		en: "{{rate}} requests a minute",
		sw: "maombi {{rate}} kwa dakika",
	},
	"ai.limitsEach": { en: "Limits for one person", sw: "Mipaka ya mtu mmoja" },
	"ai.setLimits": { en: "Set limits", sw: "Weka mipaka" },
	"ai.rateOrAll": {
		en: "Requests a minute (empty: like everyone)",
		sw: "Maombi kwa dakika (tupu: kama wengine)",
	},
	"ai.who": { en: "Who asked", sw: "Aliyeuliza" },
	"ai.whoAll": { en: "Everyone and all keys", sw: "Watu wote na funguo zote" },
	"ai.noCalls": {
		en: "Nobody has asked anything this month.",
		sw: "Hakuna aliyeuliza chochote mwezi huu.",
	},
	"ai.tokensOf": {
		en: "{{prompt}} + {{answer}} tokens",
		sw: "tokeni {{prompt}} + {{answer}}",
	},
	"ai.seconds": { en: "{{seconds}} s", sw: "sek. {{seconds}}" },
	"ai.reused": { en: "Answer reused", sw: "Jibu limetumika tena" },
	"ai.failed": { en: "Failed", sw: "Limeshindikana" },
	"ai.cancelled": { en: "Stopped", sw: "Limesimamishwa" },
	"ai.interrupted": {
		en: "Cut off with the server",
		sw: "Limekatika pamoja na seva",
	},
	"ai.queue": { en: "Answers for later", sw: "Majibu ya baadaye" },
	"ai.queueLead": {
		en: "Programs can leave requests that are answered once the internet and the budget allow it, and have the answers sent to an address that you allow.",
		sw: "Programu zinaweza kuacha maombi yanayojibiwa intaneti na bajeti zikiruhusu, na majibu kutumwa kwenye anwani unayoiruhusu.",
	},
	"ai.waiting": {
		en: "Waiting now: {{count}}.",
		sw: "Yanayosubiri sasa: {{count}}.",
	},
	"ai.address": { en: "Address (https)", sw: "Anwani (https)" },
	"ai.allow": { en: "Allow address", sw: "Ruhusu anwani" },
	"ai.forbid": {
		en: "No longer allow {{address}}",
		sw: "Usiruhusu tena {{address}}",
	},
	"ai.deliverySecret": {
		en: "The secret that signs them:",
		sw: "Siri inayoyatia sahihi:",
	},
	"ai.playground": { en: "Ask a question", sw: "Uliza swali" },
	"ai.example": {
		en: "How do I word a sign that we close early today?",
		sw: "Niandikeje tangazo kwamba leo tunafunga mapema?",
	},
	"ai.chooseModel": { en: "Choose a model", sw: "Chagua modeli" },
	"ai.auto": { en: "The best for the question", sw: "Inayofaa swali" },
	"ai.prompt": { en: "Question", sw: "Swali" },
	"ai.ask": { en: "Ask", sw: "Uliza" },
	"ai.stop": { en: "Stop", sw: "Simamisha" },
} satisfies Words;
