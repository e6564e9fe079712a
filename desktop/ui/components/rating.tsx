import { Star } from "lucide-react";
import { useId } from "react";
import "./rating.css";

const ratings = [1, 2, 3, 4, 5];

/** Stars, from 1 to 5; a group of radio buttons unless it only shows them. */
export function Rating({
	label,
	value,
	onChange,
}: {
	label: string;
	/** 0 while none is chosen. */
	value: number;
	onChange?(value: number): void;
}) {
	const name = useId();
	const starOf = (one: number) => (
		<Star
			size={onChange ? 28 : 18}
			aria-hidden
			fill={one <= value ? "currentColor" : "none"}
		/>
	);
	if (!onChange)
		return (
			<span className="rating" role="img" aria-label={label}>
				{ratings.map((one) => (
					<span key={one}>{starOf(one)}</span>
				))}
			</span>
		);
	return (
		<fieldset className="rating" aria-label={label}>
			{ratings.map((one) => (
				<label key={one}>
					<input
						type="radio"
						className="visually-hidden"
						name={name}
						checked={one === value}
						onChange={() => onChange(one)}
						aria-label={`${one} / 5`}
					/>
					{starOf(one)}
				</label>
			))}
		</fieldset>
	);
}
