import type { ReactNode } from "react";
import { useShop } from "../session.tsx";
import { useBusiness } from "../shop/business.tsx";
import { useWords } from "../words/index.ts";
import { AskPin } from "./ask-pin.tsx";
import { useIdleLock } from "./use-idle-lock.ts";
import { useStaff } from "./use-staff.ts";

/**
 * Shows the page until it has not been touched for a while, and then asks for a PIN. A person without one is not locked out, as
 * they could not come back without the server.
 */
export function IdleLock({ children }: { children: ReactNode }) {
	const { shop, session, cashier } = useShop();
	const minutes = useBusiness()?.lockMinutes ?? undefined;
	const now = cashier?.id ?? session.user.id;
	const hasPin = useStaff().some(({ id }) => id === now);
	const [isLocked, unlock] = useIdleLock(
		shop.businessId,
		hasPin ? minutes : undefined,
	);
	return isLocked ? <Locked now={now} onUnlock={unlock} /> : children;
}

/** In place of the page, which takes no key, scan or look meanwhile. */
function Locked({ now, onUnlock }: { now: string; onUnlock(): void }) {
	const { say } = useWords();
	const { shop, sellAs } = useShop();
	const staff = useStaff();
	return (
		<main className="locked leaf">
			<h1>{say("staff.locked")}</h1>
			<p className="muted">{say("staff.lockedLead")}</p>
			<AskPin
				people={staff}
				asked={staff.find(({ id }) => id === now)}
				check={shop.checkPin}
				onRight={(right) => {
					sellAs(right.cashier);
					onUnlock();
				}}
			/>
		</main>
	);
}
