import { useState } from "react";
import type { Cashier, WrongPin } from "../../../sync/protocol/till-api.ts";
import { useWords } from "../words/index.ts";
import { Avatar } from "./avatar.tsx";
import { PinPad } from "./pin-pad.tsx";
import "./staff.css";

const hueCount = 10;

/** Asks one of some people for their PIN: a tap on a name, and its digits beside it. */
export function AskPin<Right extends { outcome: "right" }>({
	people,
	asked,
	first = people[0],
	now,
	note,
	check,
	onNow,
	onRight,
}: {
	people: readonly Cashier[];
	/** Who is asked before anybody was tapped. */
	asked?: Cashier | undefined;
	/** Whose button has the focus until then. */
	first?: Cashier | undefined;
	/** The id of the one who sells now, if it says so; a tap on that one asks for nothing. */
	now?: string;
	/** Below the people. */
	note?: string | undefined;
	check(personId: string, pin: string): Promise<WrongPin | Right>;
	onNow?(): void;
	onRight(right: Right): void;
}) {
	const { say } = useWords();
	const [picked, pick] = useState<Cashier>();
	const chosen = picked ?? asked;

	function lineOf({ id, role }: Cashier): string {
		const title = say(`settings.role.${role}`);
		return id === now ? say("staff.sellsNow", { role: title }) : title;
	}

	return (
		<div className="switch">
			<div className="switch-people">
				{people.map((person, i) => (
					<button
						key={person.id}
						type="button"
						className="btn person"
						aria-pressed={person.id === chosen?.id}
						data-autofocus={!chosen && person === first ? true : undefined}
						// The PIN keeps the focus.
						onMouseDown={(event) => event.preventDefault()}
						onClick={() => (person.id === now ? onNow?.() : pick(person))}
					>
						<Avatar name={person.name} hue={(i % hueCount) + 1} />
						<span className="person-name">
							<b>{person.name}</b>
							<span className="muted text-s">{lineOf(person)}</span>
						</span>
					</button>
				))}
				{note && <p className="muted text-s">{note}</p>}
			</div>
			{chosen && (
				<PinPad
					key={chosen.id}
					person={chosen}
					check={(pin) => check(chosen.id, pin)}
					onRight={onRight}
				/>
			)}
		</div>
	);
}
