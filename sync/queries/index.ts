import type * as z from "zod";
import { businessCounts, businessGet, businessToday } from "./business.ts";
import { categoryGet, categoryList } from "./category.ts";
import { countDifference, countGet, countList } from "./count.ts";
import {
	customerByPhone,
	customerGet,
	customerList,
	customerPayments,
	customerTotals,
} from "./customer.ts";
import { customerData } from "./customer-data.ts";
import { dashboardGet } from "./dashboard.ts";
import { deliveryGet, deliveryList } from "./delivery.ts";
import { deviceList } from "./device.ts";
import { inboxItemList } from "./inbox.ts";
import {
	inboxCount,
	inboxDismissed,
	inboxGroups,
	inboxItems,
} from "./inbox-groups.ts";
import { labelGet, labelList } from "./label.ts";
import { countLast } from "./last-counted.ts";
import { layawayGet, layawayList, layawaySlip } from "./layaway.ts";
import { layawayKept } from "./layaway-kept.ts";
import {
	mutationAbout,
	mutationApproved,
	mutationGet,
	mutationList,
} from "./mutation.ts";
import { packGet, packList } from "./pack.ts";
import { paymentCodeUsed } from "./payment.ts";
import { paymentList } from "./payment-list.ts";
import { productCounts, productGet, productList } from "./product.ts";
import { codeGet, codeList } from "./product-code.ts";
import { productCosts } from "./product-costs.ts";
import {
	productBestSellers,
	productByCode,
	productFind,
	productSome,
} from "./product-search.ts";
import type { Query } from "./query.ts";
import { receiptGet } from "./receipt.ts";
import { refundGet } from "./refund.ts";
import { reportCategories, reportProducts } from "./report-goods.ts";
import { reportLetter } from "./report-letter.ts";
import { reportMoney } from "./report-money.ts";
import { reportPeriod } from "./report-period.ts";
import { reportTax } from "./report-tax.ts";
import { reviewGet } from "./review.ts";
import { saleByReceipt, saleCount, saleGet, saleList } from "./sale.ts";
import {
	saleDays,
	saleHistory,
	saleLines,
	saleTotals,
} from "./sale-history.ts";
import { shiftCurrent, shiftGet, shiftList, shiftSums } from "./shift.ts";
import { shiftDay } from "./shift-day.ts";
import { customerStatement } from "./statement.ts";
import { statementMatch, statementTotals } from "./statement-match.ts";
import {
	productMovements,
	stockMovementGet,
	stockMovementList,
} from "./stock.ts";
import { supplierEntries, supplierGet, supplierList } from "./supplier.ts";
import { taxGet, taxList } from "./tax.ts";

const all = [
	businessGet,
	businessToday,
	businessCounts,
	categoryList,
	categoryGet,
	packList,
	packGet,
	productList,
	productCounts,
	productGet,
	productFind,
	productByCode,
	productSome,
	productBestSellers,
	codeList,
	codeGet,
	labelList,
	labelGet,
	productMovements,
	stockMovementGet,
	stockMovementList,
	saleList,
	saleCount,
	saleGet,
	saleByReceipt,
	saleHistory,
	saleLines,
	saleTotals,
	saleDays,
	refundGet,
	receiptGet,
	inboxItemList,
	inboxGroups,
	inboxDismissed,
	inboxItems,
	inboxCount,
	dashboardGet,
	reportPeriod,
	reportProducts,
	reportCategories,
	reportLetter,
	reportMoney,
	reportTax,
	reviewGet,
	mutationList,
	mutationGet,
	mutationAbout,
	mutationApproved,
	deviceList,
	customerList,
	customerGet,
	customerPayments,
	customerTotals,
	customerByPhone,
	customerData,
	customerStatement,
	paymentCodeUsed,
	shiftList,
	shiftCurrent,
	shiftGet,
	shiftSums,
	shiftDay,
	paymentList,
	statementTotals,
	statementMatch,
	taxList,
	taxGet,
	layawayList,
	layawayGet,
	layawayKept,
	layawaySlip,
	countList,
	countGet,
	countDifference,
	countLast,
	supplierList,
	supplierGet,
	supplierEntries,
	deliveryList,
	deliveryGet,
	productCosts,
] as const;

/** All queries of a shop. */
export const queries: readonly Query[] = all;

/** The arguments and the answer of each query, by its name. */
export type Queries = {
	[One in (typeof all)[number] as One["name"]]: {
		args: z.input<One["args"]>;
		answer: z.input<One["answer"]>;
	};
};

export const queriesByName = new Map(
	queries.map((query) => [query.name, query]),
);
