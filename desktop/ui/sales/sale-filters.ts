import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";

/** The filters that the page's address holds, so that other pages can link to them. */
export const filterNames = ["from", "to", "method", "product"] as const;
export type FilterName = (typeof filterNames)[number];
export type SaleFilters = Partial<Record<FilterName, string>>;

const dayPattern = /^\d{4}-\d\d-\d\d$/;

/** The filters of the address, and a function that changes some of them; an empty one is taken away. */
export function useSaleFilters(): [
	SaleFilters,
	(changes: SaleFilters) => void,
] {
	const search = useSearch();
	const [path, navigate] = useLocation();
	const filters = useMemo(() => {
		const asked = new URLSearchParams(search);
		return Object.fromEntries(
			filterNames
				.map((name) => [name, asked.get(name) ?? ""])
				.filter(([name, value]) =>
					isUsable(name as FilterName, value as string),
				),
		) as SaleFilters;
	}, [search]);
	return [
		filters,
		(changes) => {
			const next = Object.entries({ ...filters, ...changes }).filter(
				([, value]) => value !== "",
			);
			const query = new URLSearchParams(next as [string, string][]).toString();
			navigate(query ? `${path}?${query}` : path, { replace: true });
		},
	];
}

function isUsable(name: FilterName, value: string): boolean {
	return name === "from" || name === "to"
		? dayPattern.test(value)
		: value !== "";
}
