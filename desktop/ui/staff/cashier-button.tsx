import { useWords } from "../words/index.ts";
import { Avatar } from "./avatar.tsx";
import { useSwitch } from "./use-staff.ts";
import "./staff.css";

/** Who sells now, in the till's head; opens the switch. A shop whose members have no PINs shows none. */
export function CashierButton({ onSwitch }: { onSwitch(): void }) {
	const { say } = useWords();
	const { now, canSwitch } = useSwitch();
	if (!canSwitch) return null;
	const label = say("staff.sells", { name: now.name });
	return (
		<button
			type="button"
			className="btn btn-default cashier"
			aria-label={label}
			title={label}
			onClick={onSwitch}
		>
			<Avatar name={now.name} />
			<span className="cashier-name">{now.name}</span>
		</button>
	);
}
