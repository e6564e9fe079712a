import { type ReactNode, useId } from "react";
import { TextField } from "../components/field.tsx";
import { useWords } from "../words/index.ts";
import { knownUnits, useUnitName } from "./units.ts";

/** What the stock is counted in: a known unit, or the shop's own word. */
export function UnitField(props: {
	value: string;
	onChange(unit: string): void;
	error?: ReactNode;
}) {
	const { say } = useWords();
	const unitName = useUnitName();
	const listId = useId();
	return (
		<>
			<TextField
				{...props}
				label={say("products.unit")}
				placeholder={say("units.piece")}
				maxLength={20}
				list={listId}
			/>
			<datalist id={listId}>
				{knownUnits.map((unit) => (
					<option key={unit} value={unit}>
						{unitName(unit)}
					</option>
				))}
			</datalist>
		</>
	);
}
