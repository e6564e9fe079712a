import { InvalidArgumentError } from "commander";

/** An option's amount in USD. @throws InvalidArgumentError */
export function toBudget(text: string): number {
	const value = Number(text);
	if (text.trim() === "" || !(value >= 0 && value <= 1_000_000))
		throw new InvalidArgumentError("It must be an amount in USD.");
	return value;
}
