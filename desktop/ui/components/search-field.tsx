import { Search } from "lucide-react";
import type { InputHTMLAttributes } from "react";
import { useWords } from "../words/index.ts";
import "./field.css";

/** A field that narrows the list below it as one types. */
export function SearchField({
	onChange,
	...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, "onChange"> & {
	value: string;
	placeholder: string;
	onChange(words: string): void;
}) {
	const { say } = useWords();
	return (
		<label className="search-field">
			<Search size={20} aria-hidden />
			<input
				className="input"
				type="search"
				aria-label={say("till.search")}
				autoComplete="off"
				onChange={(event) => onChange(event.currentTarget.value)}
				{...rest}
			/>
		</label>
	);
}
