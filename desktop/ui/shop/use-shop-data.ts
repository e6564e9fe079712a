import {
	keepPreviousData,
	useInfiniteQuery,
	useQuery,
} from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { useShop } from "../session.tsx";
import { type PageStanding, shopKey } from "./client.ts";

/** A query's answer, as it changes; the one before stays in sight until another comes. */
export function useAnswer<Answer>(
	query: string,
	args: object,
	{ enabled = true }: { enabled?: boolean } = {},
) {
	const { shop } = useShop();
	return useQuery({
		queryKey: [shopKey, query, args],
		queryFn: () => shop.ask<Answer>(query, args),
		placeholderData: keepPreviousData,
		// What is on this device is asked again when it changes, and not before.
		networkMode: "always",
		staleTime: Number.POSITIVE_INFINITY,
		enabled,
	});
}

/** A list's rows, page by page. */
export function useRows<Row>(query: string, args: object, limit = 50) {
	const { shop } = useShop();
	const pages = useInfiniteQuery({
		queryKey: [shopKey, query, args, limit],
		queryFn: ({ pageParam }) =>
			shop.ask<{ rows: Row[]; next: string | null }>(query, {
				...args,
				limit,
				...(pageParam !== "" && { after: pageParam }),
			}),
		initialPageParam: "",
		getNextPageParam: (last) => last.next ?? undefined,
		placeholderData: keepPreviousData,
		networkMode: "always",
		staleTime: Number.POSITIVE_INFINITY,
	});
	return {
		...pages,
		rows: pages.data?.pages.flatMap(({ rows }) => rows) ?? [],
	};
}

/** The shop's own settings; undefined until they are known here. */
export function useBusiness(): Business | undefined {
	return useAnswer<Business>("business.get", {}).data;
}

export function useStanding(): PageStanding {
	const { shop } = useShop();
	return useSyncExternalStore(shop.onStanding, shop.standing);
}
