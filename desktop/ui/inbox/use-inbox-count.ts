import { useAnswer } from "../shop/use-shop-data.ts";

/** How many things there are to sort out. */
export function useInboxCount(): number {
	return useAnswer("inbox.count", {}).data?.groups ?? 0;
}
