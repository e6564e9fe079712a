import type { ReceiptWords } from "./index.ts";

export const sw: ReceiptWords = {
	name: "Kiswahili",
	locale: "sw",
	receipt: "Risiti",
	copy: "NAKALA",
	statuses: {
		voided: "IMEBATILISHWA",
		refunded: "IMERUDISHWA",
		"partly refunded": "IMERUDISHWA KIASI",
	},
	was: (price) => `ilikuwa ${price}`,
	saving: (amount) => `Umeokoa ${amount}`,
	takenBack: (quantity) => `Zimerudishwa: ${quantity}`,
	total: "Jumla",
	savings: "Umeokoa jumla",
	rounding: "Kukadiria",
	toPay: "Ya kulipa",
	owes: (name) => `Deni la ${name}`,
	methods: {
		CASH: "Taslimu",
		MPESA: "M-PESA",
		CARD: "Kadi",
		AIRTEL: "Airtel Money",
		BANK: "Benki",
		CREDIT: "Kwa mkopo",
	},
	change: "Chenji",
	short: "Imepungua",
	refund: (reason) => `Marejesho: ${reason}`,
	void: (reason) => `Imebatilishwa: ${reason}`,
	afterRefunds: "Baada ya marejesho",
	servedBy: (name) => `Umehudumiwa na ${name}`,
	keep: "Skani uhifadhi risiti hii",
	lostLetters:
		"Faili hii haiwezi kuonyesha baadhi ya herufi; ukurasa wa risiti na kaunta zinazionyesha.",
	missing: "Risiti hii bado haipo hapa. Jaribu tena duka likirudi mtandaoni.",
};
