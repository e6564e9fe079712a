import { createContext, type ReactNode, useContext } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { useAnswer } from "./use-shop-data.ts";

/** Null without a provider. */
const Context = createContext<Business | undefined | null>(null);

/** Asks for the shop's settings once for the whole page: every amount on it needs them. */
export function BusinessProvider({ children }: { children: ReactNode }) {
	const { data } = useAnswer("business.get", {});
	return <Context value={data}>{children}</Context>;
}

/** The shop's settings; undefined until they are loaded. */
export function useBusiness(): Business | undefined {
	const business = useContext(Context);
	if (business === null)
		throw new Error("useBusiness needs a BusinessProvider");
	return business;
}
