import { Sheet } from "../components/sheet.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { AskPin } from "./ask-pin.tsx";
import { useStaff } from "./use-staff.ts";

/** Switches the cashier: a tap on a person and their digits. The sale stays as it is. */
export function SwitchSheet({ onClose }: { onClose(): void }) {
	const { say } = useWords();
	const { shop, session, cashier, sellAs } = useShop();
	const staff = useStaff();
	const now = cashier?.id ?? session.user.id;
	const hasOwnPin = staff.some(({ id }) => id === session.user.id);
	return (
		<Sheet place="goods" title={say("staff.who")} onClose={onClose}>
			<p className="muted">{say("staff.lead")}</p>
			<AskPin
				people={staff}
				first={staff.find(({ id }) => id !== now)}
				now={now}
				note={
					!hasOwnPin && cashier
						? say("staff.noPin", { name: session.user.name })
						: undefined
				}
				check={shop.checkPin}
				onNow={onClose}
				onRight={(right) => {
					sellAs(right.cashier);
					onClose();
				}}
			/>
		</Sheet>
	);
}
