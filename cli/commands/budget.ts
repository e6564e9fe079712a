import { InvalidArgumentError } from "commander";

/** Parses an option's amount in USD, from 0 to 1,000,000. @throws InvalidArgumentError */
export function toBudget(text: string): number {
	const value = Number(text);
	if (text.trim() === "" || !(value >= 0 && value <= 1_000_000))
		throw new InvalidArgumentError(
			"Must be an amount in USD from 0 to 1000000.",
		);
	return value;
}
