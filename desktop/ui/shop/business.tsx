import { createContext, type ReactNode, useContext } from "react";
import type { Business } from "../../../sync/entities/business.ts";
import { useAnswer } from "./use-shop-data.ts";

const Context = createContext<Business | undefined>(undefined);

/** Asks for the shop's settings once for the whole page: every amount on it needs them. */
export function BusinessProvider({ children }: { children: ReactNode }) {
	const { data } = useAnswer("business.get", {});
	return <Context value={data}>{children}</Context>;
}

/** The shop's settings; undefined until they are loaded, and on an administrator's page, which has no shop. */
export function useBusiness(): Business | undefined {
	return useContext(Context);
}
