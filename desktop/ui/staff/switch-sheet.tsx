import { useState } from "react";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { Sheet } from "../components/sheet.tsx";
import { useShop } from "../session.tsx";
import { useWords } from "../words/index.ts";
import { Avatar } from "./avatar.tsx";
import { PinPad } from "./pin-pad.tsx";
import { useStaff } from "./use-staff.ts";
import "./staff.css";

const hueCount = 10;

/** Switches the cashier: a tap on a person and four digits. The sale stays as it is. */
export function SwitchSheet({ onClose }: { onClose(): void }) {
	const { say } = useWords();
	const { session, cashier, sellAs } = useShop();
	const staff = useStaff();
	const now = cashier?.id ?? session.user.id;
	const [chosen, choose] = useState<Cashier>();
	const hasOwnPin = staff.some(({ id }) => id === session.user.id);
	const first = staff.find(({ id }) => id !== now);

	function switchTo(person: Cashier): void {
		sellAs(person);
		onClose();
	}

	function lineOf({ id, role }: Cashier): string {
		const title = say(`settings.role.${role}`);
		return id === now ? say("staff.sellsNow", { role: title }) : title;
	}

	return (
		<Sheet place="goods" title={say("staff.who")} onClose={onClose}>
			<p className="muted">{say("staff.lead")}</p>
			<div className="switch">
				<div className="switch-people">
					{staff.map((person, i) => (
						<button
							key={person.id}
							type="button"
							className="btn person"
							aria-pressed={person.id === chosen?.id}
							data-autofocus={person === first ? true : undefined}
							// The PIN keeps the focus.
							onMouseDown={(event) => event.preventDefault()}
							onClick={() => (person.id === now ? onClose() : choose(person))}
						>
							<Avatar name={person.name} hue={(i % hueCount) + 1} />
							<span className="person-name">
								<b>{person.name}</b>
								<span className="muted text-s">{lineOf(person)}</span>
							</span>
						</button>
					))}
					{!hasOwnPin && cashier && (
						<p className="muted text-s">
							{say("staff.noPin", { name: session.user.name })}
						</p>
					)}
				</div>
				{chosen && (
					<PinPad key={chosen.id} person={chosen} onRight={switchTo} />
				)}
			</div>
		</Sheet>
	);
}
