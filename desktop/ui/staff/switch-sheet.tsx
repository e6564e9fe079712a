import { useState } from "react";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { Sheet } from "../components/sheet.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { People } from "./people.tsx";
import { PinPad } from "./pin-pad.tsx";
import { useStaff } from "./use-staff.ts";

/** Switches the cashier: a tap on a person and four digits. The sale stays as it is. */
export function SwitchSheet({ onClose }: { onClose(): void }) {
	const { say } = useWords();
	const { shop, session, cashier, sellAs } = useShop();
	const staff = useStaff();
	const now = cashier?.id ?? session.user.id;
	const [chosen, choose] = useState<Cashier>();
	const hasOwnPin = staff.some(({ id }) => id === session.user.id);

	function lineOf({ id, role }: Cashier): string {
		const title = say(`settings.role.${role}`);
		return id === now ? say("staff.sellsNow", { role: title }) : title;
	}

	return (
		<Sheet place="goods" title={say("staff.who")} onClose={onClose}>
			<p className="muted">{say("staff.lead")}</p>
			<People
				people={staff}
				chosen={chosen}
				first={staff.find(({ id }) => id !== now)}
				lineOf={lineOf}
				onChoose={(person) => (person.id === now ? onClose() : choose(person))}
				note={
					!hasOwnPin && cashier
						? say("staff.noPin", { name: session.user.name })
						: undefined
				}
			>
				{chosen && (
					<PinPad
						key={chosen.id}
						person={chosen}
						check={(pin) => shop.checkPin(chosen.id, pin)}
						onRight={(right) => {
							sellAs(right.cashier);
							onClose();
						}}
					/>
				)}
			</People>
		</Sheet>
	);
}
