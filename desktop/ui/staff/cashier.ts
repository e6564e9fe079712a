import { useState } from "react";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { sessionValues } from "../stored-values.ts";

/** A window's cashier, and the member whose session they were switched to in. */
interface Switched {
	signedIn: string;
	cashier: Cashier;
}

const keyOf = (businessId: string | null) =>
	`counterfoil-cashier-${businessId}`;

/** The member to whom a PIN has switched this window, until somebody signs out or another member signs in. */
export function useCashier({
	id: userId,
	businessId,
}: {
	id: string;
	businessId: string | null;
}): [Cashier | undefined, (cashier: Cashier | undefined) => void] {
	const key = keyOf(businessId);
	const [switched, setSwitched] = useState<Switched | undefined>(() => {
		const text = sessionValues.read(key);
		return text === null ? undefined : JSON.parse(text);
	});
	const cashier = switched?.signedIn === userId ? switched.cashier : undefined;

	function sellAs(next: Cashier | undefined): void {
		const isOther = next !== undefined && next.id !== userId;
		const changed = isOther ? { signedIn: userId, cashier: next } : undefined;
		if (changed) sessionValues.write(key, JSON.stringify(changed));
		else sessionValues.remove(key);
		setSwitched(changed);
	}

	return [cashier, sellAs];
}

export function forgetCashier(businessId: string | null): void {
	sessionValues.remove(keyOf(businessId));
}
