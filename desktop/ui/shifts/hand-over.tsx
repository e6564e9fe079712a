import { useState } from "react";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { useShop } from "../session.tsx";
import { People } from "../staff/people.tsx";
import { PinPad } from "../staff/pin-pad.tsx";
import { useStaff } from "../staff/use-staff.ts";
import { useWords } from "../words/index.ts";

/** Asks who takes over the drawer: their PIN confirms it. */
export function HandOver({ onRight }: { onRight(next: Cashier): void }) {
	const { say } = useWords();
	const { shop, session, cashier } = useShop();
	const [chosen, choose] = useState<Cashier>();
	const now = cashier?.id ?? session.user.id;
	const people = useStaff().filter(({ id }) => id !== now);
	return (
		<>
			<p className="muted">{say("shifts.handOverTo")}</p>
			<People
				people={people}
				chosen={chosen}
				first={people[0]}
				lineOf={({ role }) => say(`settings.role.${role}`)}
				onChoose={choose}
			>
				{chosen && (
					<PinPad
						key={chosen.id}
						person={chosen}
						check={(pin) => shop.checkPin(chosen.id, pin)}
						onRight={(right) => onRight(right.cashier)}
					/>
				)}
			</People>
		</>
	);
}
