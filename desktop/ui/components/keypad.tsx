import { Delete } from "lucide-react";
import { useWords } from "../words/index.ts";
import "./keypad.css";

const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "00", "0"];

/** Large keys for a screen that is touched. They keep the focus where it is. */
export function Keypad({
	value,
	onChange,
	digits = keys,
}: {
	value: string;
	onChange(value: string): void;
	digits?: readonly string[];
}) {
	const { say } = useWords();
	const keepFocus = (event: React.MouseEvent) => event.preventDefault();
	return (
		<div className="keypad">
			{digits.map((key) => (
				<button
					key={key}
					type="button"
					tabIndex={-1}
					onMouseDown={keepFocus}
					onClick={() => onChange(value + key)}
				>
					{key}
				</button>
			))}
			<button
				type="button"
				tabIndex={-1}
				aria-label={say("app.erase")}
				onMouseDown={keepFocus}
				onClick={() => onChange(value.slice(0, -1))}
			>
				<Delete size={24} aria-hidden />
			</button>
		</div>
	);
}
