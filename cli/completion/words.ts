import type { Command } from "commander";

/** A word that can be typed, with what it is for. */
interface Word {
	text: string;
	description: string;
}

/** What can be typed after a command. */
export interface Place {
	/** The words up to here without the program's own, such as `user create`. */
	path: string;
	/** Commands below, and what an argument may be. */
	words: Word[];
	options: (Word & {
		/** What it may be set to; undefined for a switch, empty for anything. */
		values?: readonly string[] | undefined;
	})[];
}

/** All places of a program, read off its commands. */
export function placesOf(command: Command, path = ""): Place[] {
	const help = command.createHelp();
	const place: Place = {
		path,
		words: [
			...command.commands.map((below) => ({
				text: below.name(),
				description: gist(below.description()),
			})),
			...command.registeredArguments.flatMap(({ argChoices = [] }) =>
				argChoices.map((text) => ({ text, description: "" })),
			),
		],
		options: help.visibleOptions(command).map((option) => ({
			text: option.long ?? option.flags,
			description: gist(option.description),
			values:
				option.required || option.optional
					? (option.argChoices ?? [])
					: undefined,
		})),
	};
	const below = command.commands.flatMap((one) =>
		placesOf(one, path === "" ? one.name() : `${path} ${one.name()}`),
	);
	return [place, ...below];
}

/** As much as fits beside a word. */
function gist(description: string): string {
	const [first = ""] = description.split(/[.:;]/);
	return first.trim();
}
