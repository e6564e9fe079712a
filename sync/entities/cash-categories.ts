/* Without zod, because pages import it. */

/** Why cash was put into a drawer, or taken out of it, without a sale. */
export const cashCategories = [
	"expense",
	"supplier",
	"drawings",
	"deposit",
	"change",
	"other",
] as const;
export type CashCategory = (typeof cashCategories)[number];
