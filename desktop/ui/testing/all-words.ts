import { globSync } from "node:fs";
import type { Words } from "../words/index.ts";

const folder = new URL("../", import.meta.url);

/** The words of every room; `pages.ts` needs a browser. */
export const rooms: readonly Words[] = await readRooms();
const words: Words = Object.assign({}, ...rooms);

async function readRooms(): Promise<Words[]> {
	const files = globSync("*/words.ts", { cwd: folder });
	const modules = await Promise.all(
		files.map((file) => import(new URL(file, folder).href)),
	);
	return modules.flatMap((module) => Object.values<Words>(module));
}

export function textsIn(language: "en" | "sw"): Record<string, string> {
	return Object.fromEntries(
		Object.entries(words).map(([key, said]) => [key, said[language]]),
	);
}
