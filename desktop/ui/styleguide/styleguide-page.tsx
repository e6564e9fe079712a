import type { ComponentType } from "react";
import { Chips } from "../components/chips.tsx";
import { UndoToast } from "../components/undo.tsx";
import { useAppearance } from "../theme/appearance.ts";
import { Colours } from "./colours.tsx";
import { Buttons, Choices, Fields, Messages, Overlays } from "./controls.tsx";
import { Amounts, Leaves, Sales, Tickets, Type } from "./paper.tsx";
import { SampleShop } from "./sample-shop.tsx";
import "./styleguide.css";

const sections: readonly (readonly [title: string, Section: ComponentType])[] =
	[
		["Colours", Colours],
		["Type", Type],
		["Money", Amounts],
		["Buttons", Buttons],
		["Fields", Fields],
		["Choices", Choices],
		["Messages", Messages],
		["Sheets and the toast", Overlays],
		["Tickets", Tickets],
		["The sale", Sales],
		["Paper", Leaves],
	];

/** For contributors, at /styleguide: every component in every state, and the colours by their names. */
export default function Styleguide() {
	return (
		<SampleShop>
			<main className="styleguide">
				<h1>Style guide</h1>
				<Switches />
				{sections.map(([title, Section]) => (
					<section key={title}>
						<h2>{title}</h2>
						<Section />
					</section>
				))}
				<UndoToast />
			</main>
		</SampleShop>
	);
}

function Switches() {
	const [appearance, setAppearance] = useAppearance();
	const choose = <Value extends string>(
		label: string,
		values: readonly Value[],
		value: Value,
		onChange: (value: Value) => void,
	) => (
		<div className="styleguide-row">
			<span className="strong">{label}</span>
			<Chips
				label={label}
				value={value}
				onChange={onChange}
				choices={values.map((one) => ({ value: one, label: one }))}
			/>
		</div>
	);
	return (
		<section>
			{choose(
				"Scheme",
				["auto", "light", "dark"],
				appearance.scheme,
				(scheme) => setAppearance({ ...appearance, scheme }),
			)}
			{choose("Contrast", ["usual", "high"], appearance.contrast, (contrast) =>
				setAppearance({ ...appearance, contrast }),
			)}
			{choose("Motion", ["on", "off"], appearance.motion, (motion) =>
				setAppearance({ ...appearance, motion }),
			)}
		</section>
	);
}
