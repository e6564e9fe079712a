import type { Receipt } from "../../queries/receipt.ts";

export const testLink =
	"https://shop.example/r/AZobLD1Of2CKGyw9Tl9gcQGaGyw9T3qqu7vMzMzMzMw";

const line = (
	name: string,
	quantity: number,
	price: number,
	more: Partial<Receipt["lines"][number]> = {},
): Receipt["lines"][number] => ({
	...{ name, quantity, price, total: quantity * price, refunded: 0 },
	...more,
});

const plain: Receipt = {
	id: "sale",
	number: "BCDF-000123",
	business: {
		name: "Duka la Mama Njeri",
		header: "Kenyatta Ave 12, Thika\n0722 000 111",
		footer: "Asante! Karibu tena.",
		currency: "KES",
	},
	cashier: "Njeri",
	createdAt: "2026-11-22T15:42:00.000Z",
	localTime: "2026-11-22 18:42",
	businessDay: "2026-11-22",
	lines: [
		line("Brookside milk 500 ml", 2, 65),
		line("Jogoo maize flour 2 kg", 1, 195),
	],
	total: 325,
	paymentMethod: "CASH",
	paid: 1_000,
	change: 675,
	notes: null,
	status: "sold",
	refunds: [],
	refundedTotal: 0,
};

/** Receipts of every kind of sale, by what is special about it. */
export const testReceipts: Record<string, Receipt> = {
	plain,
	discounted: {
		...plain,
		lines: [
			line("Brookside milk 500 ml", 2, 60, { listPrice: 65 }),
			line("Sugar 1 kg", 1, 158, { listPrice: 165 }),
			line("Eggs", 2, 42, { packName: "Half tray", packSize: 15 }),
			line("Tomatoes", 0.35, 120, { unit: "kg" }),
			line("Cooking oil", 1, 300, { unit: "l" }),
		],
		discount: 17,
		total: 704,
		paid: 844,
		rounding: 2,
		change: 140,
	},
	refunded: {
		...plain,
		lines: [
			line("Brookside milk 500 ml", 2, 65, { refunded: 1 }),
			line("Sugar", 0.755, 165.5, { total: 124.9525 }),
		],
		total: 254.9525,
		paymentMethod: "MPESA",
		paid: 254.9525,
		change: 0,
		notes: "Delivered to the office\nMPESA UKM4X81Q9Z",
		status: "partly refunded",
		refunds: [
			{
				kind: "refund",
				reason: "Sour",
				total: 65,
				createdAt: "2026-11-22T16:00:00.000Z",
			},
		],
		refundedTotal: 65,
	},
	voided: {
		...plain,
		number: null,
		cashier: null,
		paymentMethod: "BANK_TRANSFER",
		paid: 325,
		change: 0,
		status: "voided",
		refunds: [
			{
				kind: "void",
				reason: "Wrong customer",
				total: 325,
				createdAt: "2026-11-22T16:00:00.000Z",
			},
		],
		refundedTotal: 325,
	},
	short: { ...plain, paid: 300, change: -25 },
	taxed: {
		...plain,
		lines: [
			line("Brookside milk 500 ml", 2, 65, { taxClass: "A" }),
			line("Soap", 1, 195, { taxClass: "B" }),
		],
		taxes: [
			{ taxClass: "A", taxRate: 0, net: 130, tax: 0 },
			{ taxClass: "B", taxRate: 16, net: 168.1, tax: 26.9 },
		],
	},
	"long-names": {
		...plain,
		business: {
			...plain.business,
			name: "Mũthĩga & Daughters General Stores and Hardware",
			header: null,
			footer: "Goods once sold can be brought back within seven days",
		},
		lines: [
			line("Kabras premium white sugar from Western Kenya 1 kg", 1, 165),
			line("Pneumonoultramicroscopicsilicovolcanoconiosis", 12, 1_250_000),
		],
		total: 15_000_165,
		paid: 15_000_165,
		change: 0,
	},
};
