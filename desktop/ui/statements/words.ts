import type { Words } from "../words/index.ts";

export const statementsWords = {
	"statements.title": { en: "M-PESA statement", sw: "Taarifa ya M-PESA" },
	"statements.lead": {
		en: "What M-PESA says you received, compared with the codes of your sales",
		sw: "Pesa ulizopokea kulingana na M-PESA, zikilinganishwa na namba za mauzo yako",
	},
	"statements.covered": {
		en: "Statements from {{from}} to {{to}}",
		sw: "Taarifa za kuanzia {{from}} hadi {{to}}",
	},
	"statements.none": {
		en: "No statement yet. Import one to see which payments arrived.",
		sw: "Bado hakuna taarifa. Ingiza moja uone malipo yaliyofika.",
	},
	"statements.noneOf": { en: "None", sw: "Hakuna" },
	"statements.which": { en: "Which payments", sw: "Malipo gani" },
	"statements.confirmed": { en: "Confirmed", sw: "Yamethibitishwa" },
	"statements.differs": { en: "Other amount", sw: "Kiasi tofauti" },
	"statements.missing": { en: "Not received", sw: "Hayajapokelewa" },
	"statements.unclaimed": { en: "No sale", sw: "Bila mauzo" },
	"statements.uncovered": { en: "Not checked yet", sw: "Bado kukaguliwa" },
	"statements.confirmed.what": {
		en: "Received with the amount of the sale:",
		sw: "Yamepokelewa kwa kiasi cha mauzo:",
	},
	"statements.differs.what": {
		en: "Received, but not with the amount of the sale:",
		sw: "Yamepokelewa, lakini si kwa kiasi cha mauzo:",
	},
	"statements.missing.what": {
		en: "A sale names the code, but the statement doesn't have it:",
		sw: "Mauzo yana namba hii, lakini taarifa haina:",
	},
	"statements.unclaimed.what": {
		en: "Received, but no sale names the code:",
		sw: "Yamepokelewa, lakini hakuna mauzo yenye namba hii:",
	},
	"statements.uncovered.what": {
		en: "No statement covers the time of these sales yet:",
		sw: "Bado hakuna taarifa ya muda wa mauzo haya:",
	},
	"statements.claimed": { en: "Sale: {{amount}}", sw: "Mauzo: {{amount}}" },
	"statements.perhaps": { en: "Perhaps {{what}}", sw: "Labda {{what}}" },
	"statements.import": { en: "Import", sw: "Ingiza" },
	"statements.importTitle": {
		en: "Import a statement",
		sw: "Ingiza taarifa",
	},
	"statements.how": {
		en: "Choose or drop the CSV or PDF file from the M-PESA portal, or paste the messages from your phone, as many as you like. A PDF needs the network.",
		sw: "Chagua au dondosha faili ya CSV au PDF kutoka tovuti ya M-PESA, au bandika jumbe za simu yako, nyingi upendavyo. PDF inahitaji mtandao.",
	},
	"statements.choose": { en: "Choose a file", sw: "Chagua faili" },
	"statements.paste": { en: "Messages", sw: "Jumbe" },
	"statements.other": {
		en: "This is neither a statement in CSV or PDF nor M-PESA messages.",
		sw: "Hii si taarifa ya CSV au PDF wala jumbe za M-PESA.",
	},
	"statements.password": {
		en: "Password of the PDF",
		sw: "Nenosiri la PDF",
	},
	"statements.openPdf": { en: "Open the PDF", sw: "Fungua PDF" },
	"statements.read_one": {
		en: "{{count}} payment received, {{amount}}",
		sw: "Malipo {{count}} yamepokelewa, {{amount}}",
	},
	"statements.read_other": {
		en: "{{count}} payments received, {{amount}}",
		sw: "Malipo {{count}} yamepokelewa, {{amount}}",
	},
	"statements.passedOver_one": {
		en: "{{count}} other line skipped, such as a charge",
		sw: "Mstari mwingine {{count}} umerukwa, kama vile ada",
	},
	"statements.passedOver_other": {
		en: "{{count}} other lines skipped, such as charges",
		sw: "Mistari mingine {{count}} imerukwa, kama vile ada",
	},
	"statements.refused_one": {
		en: "{{count}} line can't be read:",
		sw: "Mstari {{count}} hauwezi kusomwa:",
	},
	"statements.refused_other": {
		en: "{{count}} lines can't be read:",
		sw: "Mistari {{count}} haiwezi kusomwa:",
	},
	"statements.refusedLine": {
		en: "Line {{line}}: {{reason}}",
		sw: "Mstari {{line}}: {{reason}}",
	},
	"statements.why.quotation_marks": {
		en: "wrong quotation marks",
		sw: "alama za nukuu si sahihi",
	},
	"statements.why.column_count": {
		en: "too many or too few cells",
		sw: "visanduku vingi au vichache mno",
	},
	"statements.why.no_code": {
		en: "no payment code",
		sw: "hakuna namba ya muamala",
	},
	"statements.why.no_time": { en: "no time", sw: "hakuna muda" },
	"statements.why.no_amount": { en: "no amount", sw: "hakuna kiasi" },
	"statements.why.other_amount": {
		en: "its code stands above with another amount",
		sw: "namba yake ipo juu kwa kiasi kingine",
	},

	"refused.statement.import": {
		en: "M-PESA statement",
		sw: "Taarifa ya M-PESA",
	},
} satisfies Words;
