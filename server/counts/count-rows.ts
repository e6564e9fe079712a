import type { CountDifferences } from "../../sync/queries/count.ts";

export const countColumns = [
	...["countId", "count", "openedLocal", "openedBy", "closedLocal", "closedBy"],
	...["name", "sku", "counted", "expected", "difference", "value", "late"],
	...["isCorrected", "productId"],
];

/** A count's lines as rows of an exported table. */
export const toCountRows = (
	{ count, lines }: CountDifferences,
	localTime: (at: string) => string,
) =>
	lines.map(({ lookId: _, ...line }) => ({
		...{ countId: count.id, count: count.name, openedBy: count.openedBy },
		openedLocal: localTime(count.openedAt),
		closedLocal: count.closedAt && localTime(count.closedAt),
		closedBy: count.closedBy,
		...line,
	}));
