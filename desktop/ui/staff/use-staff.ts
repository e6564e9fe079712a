import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { useShop } from "../session.tsx";
import { useStatus } from "../shop/use-shop-data.ts";

const listKey = "staff";
/** How old the list may be before the server is asked again, when the window is looked at or online again. */
const freshMs = 180_000;
const nobody: readonly Cashier[] = [];

/** The members who have a PIN, as this till knows them; the server is asked now and then. */
export function useStaff(): readonly Cashier[] {
	const { shop } = useShop();
	const isOnline = useStatus("isOnline");
	const isFilled = useStatus("isFilled");
	const refresh = useRefreshStaff();
	useQuery({
		enabled: isOnline === true && isFilled,
		queryKey: ["refresh staff", shop.businessId],
		async queryFn() {
			await refresh();
			return null;
		},
		networkMode: "always",
		staleTime: freshMs,
	});
	const { data } = useQuery({
		queryKey: [listKey, shop.businessId],
		queryFn: () => shop.staff(),
		networkMode: "always",
	});
	return data ?? nobody;
}

/** @returns a function that asks the server who has a PIN, and shows it */
export function useRefreshStaff(): () => Promise<void> {
	const { shop } = useShop();
	const queries = useQueryClient();
	return useCallback(async () => {
		await shop.refreshStaff();
		await queries.invalidateQueries({ queryKey: [listKey] });
	}, [shop, queries]);
}

/** The member who sells in this window now, and whether the switch is of use: where nobody has a PIN, it isn't. */
export function useSwitch(): {
	now: Pick<Cashier, "id" | "name">;
	canSwitch: boolean;
} {
	const { session, cashier } = useShop();
	const { id, name } = cashier ?? session.user;
	const staff = useStaff();
	return {
		now: { id, name },
		canSwitch: cashier !== undefined || staff.some((one) => one.id !== id),
	};
}
