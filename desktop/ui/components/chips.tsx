import type { KeyboardEvent } from "react";
import "./chips.css";

interface Choice<Value> {
	value: Value;
	label: string;
	/** Which of the ten category hues its swatch has. */
	hue?: number;
}

const steps: Record<string, number> = {
	ArrowRight: 1,
	ArrowDown: 1,
	ArrowLeft: -1,
	ArrowUp: -1,
};

/** A choice of one, in a row; one stop of the Tab key, the arrows move within it. */
export function Chips<Value extends string | null>({
	label,
	choices,
	value,
	onChange,
}: {
	label: string;
	choices: readonly Choice<Value>[];
	value: Value;
	onChange(value: Value): void;
}) {
	function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
		const step = steps[event.key];
		if (step === undefined) return;
		event.preventDefault();
		const now = choices.findIndex((one) => one.value === value);
		const next = (now + step + choices.length) % choices.length;
		onChange((choices[next] as Choice<Value>).value);
		const chip = event.currentTarget.children[next];
		if (chip instanceof HTMLElement) chip.focus();
	}
	return (
		<div
			className="chips"
			role="radiogroup"
			aria-label={label}
			onKeyDown={onKeyDown}
		>
			{choices.map((one) => (
				// biome-ignore lint/a11y/useSemanticElements: a native radio can't be styled as a chip without a second element.
				<button
					key={String(one.value)}
					type="button"
					role="radio"
					className="chip"
					aria-checked={one.value === value}
					tabIndex={one.value === value ? 0 : -1}
					onClick={() => onChange(one.value)}
				>
					{one.hue !== undefined && (
						<span
							className="swatch"
							style={
								{ "--hue": `var(--hue-${one.hue})` } as React.CSSProperties
							}
						/>
					)}
					{one.label}
				</button>
			))}
		</div>
	);
}
