import type { AccountCode } from "../entities/account-code.ts";
import type { CashCategory } from "../entities/cash-categories.ts";

/** An account of the journal. Its own code never changes, because books have been mapped to it. */
export interface Account {
	code: AccountCode;
	name: string;
}

/** What a journal posts to, by code. */
export const accounts = {
	cash: { code: "1000", name: "Cash in drawers" },
	safe: { code: "1010", name: "Cash outside drawers" },
	bank: { code: "1020", name: "Bank" },
	card: { code: "1030", name: "Card receipts" },
	mpesa: { code: "1040", name: "M-PESA" },
	customers: { code: "1100", name: "Customers" },
	unpaid: { code: "1110", name: "Sales not paid in full" },
	stock: { code: "1200", name: "Stock" },
	payables: { code: "2000", name: "Suppliers" },
	tax: { code: "2100", name: "Output tax" },
	vouchers: { code: "2200", name: "Vouchers" },
	drawings: { code: "3000", name: "Owner's drawings" },
	sales: { code: "4000", name: "Sales" },
	refunds: { code: "4010", name: "Refunds" },
	costOfGoods: { code: "5000", name: "Cost of goods sold" },
	expenses: { code: "6000", name: "Expenses" },
	suppliers: { code: "6010", name: "Paid to suppliers" },
	otherCash: { code: "6090", name: "Other cash in and out" },
	rounding: { code: "6910", name: "Rounding" },
	difference: { code: "6920", name: "Cash over and short" },
	corrections: { code: "6930", name: "Corrections of customers' accounts" },
} satisfies Record<string, Account>;

const byMethod: Record<string, Account> = {
	CASH: accounts.cash,
	CARD: accounts.card,
	MPESA: accounts.mpesa,
	VOUCHER: accounts.vouchers,
	CREDIT: accounts.customers,
};

/**
 * Returns where money goes that moves by a method.
 *
 * @param isNamed false for credit to nobody, which the business API takes like any other method
 */
export function accountOfMethod(method: string, isNamed = true): Account {
	if (method === "CREDIT" && !isNamed) return accounts.unpaid;
	return (
		byMethod[method] ?? { code: "1090", name: `Other receipts: ${method}` }
	);
}

/** Where cash goes that leaves a drawer without a sale, or comes from. */
export const accountOfCategory: Record<CashCategory, Account> = {
	expense: accounts.expenses,
	supplier: accounts.suppliers,
	drawings: accounts.drawings,
	deposit: accounts.bank,
	change: accounts.safe,
	other: accounts.otherCash,
};
