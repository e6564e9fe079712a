import type { ReceiptWords } from "./index.ts";

export const en: ReceiptWords = {
	name: "English",
	locale: "en-GB",
	receipt: "Receipt",
	copy: "COPY",
	statuses: {
		voided: "VOIDED",
		refunded: "REFUNDED",
		"partly refunded": "PARTLY REFUNDED",
	},
	was: (price) => `was ${price}`,
	saving: (amount) => `You save ${amount}`,
	takenBack: (quantity) => `Taken back: ${quantity}`,
	total: "Total",
	savings: "You saved",
	rounding: "Rounding",
	toPay: "To pay",
	owes: (name) => `${name} owes`,
	hasLeft: (name) => `Credit left, ${name}`,
	methods: {
		CASH: "Cash",
		MPESA: "M-PESA",
		CARD: "Card",
		AIRTEL: "Airtel Money",
		BANK: "Bank",
		CREDIT: "On credit",
	},
	change: "Change",
	short: "Short by",
	refund: (reason) => `Refund: ${reason}`,
	void: (reason) => `Void: ${reason}`,
	afterRefunds: "After refunds",
	servedBy: (name) => `Served by ${name}`,
	keep: "Scan to keep this receipt",
	lostLetters:
		"This file can't show some letters; the receipt's page and the till show them.",
	missing:
		"This receipt isn't here yet. Try again when the shop is back online.",
};
