import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { useShop } from "../session.tsx";
import { AskPin } from "../staff/ask-pin.tsx";
import { useStaff } from "../staff/use-staff.ts";
import { useWords } from "../words/index.ts";

/** Asks who takes over the drawer: their PIN confirms it. */
export function HandOver({ onRight }: { onRight(next: Cashier): void }) {
	const { say } = useWords();
	const { shop, session, cashier } = useShop();
	const now = cashier?.id ?? session.user.id;
	return (
		<>
			<p className="muted">{say("shifts.handOverTo")}</p>
			<AskPin
				people={useStaff().filter(({ id }) => id !== now)}
				check={shop.checkPin}
				onRight={(right) => onRight(right.cashier)}
			/>
		</>
	);
}
