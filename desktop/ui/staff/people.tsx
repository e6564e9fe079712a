import type { ReactNode } from "react";
import type { Cashier } from "../../../sync/protocol/till-api.ts";
import { Avatar } from "./avatar.tsx";
import "./staff.css";

const hueCount = 10;

/** People to choose from, each a button, beside the keys of the chosen one's PIN. */
export function People({
	people,
	chosen,
	first,
	lineOf,
	onChoose,
	note,
	children,
}: {
	people: readonly Cashier[];
	chosen: Cashier | undefined;
	/** Whose button has the focus. */
	first: Cashier | undefined;
	/** What stands below a name. */
	lineOf(person: Cashier): string;
	onChoose(person: Cashier): void;
	/** Below the people. */
	note?: string | undefined;
	children: ReactNode;
}) {
	return (
		<div className="switch">
			<div className="switch-people">
				{people.map((person, i) => (
					<button
						key={person.id}
						type="button"
						className="btn person"
						aria-pressed={person.id === chosen?.id}
						data-autofocus={person === first ? true : undefined}
						// The PIN keeps the focus.
						onMouseDown={(event) => event.preventDefault()}
						onClick={() => onChoose(person)}
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
			{children}
		</div>
	);
}
