import {
	keepPreviousData,
	useInfiniteQuery,
	useQuery,
} from "@tanstack/react-query";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Category } from "../../../sync/entities/category.ts";
import type { Queries } from "../../../sync/queries/index.ts";
import { useShop } from "../session.tsx";
import { type PageStatus, shopKey } from "./client.ts";
import { fillPage } from "./fill-page.ts";

/**
 * A query's answer, updated as it changes; the previous answer shows until the next arrives.
 *
 * @param options.everyMs also asks again at this interval, for answers that depend on the time
 */
export function useAnswer<Name extends keyof Queries>(
	query: Name,
	args: Queries[Name]["args"],
	{ enabled = true, everyMs = 0 } = {},
) {
	const { shop } = useShop();
	return useQuery({
		queryKey: [shopKey, query, args],
		queryFn: () => shop.ask(query, args),
		placeholderData: keepPreviousData,
		// Data on this device is fetched again only when it changes.
		networkMode: "always",
		staleTime: Number.POSITIVE_INFINITY,
		refetchInterval: everyMs,
		enabled,
	});
}

/** More than most shops have. */
const categoriesPage = 500;

interface Page<Row = unknown> {
	rows: Row[];
	next: string | null;
}

/** The queries that are answered page by page. */
type Lists = {
	[Name in keyof Queries as Queries[Name]["answer"] extends Page
		? Name
		: never]: Queries[Name];
};
type RowOf<Name extends keyof Lists> = Lists[Name]["answer"]["rows"][number];

/** A list's rows, page by page. */
export function useRows<Name extends keyof Lists>(
	query: Name,
	args: Omit<Lists[Name]["args"], "limit" | "after">,
	{ limit = 50, enabled = true } = {},
) {
	const { shop } = useShop();
	const pages = useInfiniteQuery({
		queryKey: [shopKey, query, args, limit],
		queryFn: ({ pageParam, signal }) =>
			fillPage(
				(slice): Promise<Page<RowOf<Name>>> =>
					shop.ask(query, { ...args, ...slice }),
				pageParam,
				{ limit, signal },
			),
		initialPageParam: null as string | null,
		getNextPageParam: (last) => last.next,
		placeholderData: keepPreviousData,
		networkMode: "always",
		staleTime: Number.POSITIVE_INFINITY,
		enabled,
	});
	const rows = useMemo(
		() => pages.data?.pages.flatMap((page) => page.rows) ?? [],
		[pages.data],
	);
	return { ...pages, rows };
}

/** All categories in their order. */
export function useCategories(): Category[] {
	const { rows, hasNextPage, isFetching, fetchNextPage } = useRows(
		"category.list",
		{},
		{ limit: categoriesPage },
	);
	useEffect(() => {
		if (hasNextPage && !isFetching) void fetchNextPage();
	}, [hasNextPage, isFetching, fetchNextPage]);
	return rows;
}

/** The state of the shop on this device, which changes with each sale: see `useStatus` for a part of it. */
export function usePageStatus(): PageStatus {
	const { shop } = useShop();
	return useSyncExternalStore(shop.onStanding, shop.standing);
}

/** One part of the state; what shows it is drawn again only when that part changes. */
export function useStatus<Key extends keyof PageStatus>(
	key: Key,
): PageStatus[Key] {
	const { shop } = useShop();
	return useSyncExternalStore(shop.onStanding, () => shop.standing()[key]);
}
