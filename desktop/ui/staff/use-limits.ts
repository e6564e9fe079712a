import type * as z from "zod";
import type { roleLimits } from "../../../sync/entities/role-limits.ts";
import { useMayManage, useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";

/** How far the person may go who sells in this window; undefined without limits. */
function useLimits(): z.input<typeof roleLimits> | undefined {
	const { role } = useShop().session;
	return useBusiness()?.limits?.find((one) => one.role === role);
}

/** Whether this person changes prices: a cashier does where the owner has said how far. */
export function useMayPrice(): boolean {
	const mayManage = useMayManage();
	const limits = useLimits();
	return mayManage || limits?.discountMax !== undefined;
}

/** Whether this person may see costs and profit. */
export function useSeesProfit(): boolean {
	const mayManage = useMayManage();
	const limits = useLimits();
	return mayManage || limits?.seesProfit !== false;
}
