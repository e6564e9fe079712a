import { Command as Base, InvalidArgumentError } from "commander";

/** A command, with the options that many share. */
export class Command extends Base {
	/** Adds command lines to the help. */
	examples(...lines: string[]): this {
		const title = lines.length === 1 ? "Example" : "Examples";
		const list = lines.map((line) => `\n  ${line}`).join("");
		return this.addHelpText("after", `\n${title}:${list}`);
	}

	/** Adds `--business`, whose value `chooseBusiness` completes. */
	ofBusiness(): this {
		return this.option("--business <id>", "required if there are several");
	}

	printsJson(): this {
		return this.option("--json", "print JSON");
	}
}

/** Parses an option's count, from 1. @throws InvalidArgumentError */
export function toCount(text: string): number {
	const value = Number(text);
	if (!Number.isSafeInteger(value) || value < 1)
		throw new InvalidArgumentError("Must be a whole number, 1 or more.");
	return value;
}
