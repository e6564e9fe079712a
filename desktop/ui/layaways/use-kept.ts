import { useMemo } from "react";
import { useAnswer } from "../shop/use-shop-data.ts";

/** How many of each product are kept for customers, by its id: they are in stock, and not for sale. */
export function useKept(): ReadonlyMap<string, number> {
	const { data } = useAnswer("layaway.kept", {});
	return useMemo(
		() => new Map(data?.rows.map((row) => [row.productId, row.quantity])),
		[data],
	);
}
