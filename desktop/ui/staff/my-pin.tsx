import { Panel } from "../components/panel.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { PinForm } from "./pin-form.tsx";

/** The signed-in member's own PIN. */
export function MyPin() {
	const { say } = useWords();
	const { session } = useShop();
	return (
		<Panel title={say("staff.myPin")}>
			<p className="muted">{say("staff.myPinLead")}</p>
			<PinForm userId={session.user.id} role={session.role} />
		</Panel>
	);
}
